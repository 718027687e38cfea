import { kopecks, ONE_UNIT } from "@fiscald/shared/amounts.js";
import { layoutPrinted, type PaperRow } from "@fiscald/shared/paper/layout.js";
import { renderText } from "@fiscald/shared/paper/render.js";
import { z } from "zod";
import { faultSpecSchema } from "../faults/fault-spec.js";
import { operationSchema, type StoredDocument } from "../memory/documents.js";
import type { FiscalCore } from "../memory/fiscal-core.js";
import type { CoreAnswer } from "../memory/refusals.js";
import type { EmulatorParts } from "./control-view.js";
import { documentView, stateView } from "./control-view.js";

export interface ControlAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Uint8Array;
}

interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  run(parts: EmulatorParts, body: unknown, query: URLSearchParams): ControlAnswer | Promise<ControlAnswer>;
}

export function json(status: number, value: unknown): ControlAnswer {
  return { status, type: "application/json; charset=utf-8", body: `${JSON.stringify(value, null, 2)}\n` };
}

const WIRE_RECORDS = 1000;
const receiptSchema = z.strictObject({
  operation: operationSchema.default("sale"),
  totalKopecks: z.int().min(1).max(9_999_999_999),
  name: z.string().min(1).max(128),
});
const driveSchema = z.strictObject({ fn: z.string().regex(/^\d{16}$/, "16 digits") });
const shiftSchema = z.strictObject({ action: z.enum(["open", "close"]) });
const clockSchema = z.strictObject({ advanceSeconds: z.int() });
const paperSchema = z.strictObject({ present: z.boolean().optional(), coverOpen: z.boolean().optional() });
const ofdSchema = z.strictObject({ connected: z.boolean() });

export const controlRoutes: readonly Route[] = [
  { method: "GET", path: "/documents", run: ({ core }, _body, query) => documentsOf(core, query) },
  { method: "GET", path: "/state", run: (parts) => json(200, stateView(parts)) },
  { method: "GET", path: "/wire", run: ({ device }) => json(200, device.wire.last(WIRE_RECORDS)) },
  { method: "GET", path: "/tape", run: ({ core }, _body, query) => tapeAsText(core, query) },
  { method: "GET", path: "/tape.png", run: ({ core }, _body, query) => tapeAsPicture(core, query) },
  { method: "GET", path: "/faults", run: ({ faults }) => json(200, faults.list()) },
  post("/faults", faultSpecSchema, ({ faults }, spec) => json(200, { id: faults.add(spec) })),
  {
    method: "DELETE",
    path: "/faults",
    run: ({ faults }) => {
      faults.clear();
      return json(200, {});
    },
  },
  post("/receipts", receiptSchema, ({ core }, receipt) => madeDocument(registerByHand(core, receipt))),
  {
    method: "POST",
    path: "/cancel",
    run: ({ core }) => {
      core.cancelReceipt();
      return json(200, {});
    },
  },
  post("/shift", shiftSchema, ({ core }, { action }) =>
    madeDocument(action === "open" ? core.openShift({ paper: true }) : core.closeShift({ paper: true })),
  ),
  post("/fn", driveSchema, ({ core }, { fn }) => {
    core.swapDrive(fn);
    return json(200, { fn: core.fn, lastFd: core.lastFd });
  }),
  post("/clock", clockSchema, ({ core }, { advanceSeconds }) => {
    core.advanceClock(advanceSeconds);
    return json(200, { time: core.now() });
  }),
  post("/paper", paperSchema, ({ core }, { present, coverOpen }) => {
    if (present === true) core.printer.loadPaper();
    if (present === false) core.printer.removePaper();
    if (coverOpen !== undefined) core.printer.setCover(coverOpen);
    return json(200, {});
  }),
  post("/ofd", ofdSchema, ({ core }, { connected }) => {
    core.setOfdConnected(connected);
    return json(200, { unsent: core.unsent.count });
  }),
];

/** Oldest first; `?skip=N` leaves out the N oldest. */
function documentsOf({ documents }: FiscalCore, query: URLSearchParams): ControlAnswer {
  const skip = z.coerce
    .number()
    .int()
    .min(0)
    .safeParse(query.get("skip") ?? 0);
  if (!skip.success) return json(400, { error: "skip: how many of the oldest are left out" });
  return json(200, documents.slice(skip.data).map(documentView));
}

function post<Body>(
  path: string,
  schema: z.ZodType<Body>,
  run: (parts: EmulatorParts, body: Body) => ControlAnswer,
): Route {
  return {
    method: "POST",
    path,
    run: (parts, body) => {
      const parsed = schema.safeParse(body);
      if (parsed.success) return run(parts, parsed.data);
      const problems = parsed.error.issues.map((issue) => ({ place: issue.path.join("."), message: issue.message }));
      return json(400, {
        error: problems.map(({ place, message }) => `${place || "body"}: ${message}`).join("; "),
        problems,
      });
    },
  };
}

function madeDocument(made: CoreAnswer<StoredDocument>): ControlAnswer {
  return made.ok ? json(200, documentView(made.value)) : json(409, { error: made.refusal });
}

/** Makes a receipt as a cashier or another program would: opens the shift if needed, pays without cash. */
export function registerByHand(core: FiscalCore, { operation, totalKopecks, name }: z.infer<typeof receiptSchema>) {
  const total = kopecks(totalKopecks);
  if (core.shift === "closed") {
    const opened = core.openShift({ paper: true });
    if (!opened.ok) return opened;
  }
  const receipt = core.openReceipt({ operation, operator: 1 });
  if (!receipt.ok) return receipt;
  const [tax] = core.registration.taxes;
  const line = core.addLine({ name, price: total, quantity: ONE_UNIT, sum: null, tax: tax?.row ?? 1 });
  const closed = line.ok
    ? core.closeReceipt({ payments: [{ typeClose: 1, row: 2, sum: total }], taxSystem: null, paper: true })
    : line;
  if (!closed.ok) core.cancelReceipt();
  return closed;
}

/** Rows of the tape; `?fd=N`: of one document alone. Null: the document is not on this tape. */
function tapeRows({ tape }: FiscalCore, query: URLSearchParams): readonly PaperRow[] | null {
  const fd = query.get("fd");
  return fd === null ? tape.rows : tape.documentRows(Number(fd));
}

const notOnTape = json(404, { error: "this document is not on the tape" });

function tapeAsText(core: FiscalCore, query: URLSearchParams): ControlAnswer {
  const { tape } = core;
  const rows = tapeRows(core, query);
  if (rows === null) return notOnTape;
  const body = renderText(layoutPrinted(rows, tape), { columns: tape.columns });
  return { status: 200, type: "text/plain; charset=utf-8", body };
}

async function tapeAsPicture(core: FiscalCore, query: URLSearchParams): Promise<ControlAnswer> {
  const { tape } = core;
  const rows = tapeRows(core, query);
  if (rows === null) return notOnTape;
  const { renderPng } = await import("@fiscald/shared/paper/rasterizer.js");
  const body = await renderPng(layoutPrinted(rows, tape), { columns: tape.columns });
  return { status: 200, type: "image/png", body };
}
