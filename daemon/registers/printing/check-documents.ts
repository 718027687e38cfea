/**
 * Registered receipts are read back and compared with what their programs sent. The outcome of a job never changes by
 * this, because the document exists. Differences are shown to a person, and receipts with an altered value wait.
 *
 * On a register as it is now, the first document of each value (rate, method, subject, kind of payment) is compared
 * before the next receipt with that value, all others while nothing is printed. The closing of a shift waits for no
 * comparison.
 *
 * The first comparison on a model and firmware also proves that its documents are read rightly. Before that, a doubt
 * never ends as "not printed".
 */
import {
  type Comparison,
  compareTags,
  type Difference,
  hasValue,
  watchedValues,
} from "@fiscald/drivers/compare-tags.js";
import type { FiscalDocument, TagValues } from "@fiscald/drivers/fiscal-document.js";
import type { Program } from "@fiscald/drivers/program.js";
import { toFault } from "@fiscald/shared/fault.js";
import { documentTypeOf, totalOf } from "@fiscald/shared/receipt/receipt.js";
import type { CheckedRegister, DueCheck } from "../../store/document-checks.js";
import { DOCUMENT_DIFFERS, isOtherRate } from "../../store/journal.js";
import { checkedRegisterOf, provenModelOf, type RegisterTools } from "../connected-register.js";
import { alteredFault, describeDifference, shown } from "../describe-difference.js";
import { compareLines } from "../recovery/compare-document.js";
import { isRefusal } from "./preflight.js";

const RATE = 1199;
const MAX_TRIES = 3;
/** How long a receipt waits for the comparison of an earlier document. */
const MAX_WAIT_MS = 10_000;
/** How many documents may wait to be compared after a busy hour. */
const MAX_DUE = 500;

/** Throws `register.alters-receipts` when an earlier document differed in one of the receipt's values. */
export async function compareBefore(tools: RegisterTools, programs: readonly Program[]): Promise<void> {
  const [sent] = programs.flatMap((program) => program.sent ?? []);
  if (sent === undefined) return;
  const { checks } = tools.context.stores;
  const register = checkedRegisterOf(tools);
  const known = checks.values(register);
  const open = new Set(watchedValues(sent).filter((value) => !known.has(value)));
  if (open.size > 0) await compareFirstOf(tools, register, open);
  const held = checks.held(register.register).find((difference) => hasValue(sent, difference));
  if (held === undefined) return;
  throw alteredFault(held, held.fd);
}

async function compareFirstOf(tools: RegisterTools, register: CheckedRegister, open: Set<string>): Promise<void> {
  const { clock, stores } = tools.context;
  const until = clock.monotonic() + MAX_WAIT_MS;
  for (const due of stores.checks.due(register.register, tools.connected.identity.fn, MAX_DUE)) {
    const values = watchedValues(due.sent);
    if (!values.some((value) => open.has(value))) continue;
    let end = await compareDue(tools, due);
    while (end === "unread" && clock.monotonic() < until) end = await compareDue(tools, due);
    if (end === "unread") giveUp(tools, due);
    for (const value of values) open.delete(value);
  }
}

/** Compares one document while nothing is printed. Returns whether more documents wait to be compared. */
export async function compareNext(tools: RegisterTools): Promise<boolean> {
  const { stores, settings } = tools.context;
  const { fn } = tools.connected.identity;
  for (const due of stores.checks.dueElsewhere(settings.id, fn)) giveUp(tools, due);
  const [due] = stores.checks.due(settings.id, fn, 1);
  if (due === undefined) return false;
  await compareDue(tools, due);
  return stores.checks.due(settings.id, fn, 1).length > 0;
}

/** Compares the receipt just registered, unless reading back documents of this model is already proven. */
export async function proveOnce(tools: RegisterTools, job: number): Promise<void> {
  const { stores, settings, log } = tools.context;
  if (stores.registers.hasProof(provenModelOf(tools.connected))) return;
  const due = stores.checks.due(settings.id, tools.connected.identity.fn, MAX_DUE).find((other) => other.job === job);
  if (due === undefined) return;
  try {
    await compareDue(tools, due);
  } catch (error) {
    log.warn("the receipt could not be read back; it is tried with the next one", {
      fault: toFault(error, "internal"),
    });
  }
}

/** Throws faults of the link. */
async function compareDue(tools: RegisterTools, due: DueCheck): Promise<"compared" | "unread" | "given up"> {
  const { context, connected } = tools;
  let document: FiscalDocument | undefined;
  try {
    document = await readDocument(tools, due.fd);
  } catch (error) {
    // A reading that breaks the link each time counts as a try, or no receipt with its values would ever be printed.
    if (!tools.signal.aborted && context.stores.checks.addTry(due.job) >= MAX_TRIES) giveUp(tools, due);
    throw error;
  }
  const { documentBodies } = connected.capabilities;
  const isRead = documentBodies === "header" || document?.tags !== undefined;
  if (document?.body === documentBodies && isRead) {
    recordComparison(tools, due, document);
    return "compared";
  }
  if (context.stores.checks.addTry(due.job) < MAX_TRIES) return "unread";
  giveUp(tools, due);
  return "given up";
}

