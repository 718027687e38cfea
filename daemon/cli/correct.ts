/** `fiscald correct`: has a wrong or missed receipt put right, as the page's dialog does. It shows the documents and asks. */
import { Fault } from "@fiscald/shared/fault.js";
import { isVatCode, rateWords, vatCodes } from "@fiscald/shared/receipt/vat.js";
import { z } from "zod";
import { commandReasons } from "../messages/reasons/command-reasons.js";
import { idNumber, jobOf } from "./arguments.js";
import { daemonConfig, type ExitCode, exitCodes, type Session } from "./cli-context.js";
import { createDaemonClient } from "./daemon-client.js";
import { withStoredState } from "./stored-state.js";
import { consents } from "./terminal/consent.js";

const title = z.object({ en: z.string(), ru: z.string() });
const previewAnswer = z.object({
  preview: z.object({
    documents: z.array(z.object({ title, rows: z.array(title) })),
    share: title.nullable(),
  }),
});
const jobAnswer = z.object({ job: z.object({ id: z.int() }) });

/** The argument is an order's number or a job's; where it is absent, `--document` names the receipt. */
export async function correctReceipt(session: Session): Promise<ExitCode> {
  const { context, options, language, words } = session;
  const config = daemonConfig(session);
  const [argument] = session.args;
  const { document, reason, pay } = options;
  if (options.case === undefined) throw new Fault("usage.wrong", { message: commandReasons.caseNeeded });
  if (reason === undefined) throw new Fault("usage.wrong", { message: commandReasons.reasonNeeded });
  const job =
    argument === undefined
      ? withStoredState(config, ({ jobs }) => jobOfDocument(document, jobs.list({ fd: document ?? 0, limit: 2 })))
      : jobOf(config, argument, options.case === "missed" ? "notInTill" : "noJob");
  const body = {
    // The daemon says which cases there are.
    ...{ case: options.case, job, edits: editsOf(options.set), reason },
    ...(options.date === undefined ? {} : { date: options.date }),
    ...(pay === undefined ? {} : { payments: [{ typeClose: pay }] }),
  };
  const client = createDaemonClient(config);
  const { preview } = await client.post("/api/repairs/preview", body, previewAnswer);
  const count = preview.documents.length;
  const documents = preview.documents
    .map((one, index) =>
      [`${index + 1}/${count} ${one.title[language]}`, ...one.rows.map((row) => `  ${row[language]}`)].join("\n"),
    )
    .join("\n");
  const shown = preview.share === null ? documents : `${documents}\n${preview.share[language]}`;
  context.out(`${shown}\n`);
  const isWanted = await consents(session, (asks) => (count > 1 ? asks.correctFirst : asks.correct));
  if (!isWanted) return exitCodes.failed;
  const { job: first } = await client.post("/api/repairs", body, jobAnswer);
  context.out(`${words.commands.willBePrinted({ job: first.id })}\n`);
  // Both were queued in one transaction.
  if (count > 1) context.out(`${words.commands.secondWaits({ job: first.id + 1 })}\n`);
  return exitCodes.done;
}

function jobOfDocument(document: number | undefined, found: readonly { readonly id: number }[]): number {
  const [only, ...others] = found;
  if (document === undefined || only === undefined || others.length > 0) {
    throw new Fault("usage.wrong", { message: commandReasons.nameReceipt });
  }
  return only.id;
}

const fields = ["name", "price", "quantity", "vat"] as const;

/** `2.price=90.00`, `1.vat=vat22`: what is right in a line of the receipt. */
function editsOf(set: readonly string[]): readonly object[] {
  const edits = new Map<number, Readonly<Record<string, string | number>>>();
  for (const text of set) {
    const [, line = "", field = "", value = ""] = /^(\d+)\.(\w+)=(.+)$/.exec(text) ?? [];
    const known = fields.find((one) => one === field);
    if (known === undefined) throw new Fault("usage.wrong", { message: commandReasons.wrongEdit(text) });
    const number = idNumber(line);
    edits.set(number, { ...edits.get(number), line: number, [known]: known === "vat" ? rateOf(value) : value });
  }
  return [...edits.values()];
}

function rateOf(value: string): number {
  const code = vatCodes.find((one) => rateWords[one] === value) ?? Number(value);
  if (isVatCode(code)) return code;
  throw new Fault("usage.wrong", { message: commandReasons.wrongRate(value, Object.values(rateWords).join(", ")) });
}
