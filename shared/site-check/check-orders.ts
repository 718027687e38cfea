/** Checks an order's content, that it is offered until its result comes, and that its result ends the offers. */
import { type SiteId, toOrderId, toSiteId } from "../ids.js";
import { layoutReceipt } from "../paper/layout-receipt.js";
import { renderText } from "../paper/render.js";
import { orderKey } from "../receipt/order-key.js";
import type { Receipt } from "../receipt/receipt.js";
import { asItIs } from "../texts.js";
import { type CheckRun, OTHER_DAEMON_ID, type Report } from "./check-run.js";
import { skips } from "./check-titles.js";
import { findingTexts } from "./finding-texts.js";
import type { BothLanguages, Finding } from "./findings.js";
import { finding } from "./findings.js";
import { type ReadOffer, type ReadPoll, readHeard } from "./read-answers.js";
import { exampleInn, foreignKkm } from "./site-to-check.js";

const PAPER_COLUMNS = 42;
/** The most polls until an order comes, or comes again: other orders may stand before it. */
const MOST_POLLS = 5;

/** The test order where the options name one, else the first order that was offered. */
function subjectOf(run: CheckRun): ReadOffer | null {
  const { orderId } = run.options.order;
  const offers = run.offers();
  const named = offers.find((offer) => orderId === null || offer.orderId === orderId);
  // An order whose number cannot be read may be the test order.
  return named ?? offers.find((offer) => offer.orderId === null || offer.receipt === null) ?? null;
}

/** Checks the order's content, and that two daemons never get the same order. */
export async function checkOrder(run: CheckRun): Promise<void> {
  await run.check("order", async () => {
    const last = await askForSubject(run);
    const subject = subjectOf(run);
    if (subject !== null) return subject.findings;
    if (last !== null && last.findings.length > 0) return last.findings;
    return run.options.order.orderId === null ? skips.noOrder : [testOrderMissing(run, run.options.order.orderId)];
  });
  await run.check("repeat", async () => {
    const subject = subjectOf(run);
    return subject === null ? skipOf(run) : checkRepeat(run, subject);
  });
  await run.check("foreign-register", async () => {
    const { kkm } = run.options.register;
    const open = run.openOrders();
    const { called, read } = await run.poll({ kkm: foreignKkm(kkm), daemon: OTHER_DAEMON_ID });
    if (read.findings.length === 0 && open.length === 0 && read.offer === null) return skipOf(run);
    if (read.offer === null) return read.findings;
    const { orderId, findings } = read.offer;
    const misnamed = findings.filter(({ name }) => name === "foreign-kkm");
    if (misnamed.length > 0 || orderId === null || !open.includes(orderId)) return misnamed;
    const what = findingTexts.offeredToTwo(orderId, kkm);
    return [finding("offered-to-two", { what, exchange: called.exchange })];
  });
}

/** Other orders get their result, because a site offers the wanted order after them. */
async function askForSubject(run: CheckRun): Promise<ReadPoll | null> {
  let last: ReadPoll | null = null;
  for (let polls = 0; polls < MOST_POLLS && subjectOf(run) === null; polls += 1) {
    await run.giveBack();
    last = (await run.poll()).read;
    if (last.offer === null) break;
  }
  return last;
}

function testOrderMissing(run: CheckRun, orderId: string): Finding {
  if (run.isSilent) return finding("test-order-missing", { what: findingTexts.nothingSaid(orderId), mend: silent });
  const others = run.offers().flatMap((offer) => offer.orderId ?? []);
  return finding("test-order-missing", { what: findingTexts.testOrderMissing(orderId, others) });
}

const silent: BothLanguages = {
  en: "If it waits, json_encode gave false: a text is no UTF-8 (json_last_error_msg() says so). Use JSON_THROW_ON_ERROR, mb_substr for substr, and mb_convert_encoding for a base in windows-1251.",
  ru: "Если заказ ждёт, json_encode вернул false: текст не в UTF-8 (скажет json_last_error_msg()). Включите JSON_THROW_ON_ERROR, режьте mb_substr вместо substr, базу в windows-1251 переводите mb_convert_encoding.",
};

function skipOf(run: CheckRun): BothLanguages {
  return run.options.order.orderId === null ? skips.noOrder : skips.testOrderLacking;
}

async function checkRepeat(run: CheckRun, first: ReadOffer): Promise<readonly Finding[] | BothLanguages> {
  const others: ReadOffer[] = [];
  const number = first.orderId === null ? findingTexts.withoutNumber : asItIs(first.orderId);
  for (let polls = 0; ; polls += 1) {
    const { called, read } = await run.poll();
    const { exchange } = called;
    if (read.offer === null && !read.isNothing) return read.findings;
    if (read.offer?.orderId === first.orderId) return changesBetween(first, read.offer, exchange);
    if (read.offer !== null) others.push(read.offer);
    if (read.offer !== null && polls + 1 < MOST_POLLS) continue;
    if (read.offer !== null && others.every((other) => isRenumbered(first, other))) {
      const what = findingTexts.otherNumber(number, asItIs(others[0]?.orderId ?? ""));
      return [finding("order-changes", { place: "orderId", what, exchange })];
    }
    // A site does well to offer orders first that it has offered less often.
    if (read.offer !== null) return skips.manyOrders;
    const what = findingTexts.offeredOnce(number);
    return [finding("lost-on-poll", { what, exchange })];
  }
}

const anySite: SiteId = toSiteId("");