async function readDocument(
  { context: { driver }, signal }: RegisterTools,
  fd: number,
): Promise<FiscalDocument | undefined> {
  try {
    return (await driver.documentsSince(fd - 1, signal, fd)).find((document) => document.fd === fd);
  } catch (error) {
    // A mistake in our reader costs a comparison, never the current job.
    const isSlip = toFault(error, "internal").code === "internal" && !signal.aborted;
    if (!isRefusal(error) && !isSlip) throw error;
    return undefined;
  }
}

/**
 * Leaves a document uncompared, and printing goes on. A document on a drive that is not connected says nothing about
 * the register as it is now, so its values are recorded under that drive.
 */
function giveUp(tools: RegisterTools, { job, fn, fd, sent }: DueCheck): void {
  const { stores, log } = tools.context;
  const register = checkedRegisterOf(tools);
  stores.jobs.transaction(() => {
    const known = stores.checks.values(register);
    const values = watchedValues(sent).map((value) => (fn === register.fn ? value : `${value} (${fn})`));
    const unknown = values.filter((value) => !known.has(value));
    stores.checks.saveValues(register, unknown, "not-compared");
    stores.checks.end(job);
    tools.recorder.note("document not compared", job, { fd, values: unknown });
  });
  log.warn("a receipt was not compared with what was sent: its document cannot be read", { job, fd });
}

const nothingCompared: Comparison = { differences: [], agreed: new Set() };

/** A model that shows only the totals of its documents is compared by the totals alone. */
function recordComparison(tools: RegisterTools, due: DueCheck, document: FiscalDocument): void {
  const { context, recorder } = tools;
  const { stores, clock, log } = context;
  const { checks } = stores;
  const register = checkedRegisterOf(tools);
  const { job, fn, fd, sent } = due;
  const readBefore = checks.agreedTags(register.model);
  const unconfirmed = tools.connected.capabilities.unconfirmedTags;
  const { tags } = document;
  const { differences, agreed } =
    tags === undefined ? nothingCompared : compareTags(sent, tags, readBefore, unconfirmed);
  const fresh = stores.jobs.transaction(() => {
    const disproofs = proveReading(tools, due, document);
    const seen = new Set(differences.map(({ tag }) => tag));
    const all = [...differences, ...disproofs.filter(({ tag }) => !seen.has(tag))];
    const told = all.filter((difference) => checks.addDifference(register, difference, { job, fn, fd }, clock.now()));
    checks.addAgreedTags(
      register.model,
      [...agreed].filter((tag) => !readBefore.has(tag)),
    );
    checks.saveValues(register, watchedValues(sent), tags === undefined ? "not-compared" : "compared");
    checks.end(job);
    if (all.length > 0) {
      const warnings = all.map((one) => ({ path: "", text: describeDifference(one, fd) }));
      const rates = ratesOf(differences, tags?.items ?? []);
      recorder.note(DOCUMENT_DIFFERS, job, { fd, differences: all.map(shown), warnings, ...rates });
      context.events.warningsChanged(stores.jobs.get(job));
    }
    return told;
  });
  for (const difference of fresh) {
    const fields = { job, fd, ...shown(difference) };
    if (difference.weight === "hold")
      log.error("the register altered a receipt: receipts with that value wait", fields);
    else log.warn("a receipt read back from the register is not quite what was sent", fields);
  }
}

/** The rates that were registered, if the register surely altered one. A return of the receipt has these rates. */
function ratesOf(differences: readonly Difference[], items: readonly TagValues[]) {
  if (!differences.some((one) => one.weight === "hold" && isOtherRate(one))) return {};
  return { rates: items.map(({ [RATE]: rate = null }) => (rate === null ? null : Number(rate))) };
}

/**
 * Proves that documents of this model are read rightly, or returns what contradicts it. Names that the register may
 * have cut short prove nothing, so the next receipt decides. Call this inside a transaction.
 */
function proveReading(tools: RegisterTools, { job, sent }: DueCheck, read: FiscalDocument): readonly Difference[] {
  const { context, recorder, connected } = tools;
  const { registers, jobs } = context.stores;
  const model = provenModelOf(connected);
  const { receipt, document } = jobs.get(job);
  if (registers.hasProof(model) || receipt.kind !== "receipt" || document === null) return [];
  const isFull = read.body === "full";
  const isBySums = receipt.correction !== undefined && read.items.length === 0;
  const lines = isFull && !isBySums ? compareLines(receipt, read.items) : "same";
  if (lines === "unclear") return [];
  const mark = sent.head[1086] ?? null;
  const checks: readonly (readonly [tag: number, what: string, known: unknown, read: unknown])[] = [
    [1000, "type", documentTypeOf(receipt), read.type],
    [1054, "operation", receipt.operation, read.operation],
    [1020, "total", totalOf(receipt), read.total],
    [1077, "fiscal sign", document.fiscalSign, read.fiscalSign],
    [1086, "mark", isFull ? mark : read.mark, read.mark],
    [1059, "lines", true, lines !== "other"],
  ];
  const wrong = checks.filter(([, , known, found]) => known !== found);
  if (wrong.length === 0) registers.addProof(model, context.clock.now());
  const what = wrong.map(([, name]) => name);
  recorder.note(wrong.length === 0 ? "read-back agrees" : "read-back disagrees", null, { ...model, wrong: what });
  return wrong.map(([tag, , known, found]) => ({
    tag,
    sent: String(known),
    read: found === null ? null : String(found),
    weight: "warn",
  }));
}
