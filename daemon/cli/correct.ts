import { Fault } from "@fiscald/shared/fault.js";
import { isVatCode, rateWords, vatCodes } from "@fiscald/shared/receipt/vat.js";
import { z } from "zod";
import type { Config } from "../config/config-schema.js";
import { commandReasons } from "../messages/reasons/command-reasons.js";
import { idNumber, jobFilter, jobOf, requireKnown, saleOf } from "./arguments.js";
import { daemonConfig, type ExitCode, exitCodes, type Session } from "./cli-context.js";
import { createDaemonClient } from "./daemon-client.js";
import type { CliOptions } from "./options.js";
import { withStoredState } from "./stored-state.js";
import { bothLanguages } from "./terminal/causes.js";
import { consents } from "./terminal/consent.js";

const previewAnswer = z.object({
  preview: z.object({
    documents: z.array(
      z.object({ title: bothLanguages, rows: z.array(bothLanguages), lacks: bothLanguages.nullable() }),
    ),
    ...{ about: bothLanguages, share: bothLanguages.nullable() },
  }),
});
const jobAnswer = z.object({ job: z.object({ id: z.int() }), second: z.int().nullable() });

/**
 * The argument is an order's number or a job's; without an argument, `--document` names the receipt. With `--at` the
 * argument is the number of an order that the daemon does not know.
 */
export async function correctReceipt(session: Session): Promise<ExitCode> {
  const { context, options, language, words } = session;
  const config = daemonConfig(session);
  const [argument] = session.args;
  const { reason, instruction, at } = options;
  if (options.case === undefined) throw new Fault("usage.wrong", { message: commandReasons.caseNeeded });
  if (reason === undefined) throw new Fault("usage.wrong", { message: commandReasons.reasonNeeded });
  if (at !== undefined) requireKnown(config, "register", at);
  if (options.site !== undefined) requireKnown(config, "site", options.site);
  const isKnown = at === undefined || argument === undefined;
  const job = isKnown ? knownJob(config, argument, options) : null;
  const body = {
    // The daemon decides which cases are possible.
    ...{ case: options.case, job, ...linesOf(options.set), added: options.add.map(addedLine), reason },
    ...(isKnown ? {} : { missed: unknownReceipt(argument, at, config, options) }),
    ...(options.date === undefined ? {} : { date: options.date }),
    ...(instruction === undefined ? {} : { instruction }),
    payments: options.pay.map(paymentOf),
  };
  const client = createDaemonClient(config);
  const { preview } = await client.post("/api/repairs/preview", body, previewAnswer);
  const count = preview.documents.length;
  for (const [index, { title, rows, lacks }] of preview.documents.entries()) {
    const said = [...rows, ...(lacks === null ? [] : [lacks])].map((row) => `\n  ${row[language]}`);
    context.out(`${index + 1}/${count} ${title[language]}${said.join("")}\n`);
  }
  if (preview.share !== null) context.out(`${preview.share[language]}\n`);
  const about = preview.about[language];
  if (options.yes) context.out(`${about}\n`);
  const isWanted = await consents(session, (asks) => asks[count > 1 ? "correctFirst" : "correct"]({ about }));
  if (!isWanted) return exitCodes.failed;
  const { job: first, second } = await client.post("/api/repairs", body, jobAnswer);
  context.out(`${words.commands.willBePrinted({ job: first.id })}\n`);
  if (second !== null) context.out(`${words.commands.secondWaits({ job: second })}\n`);
  return exitCodes.done;
}

function knownJob(config: Config, argument: string | undefined, options: CliOptions): number {
  const { document, at: register, site } = options;
  if (argument === undefined) {
    const ofDocument = { document: document ?? 0, ...jobFilter({ register, site }), limit: 2 };
    return withStoredState(config, ({ jobs }) => jobOfDocument(document, jobs.list(ofDocument)));
  }
  const isMissed = options.case === "missed";
  return (
    isMissed
      ? jobOf(config, argument, { none: "notInTill", site, isOrderFirst: true })
      : saleOf(config, argument, { site })
  ).id;
}

function jobOfDocument(document: number | undefined, found: readonly { readonly id: number }[]): number {
  const [only, ...others] = found;
  if (document === undefined || only === undefined || others.length > 0) {
    throw new Fault("usage.wrong", { message: commandReasons.nameReceipt });
  }
  return only.id;
}

/** Without `--site`, an order that the daemon does not know is of the register's only site. */
function unknownReceipt(order: string, register: string, { registers }: Config, options: CliOptions): object {
  const { contact, internet, sign } = options;
  const [only, ...others] = registers.find(({ id }) => id === register)?.sites ?? [];
  const said = { site: options.site ?? (others.length === 0 ? only : undefined), contact, internet, sign };
  return { register, order, ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) };
}

const fields = ["name", "price", "quantity", "vat", "paper"] as const;

/** `2.price=90.00` and `1.vat=vat22` are right values of a receipt's line. `1.paper=vat20` is the rate on the paper. */
function linesOf(set: readonly string[]): {
  readonly edits: readonly object[];
  readonly onPaper: readonly (number | null)[];
} {
  const edits = new Map<number, Readonly<Record<string, string | number>>>();
  const onPaper = new Map<number, number>();
  for (const text of set) {
    const [, line = "", field = "", value = ""] = /^(\d{1,3})\.(\w+)=(.+)$/.exec(text) ?? [];
    const known = fields.find((one) => one === field);
    if (known === undefined) throw new Fault("usage.wrong", { message: commandReasons.wrongEdit({ text }) });
    const number = idNumber(line);
    if (known === "paper") onPaper.set(number, rateOf(value));
    else edits.set(number, { ...edits.get(number), line: number, [known]: known === "vat" ? rateOf(value) : value });
  }
  const lines = Array.from({ length: Math.max(0, ...onPaper.keys()) }, (_, index) => onPaper.get(index + 1) ?? null);
  return { edits: [...edits.values()], onPaper: lines };
}

function addedLine(text: string): object {
  const [name = "", price = "", quantity = "", vat, ...more] = text.split(";").map((part) => part.trim());
  if (vat === undefined || more.length > 0)
    throw new Fault("usage.wrong", { message: commandReasons.wrongLine({ text }) });
  return { name, price, quantity, vat: rateOf(vat) };
}

function paymentOf(text: string): object {
  const [, kind, sum] = /^(\d)(?:=(.+))?$/.exec(text) ?? [];
  if (kind === undefined) throw new Fault("usage.wrong", { message: commandReasons.wrongPayment({ text }) });
  return { typeClose: Number(kind), ...(sum === undefined ? {} : { sum }) };
}

function rateOf(value: string): number {
  const code = vatCodes.find((one) => rateWords[one] === value) ?? Number(value);
  if (isVatCode(code)) return code;
  throw new Fault("usage.wrong", {
    message: commandReasons.wrongRate({ text: value, known: Object.values(rateWords).join(", ") }),
  });
}