function contentOf(receipt: Receipt): string {
  return orderKey({ site: anySite, receipt: { ...receipt, receiptId: null } }).canonical;
}

function changesBetween(first: ReadOffer, second: ReadOffer, exchange: number): readonly Finding[] {
  const [before, after] = [first.receipt, second.receipt];
  if (before === null || after === null) return [];
  if (before.receiptId !== after.receiptId) {
    const what = findingTexts.otherReceiptId(idOf(after), idOf(before));
    return [finding("order-changes", { place: "receiptId", what, exchange })];
  }
  if (contentOf(before) === contentOf(after)) return [];
  const what = findingTexts.otherContent(first.orderId ?? "");
  return [finding("order-changes", { what, exchange })];
}

function idOf({ receiptId }: Receipt): BothLanguages {
  return receiptId === null ? findingTexts.none : asItIs(receiptId);
}

function isRenumbered({ receipt: first }: ReadOffer, { receipt: other }: ReadOffer): boolean {
  const sameNumber = (receipt: Receipt) => contentOf({ ...receipt, orderId: toOrderId("same") });
  return first !== null && other !== null && sameNumber(first) === sameNumber(other);
}

/** Whether the site offers the first order again, or its content under a number made from its number. */
function isSoldAgain(first: ReadOffer | null, { offer }: ReadPoll): boolean {
  const [number, other] = [first?.orderId ?? null, offer?.orderId ?? null];
  if (first === null || offer === null || number === null || other === null) return false;
  const isMadeOf = other.startsWith(number) && !/^\d/.test(other.slice(number.length));
  return number === other || (isMadeOf && isRenumbered(first, offer));
}

const unknownOrderError: BothLanguages = {
  en: "Answer the result of an order that the site does not know with resultCode 0: else it comes again for ever.",
  ru: "На результат неизвестного заказа отвечайте resultCode 0: иначе он будет приходить без конца.",
};
const secondResultError: BothLanguages = {
  en: "A result may come twice: let the second one change nothing, and answer it with resultCode 0.",
  ru: "Результат может прийти дважды: второй ничего не меняет, отвечайте на него resultCode 0.",
};

export async function checkResults(run: CheckRun): Promise<void> {
  await run.check("unknown-order", async () => {
    const { called } = await run.report(`check-site-${run.options.newId().slice(0, 8)}`, "failed");
    return readHeard(called, unknownOrderError);
  });
  const subject = subjectOf(run);
  const { meant, how } = orderToReport(run, subject);
  const without = subject === null ? skipOf(run) : skips.noNumber;
  const unnamed = run.options.order.orderId === null ? skips.noTestOrder : skips.testOrderLacking;
  let reported: Report | null = null;
  await run.check("unknown-result", async () => {
    if (meant === null || how !== "printed") return meant === null ? without : unnamed;
    if (!run.options.site.resultExtras) return skips.noExtras;
    const heard = readHeard((await run.report(meant, "unknown")).called);
    const { called, read } = await run.poll();
    if (heard.length > 0 || !isSoldAgain(subject, read)) return heard;
    const what = findingTexts.soldAfterUnknown(meant);
    return [finding("sells-after-unknown", { what, exchange: called.exchange })];
  });
  await run.check("result", async () => {
    if (meant === null) return without;
    const findings: Finding[] = [];
    for (const orderId of [meant, ...run.openOrders().filter((other) => other !== meant)]) {
      const as = orderId === meant ? how : "failed";
      const report = await run.report(orderId, as);
      if (orderId === meant) reported = report;
      const heard = readHeard(report.called);
      run.noteReported(orderId, as, heard.length === 0);
      findings.push(...heard);
    }
    return findings;
  });
  await run.check("repeated-result", async () => {
    if (meant === null || reported === null) return without;
    return readHeard((await run.report(meant, how, reported)).called, secondResultError);
  });
  await run.check("late-result", async () => {
    if (meant === null || how !== "printed") return meant === null ? without : unnamed;
    return readHeard((await run.report(meant, "failed")).called, secondResultError);
  });
  await run.check("finished", async () => {
    const { called, read } = await run.poll();
    if (meant === null && read.findings.length === 0) return without;
    if (read.offer === null || meant === null) return read.findings;
    const told = run.orders().find(({ orderId, taken }) => orderId === meant && taken);
    // A site that has not accepted the result must offer the order again.
    if (told === undefined || !isSoldAgain(subject, read)) return [];
    const { exchange } = called;
    if (how === "failed") return [finding("offered-after-failed", { what: findingTexts.failedAgain(meant), exchange })];
    return [finding("offered-again", { what: findingTexts.offeredAgain(meant), exchange })];
  });
}

/** A test order that can be printed is reported as printed; any other order truthfully as failed. */
function orderToReport(run: CheckRun, subject: ReadOffer | null) {
  const isTest = subject !== null && subject.orderId === run.options.order.orderId && subject.receipt !== null;
  const meant = subject?.orderId ?? run.openOrders()[0] ?? null;
  return { meant, how: isTest ? "printed" : "failed" } as const;
}

export function paperOf(run: CheckRun): string | null {
  const receipt = run.offers().find((offer) => offer.receipt !== null)?.receipt ?? null;
  if (receipt === null) return null;
  const { kkm, inn, tables } = run.options.register;
  const register = { kkm, inn: inn ?? exampleInn };
  const rows = layoutReceipt(receipt, { columns: PAPER_COLUMNS, document: null, tables, register });
  return renderText(rows, { columns: PAPER_COLUMNS });
}
