import { unknownDocument } from "@fiscald/drivers/codec/document-tags.js";
import { requireTaxRow } from "@fiscald/drivers/compile/receipt-tags.js";
import { userPropertyOf } from "@fiscald/drivers/compile/requisites.js";
import type { DocumentTags, FiscalDocument } from "@fiscald/drivers/fiscal-document.js";
import type {
  Baseline,
  Capabilities,
  CompileContext,
  DeviceState,
  DocumentNumbers,
  FiscalDriver,
  Identity,
  RunOutcome,
  ShiftTotals,
  WireFrame,
} from "@fiscald/drivers/fiscal-driver.js";
import type { Program } from "@fiscald/drivers/program.js";
import { type Kopecks, kopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import { type FnSerial, toFnSerial, toKkm } from "@fiscald/shared/ids.js";
import { addSeconds, type LocalTime } from "@fiscald/shared/local-time.js";
import { documentTypeOf, itemsOf, type Receipt, type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import type { RegisterTables } from "@fiscald/shared/receipt/vat.js";
import { makeIdentity, makeState } from "./make-snapshot.js";

/** The steps of a scripted program. One step is enough, because real programs are tested with the drivers. */
export type ScriptedCommand =
  | { readonly do: "receipt"; readonly receipt: SaleReceipt; readonly mark: string | null }
  | { readonly do: "open-shift" }
  | { readonly do: "close-shift" }
  | { readonly do: "cash"; readonly direction: "in" | "out"; readonly sum: Kopecks }
  | { readonly do: "print" };

/**
 * How one run goes wrong. `before`: the link breaks, or the last step is refused with `fault`, and nothing was done.
 * `after`: the step was done and its answer is lost. `late`: the link breaks and the step is done only at the next run,
 * unless a fence cancelled it before. `open`: as `before`, and an empty receipt stays open. `refuse`: a clean error
 * answer. `stale`: the step was done, but the answer is that of the document before.
 */
export type RunFault =
  | { readonly kind: "after" | "late" | "open" | "stale" }
  | { readonly kind: "before"; readonly fault?: Fault }
  | { readonly kind: "refuse"; readonly fault: Fault }
  | { readonly kind: "throw"; readonly error: unknown };

export interface ScriptedDevice {
  identity: Identity;
  documents: FiscalDocument[];
  shift: { number: number; state: "closed" | "open" | "expired"; openedAt: LocalTime | null };
  drawer: { cash: Kopecks; cashIn: Kopecks; cashOut: Kopecks };
  clock: LocalTime;
  openReceipt: DeviceState["openReceipt"];
  print: DeviceState["print"];
  blockedBy: Fault | null;
  capabilities: Capabilities;
  tables: RegisterTables;
  /** The tax ids with which positions were registered, in their order. */
  taxesUsed: (number | null)[];
  /** Connecting and reading reject with `link.lost`. */
  unplugged: boolean;
  /** Changes what the documents contain in place of what was sent. */
  alter: (sent: DocumentTags) => DocumentTags;
  /** The numbers of documents that cannot be read. */
  unreadable: Set<number>;
  /** Outdated values in readings of the state, one entry per reading, in order. Null: that reading is up to date. */
  earlier: (Partial<Pick<DeviceState, "lastFd" | "shift">> | null)[];
  /** One entry per run, in order; null: that run goes well. */
  faults: (RunFault | null)[];
  /**
   * Called and awaited with the name of each thing that is asked, before it is done, and with `ran` after a run. A test
   * changes the world at that moment, or lets the call hang while the daemon dies.
   */
  onCall: (name: string) => void | Promise<void>;
}

export const scriptedCapabilities: Capabilities = {
  maker: "scripted",
  paper: null,
  fiscal: {
    internet: true,
    orderMark: true,
    goodsCode: true,
    marking: true,
    roundedMarks: true,
    electronicOnly: true,
    maxItems: 100,
  },
  reports: ["x", "z"],
  documentBodies: "full",
};

export function createScriptedDevice(over: Partial<ScriptedDevice> = {}): ScriptedDevice {
  const zero = kopecks(0);
  return {
    identity: makeIdentity({ serial: "S1", model: "S-1", ffd: "1.2" }),
    documents: [],
    shift: { number: 0, state: "closed", openedAt: null },
    // Counters that are all 0 may be counters that never count, so one of them is not 0.
    drawer: { cash: kopecks(100_000), cashIn: zero, cashOut: zero },
    clock: "2026-11-20T15:00:00" as LocalTime,
    openReceipt: null,
    print: "idle",
    blockedBy: null,
    capabilities: scriptedCapabilities,
    tables: {
      taxes: [
        { id: 1, title: "НДС 22%", vat: 11 },
        { id: 6, title: "Без НДС", vat: 6 },
      ],
      paymentTypes: [
        { id: 0, title: "Наличные" },
        { id: 1, title: "Карта" },
      ],
    },
    taxesUsed: [],
    unplugged: false,
    alter: (sent) => sent,
    unreadable: new Set(),
    earlier: [],
    faults: [],
    onCall: () => {},
    ...over,
  };
}

/** A register with a number and a drive of its own, for use beside the first register. */
export function createTill(number: number, over: Partial<ScriptedDevice> = {}): ScriptedDevice {
  const device = createScriptedDevice(over);
  const [kkm, fn] = [toKkm(`000000000000000${number}`), toFnSerial(`999907890000000${number}`)];
  return Object.assign(device, { identity: { ...device.identity, kkm, fn } });
}

/** Puts the empty drive of till-2 into the register. The returned function puts the former drive back. */
export function swapDrive(device: ScriptedDevice): () => void {
  const { identity, documents, shift } = device;
  const another = { ...identity, fn: toFnSerial("9999078900000002") };
  Object.assign(device, { identity: another, documents: [], shift: { number: 0, state: "closed", openedAt: null } });
  return () => Object.assign(device, { identity, documents, shift });
}

export function receiptsOn(device: ScriptedDevice): FiscalDocument[] {
  return device.documents.filter(({ type }) => type === "receipt");
}

/** Registers a receipt that another program sent. */
export function addForeignReceipt(device: ScriptedDevice, receipt: SaleReceipt, mark: string | null = null): void {
  registerReceipt(device, receipt, mark);
}

export function createScriptedDriver(device: ScriptedDevice): FiscalDriver<ScriptedCommand> & { lose(): void } {
  return new ScriptedDriver(device);
}

class ScriptedDriver implements FiscalDriver<ScriptedCommand> {
  private connected = false;
  /** The step that the register is still going to do. */
  private late: ScriptedCommand | null = null;
  private lost: ((fault: Fault) => void) | null = null;

  constructor(private readonly device: ScriptedDevice) {}

  get capabilities(): Capabilities {
    return this.device.capabilities;
  }

  async connect(): Promise<Identity> {
    await this.device.onCall("connect");
    if (this.device.unplugged) throw new Fault("link.not-found");
    this.connected = true;
    return this.device.identity;
  }

  async readState(): Promise<DeviceState> {
    await this.ask("read-state");
    const { device } = this;
    const { openReceipt, print, drawer, clock, blockedBy } = device;
    const { number, state, openedAt: shiftOpenedAt } = device.shift;
    return makeState({
      ...{ fn: device.identity.fn, lastFd: device.documents.length, shift: { number, state }, shiftOpenedAt },
      ...{ openReceipt, print, drawer, clock, blockedBy, fnDaysLeft: null },
      ...device.earlier.shift(),
    });
  }

  compile(receipt: Receipt, context: CompileContext): readonly Program<ScriptedCommand>[] {
    if (receipt.kind === "receipt") {
      const { operation } = receipt;
      if (receipt.internet !== null && !this.capabilities.fiscal.internet) {
        throw new Fault("receipt.unsupported", { message: "no internet flag: see its option internetFlag" });
      }
      for (const [index, item] of itemsOf(receipt).entries()) {
        if (item.tax !== null) requireTaxRow(item, context, `items[${index}]`);
      }
      const total = totalOf(receipt);
      const lines = receipt.lines.map((line) =>
        line.type === "item" ? { ...line, tax: line.tax ?? context.defaultTax } : line,
      );
      const text = userPropertyOf(receipt, context)?.value ?? null;
      const sale = program(
        { do: "receipt", receipt: { ...receipt, lines }, mark: text },
        { type: "receipt", operation, total },
        { kind: "receipt", document: documentTypeOf(receipt), operation, total, mark: context.mark },
      );
      const sent = tagsOf({ ...receipt, lines }, text, context.tables);
      const opening = program({ do: "open-shift" }, { type: "shift-open" }, { kind: "shift-open" });
      return context.shift === "closed" ? [opening, { ...sale, sent }] : [{ ...sale, sent }];
    }
    return receipt.lines.map((line) => {
      if (line.type === "cash") {
        const cash = { direction: line.direction, sum: line.sum };
        return program({ do: "cash", ...cash }, { type: "cash", ...cash }, { kind: "drawer", ...cash });
      }
      return line.type === "report" && line.report === "z"
        ? program({ do: "close-shift" }, { type: "report", report: "z" }, { kind: "shift-close" })
        : program({ do: "print" }, { type: "print" }, { kind: "none" });
    });
  }

  async run({ steps }: Program<ScriptedCommand>, baseline: Baseline): Promise<RunOutcome> {
    await this.ask("run");
    const command = steps[0]?.command;
    if (command === undefined) throw new Error("a scripted program has one step");
    if (this.late !== null) this.execute(this.late);
    this.late = null;
    const fault = this.device.faults.shift() ?? null;
    const unsure: RunOutcome = { kind: "unsure", fault: new Fault("link.timeout") };
    if (fault?.kind === "before") return { ...unsure, fault: fault.fault ?? unsure.fault };
    if (fault?.kind === "refuse") return { kind: "not-printed", fault: fault.fault };
    if (fault?.kind === "throw") throw fault.error;
    if (fault?.kind === "late") this.late = command;
    if (fault?.kind === "open") {
      const operation = command.do === "receipt" ? command.receipt.operation : null;
      this.device.openReceipt = { operation, subtotal: kopecks(0) };
    }
    if (fault?.kind === "late" || fault?.kind === "open") return unsure;
    const document = this.execute(command);
    await this.device.onCall("ran");
    if (fault?.kind === "after") return unsure;
    const told = fault?.kind === "stale" ? this.device.documents[baseline.lastFd - 1] : document;
    return { kind: "printed", document: numbersOf(baseline.fn, told), warnings: [] };
  }

  async fence({ cancelOpen }: { readonly cancelOpen: boolean }): Promise<DeviceState> {
    await this.ask("fence");
    if (cancelOpen) {
      this.late = null;
      this.device.openReceipt = null;
    }
    return this.readState();
  }

  async finishPrint(): Promise<void> {
    await this.ask("finish-print");
    this.device.print = "idle";
  }

  async documentsSince(fd: number, _signal: AbortSignal, toFd?: number): Promise<readonly FiscalDocument[]> {
    await this.ask("documents");
    return this.device.documents
      .filter((document) => document.fd > fd && document.fd <= (toFd ?? document.fd))
      .map((document) => (this.device.unreadable.has(document.fd) ? unknownDocument(document.fd) : document));
  }

  async readTables(): Promise<RegisterTables> {
    await this.ask("tables");
    return this.device.tables;
  }

  async readShiftTotals(): Promise<ShiftTotals> {
    await this.ask("shift-totals");
    const { documents, shift } = this.device;
    const sum = (operation: "sale" | "return") =>
      kopecks(
        documents
          .filter((document) => document.shift === shift.number && document.operation === operation)
          .reduce((total, document) => total + (document.total ?? 0), 0),
      );
    return { shift: shift.number, sales: sum("sale"), returns: sum("return"), saleCount: null, returnCount: null };
  }

  async close(): Promise<void> {
    this.connected = false;
  }

  lastFrames(): readonly WireFrame[] {
    return [];
  }

  onLost(listener: (fault: Fault) => void): void {
    this.lost = listener;
  }

  /** The cable comes off while nothing is asked. */
  lose(): void {
    this.connected = false;
    this.lost?.(new Fault("link.lost"));
  }

  private async ask(name: string): Promise<void> {
    await this.device.onCall(name);
    if (this.device.unplugged || !this.connected) {
      this.connected = false;
      throw new Fault("link.lost");
    }
  }

  private execute(command: ScriptedCommand): FiscalDocument | undefined {
    const { device } = this;
    switch (command.do) {
      case "receipt":
        return registerReceipt(device, command.receipt, command.mark);
      case "open-shift":
        device.shift = { number: device.shift.number + 1, state: "open", openedAt: device.clock };
        return addDocument(device, { type: "shift-open" });
      case "close-shift":
        device.shift = { ...device.shift, state: "closed", openedAt: null };
        return addDocument(device, { type: "shift-close" });
      case "cash": {
        const { cash, cashIn, cashOut } = device.drawer;
        const { sum, direction } = command;
        device.drawer =
          direction === "in"
            ? { cash: kopecks(cash + sum), cashIn: kopecks(cashIn + sum), cashOut }
            : { cash: kopecks(cash - sum), cashIn, cashOut: kopecks(cashOut + sum) };
        return undefined;
      }
      case "print":
        return undefined;
    }
  }
}

function registerReceipt(device: ScriptedDevice, receipt: SaleReceipt, mark: string | null): FiscalDocument {
  if (device.shift.state === "closed") {
    device.shift = { number: device.shift.number + 1, state: "open", openedAt: device.clock };
    addDocument(device, { type: "shift-open" });
  }
  device.taxesUsed.push(...itemsOf(receipt).map(({ tax }) => tax));
  return addDocument(device, {
    type: documentTypeOf(receipt),
    operation: receipt.operation,
    total: totalOf(receipt),
    receiptNumber: 1 + receiptsOn(device).filter(({ shift }) => shift === device.shift.number).length,
    mark: device.capabilities.fiscal.orderMark ? mark : null,
    items: itemsOf(receipt).map(({ name, price, quantity, total }) => ({ name, price, quantity, sum: total })),
    tags: device.alter(tagsOf(receipt, mark, device.tables)),
  });
}

/** Only the tags that tests look at. */
function tagsOf(receipt: SaleReceipt, mark: string | null, { taxes }: RegisterTables): DocumentTags {
  const rateOf = (tax: number | null) => taxes.find(({ id }) => id === tax)?.vat ?? 6;
  return {
    head: {
      1054: receipt.operation === "sale" ? 1 : 2,
      1020: totalOf(receipt),
      ...(mark === null ? {} : { 1086: mark }),
    },
    items: itemsOf(receipt).map(({ name, price, quantity, total, tax, method }) => {
      return { 1030: name, 1079: price, 1023: quantity, 1043: total, 1199: rateOf(tax), 1214: method };
    }),
  };
}

function addDocument(device: ScriptedDevice, over: Partial<FiscalDocument>): FiscalDocument {
  const fd = device.documents.length + 1;
  device.clock = addSeconds(device.clock, 1);
  const numbers = { fiscalSign: String(1_000_000_000 + fd), time: device.clock, shift: device.shift.number };
  const document: FiscalDocument = { ...unknownDocument(fd), type: "other", ...numbers, body: "full", ...over };
  device.documents.push(document);
  return document;
}

function numbersOf(fn: FnSerial, document: FiscalDocument | undefined): DocumentNumbers | null {
  if (document === undefined || document.shift === null || document.time === null) return null;
  const { fd, fiscalSign, shift, receiptNumber, time } = document;
  return { fn, fd, fiscalSign, shift, receiptNumber, time };
}

function program(
  command: ScriptedCommand,
  kind: Program["kind"],
  witness: Program["witness"],
): Program<ScriptedCommand> {
  const step = { name: command.do, command, repeatable: false };
  return { kind, steps: [step], fiscalStep: witness.kind === "none" ? null : 0, witness, warnings: [] };
}
