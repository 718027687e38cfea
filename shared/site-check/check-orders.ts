/** The checks of an order: what it contains, that it is offered until its result comes, and that the result ends it. */
import { type SiteId, toOrderId, toSiteId } from "../ids.js";
import { layoutReceipt } from "../paper/layout-receipt.js";
import { renderText } from "../paper/render.js";
import { orderKey } from "../receipt/order-key.js";
import type { Receipt } from "../receipt/receipt.js";
import { asItIs } from "../texts.js";
import { type CheckRun, OTHER_DAEMON_ID, type Report } from "./check-run.js";
import { skips } from "./check-titles.js";
import { findingTexts } from "./finding-texts.js";
import type { Finding, Words } from "./findings.js";
import { finding } from "./findings.js";
import { type ReadOffer, readHeard } from "./read-answers.js";
import { exampleInn, foreignKkm } from "./site-to-check.js";

const PAPER_COLUMNS = 42;
/** The most polls until the first order comes again: a queue of orders may stand before it. */
const MOST_POLLS = 5;

/** Checks the order that was offered first. The following checks are about this order. */
export async function checkOrder(run: CheckRun): Promise<void> {
  await run.check("order", async () => {
    const [offer] = run.offers();
    if (offer !== undefined) return offer.findings;
    const { read } = await run.poll();
    if (read.offer !== null) return read.offer.findings;
    return read.isNothing ? skips.noOrder : read.findings;
  });
  await run.check("repeat", async () => {
    const [first] = run.offers();
    return first === undefined ? skips.noOrder : checkRepeat(run, first);
  });
  await run.check("foreign-register", async () => {
    const { kkm } = run.options.register;
    const open = run.openOrders();
    const { called, read } = await run.poll({ kkm: foreignKkm(kkm), daemon: OTHER_DAEMON_ID });
    if (read.offer === null) return read.findings;
    const { orderId, findings } = read.offer;
    const misnamed = findings.filter(({ name }) => name === "foreign-kkm");
    if (misnamed.length > 0 || orderId === null || !open.includes(orderId)) return misnamed;
    const what = findingTexts.offeredToTwo(orderId, kkm);
    return [finding("offered-to-two", { what, exchange: called.exchange })];
  });
}

async function checkRepeat(run: CheckRun, first: ReadOffer): Promise<readonly Finding[] | Words> {
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
    if (read.offer !== null && called.answer?.headers["fiscald-leases"] === "1") return skips.manyOrders;
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

function idOf({ receiptId }: Receipt): Words {
  return receiptId === null ? findingTexts.none : asItIs(receiptId);
}

function isRenumbered({ receipt: first }: ReadOffer, { receipt: other }: ReadOffer): boolean {
  const sameNumber = (receipt: Receipt) => contentOf({ ...receipt, orderId: toOrderId("same") });
  return first !== null && other !== null && sameNumber(first) === sameNumber(other);
}

const unknownOrderError: Words = {
  en: "Answer the result of an order that the site does not know with resultCode 0: else it comes again for ever.",
  ru: "На результат неизвестного заказа отвечайте resultCode 0: иначе он будет приходить без конца.",
};
const secondResultError: Words = {
  en: "A result may come twice: let the second one change nothing, and answer it with resultCode 0.",
  ru: "Результат может прийти дважды: второй ничего не меняет, отвечайте на него resultCode 0.",
};

export async function checkResults(run: CheckRun): Promise<void> {
  await run.check("unknown-order", async () => {
    const { called } = await run.report(`check-site-${run.options.newId().slice(0, 8)}`, "failed");
    const heard = readHeard(called, unknownOrderError);
    return heard.map((found) => (found.name === "refusal" ? { ...found, mend: unknownOrderError } : found));
  });
  const { meant, how } = orderToReport(run);
  const without = run.offers().length === 0 ? skips.noOrder : skips.noNumber;
  let reported: Report | null = null;
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
    if (meant === null) return without;
    if (how !== "printed") return run.options.order.orderId === null ? skips.noTestOrder : skips.testOrderLacking;
    return readHeard((await run.report(meant, "failed")).called, secondResultError);
  });
  await run.check("finished", async () => {
    const { called, read } = await run.poll();
    if (read.offer === null) return read.findings;
    if (meant === null) return without;
    const isFinished = run.orders().some(({ orderId, reportedAs, taken }) => {
      return orderId === meant && reportedAs === "printed" && taken;
    });
    // After "failed", or if the site has not accepted the result, the order has to be offered again.
    if (!isFinished || read.offer.orderId !== meant) return [];
    const what = findingTexts.offeredAgain(meant);
    return [finding("offered-again", { what, exchange: called.exchange })];
  });
}

/** The test order is reported as printed where it can be printed; any other order truthfully: nothing was printed. */
function orderToReport(run: CheckRun): { readonly meant: string | null; readonly how: "failed" | "printed" } {
  const { orderId } = run.options.order;
  const test = run.offers().find((offer) => orderId !== null && offer.orderId === orderId && offer.receipt !== null);
  if (test !== undefined) return { meant: test.orderId, how: "printed" };
  return { meant: run.openOrders()[0] ?? null, how: "failed" };
}

/** The paper of the first order that could be read, as the buyer would get it. */
export function paperOf(run: CheckRun): string | null {
  const receipt = run.offers().find((offer) => offer.receipt !== null)?.receipt ?? null;
  if (receipt === null) return null;
  const { kkm, inn, tables } = run.options.register;
  const register = { kkm, inn: inn ?? exampleInn };
  const rows = layoutReceipt(receipt, { columns: PAPER_COLUMNS, document: null, tables, register });
  return renderText(rows, { columns: PAPER_COLUMNS });
}
