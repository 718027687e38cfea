/**
 * Decides when nobody can know the outcome of an order in the random part; every other `unsure` is a failure. An order
 * that stays unsure is never printed a second time. A repeated request whose meaning nobody can know is refused, and
 * its document is not in doubt (judging/due.ts).
 */
import type { EmulatedDocument } from "../../../support/emulator-process.js";
import { kkmOf } from "../processes/makers.js";
import { type Action, alwaysWritesMarks, type CasePlan, type PlannedRegister } from "./case-plan.js";
import { type CampaignOrder, itemName, labelOf } from "./orders.js";

/** `documents`: the content of the fiscal memories, by the plan's registers. Null: the outcome must be known. */
export function whyUndecidable(
  plan: CasePlan,
  order: CampaignOrder,
  documents: readonly (readonly HeldDocument[])[],
): string | null {
  const happened = (fits: (action: Action) => boolean) => plan.steps.some(({ action }) => fits(action));
  const couldNotBeRead = (effect: "documents-unreadable" | "error") =>
    plan.registers.some((_, index) => {
      const held = documents[index] ?? [];
      const isMet = (action: Action) =>
        action.do === "fault" && action.register === index && action.faults.some((fault) => fault.effect === effect);
      return (
        mayBePrintedOn(plan, order, index) &&
        happened(isMet) &&
        held.some((document) => mayBeTakenFor(plan, order, document, held))
      );
    });
  // Emulated registers store the lines: only a document for the same goods can be taken for the order's.
  const own = documents.flat().filter((document) => isReceiptOf(document, order));
  if (couldNotBeRead("documents-unreadable")) return "a document that could be its own could not be read";
  if (couldNotBeRead("error")) return "the register refused to show a document that could be its own";
  if (happened((action) => action.do === "swap-drive" && mayBePrintedOn(plan, order, action.register))) {
    return "the drive was swapped while it was in doubt";
  }
  const isSoldBeside = (index: number) =>
    plan.shared !== null || happened((action) => action.do === "foreign-receipt" && action.register === index);
  const isUnmarked = (document: HeldDocument) => isReceiptOf(document, order) && document.orderMark === null;
  if (documents.some((held, index) => held.some(isUnmarked) && isSoldBeside(index))) {
    return "without marks an equal receipt proves nothing while another program sells on the same drive";
  }
  if (hasTwin(plan, order)) return "a foreign receipt is equal in all that this register keeps";
  if (own.length === 0 && happened((action) => mayBeClaimed(plan, order, action))) {
    return "the print service says that it has made it: a foreign receipt, which came while it stood";
  }
  if (happened((action) => action.do === "kill" && action.database === "deleted") && isDisturbed(plan)) {
    return "the proof that this model's documents are read rightly was deleted with the database";
  }
  return isForgotten(plan, order) ? whyForgotten(plan, order, documents) : null;
}

/**
 * After a lost database only the order's own mark proves that it was printed. Any document without a mark may be its
 * receipt by direction and total, until a person accepts the register. Nobody does so in the campaign, so more orders
 * stay unsure than a comparison of the lines would leave.
 */
function whyForgotten(
  plan: CasePlan,
  order: CampaignOrder,
  documents: readonly (readonly HeldDocument[])[],
): string | null {
  const { changed } = plan.orders.find((planned) => planned.order.key === order.key) ?? { changed: null };
  const totals = [order, ...(changed === null ? [] : [changed])].map(({ totalKopecks }) => totalKopecks);
  const held = documents.flatMap((ofRegister, index) => (mayBePrintedOn(plan, order, index) ? ofRegister : []));
  const possible = held.filter(({ type, operation, totalKopecks }) => {
    const isOfTotal = totals.some((total) => Math.abs((totalKopecks ?? total) - total) <= ROUNDED_OFF);
    return type === "receipt" && operation === order.operation && isOfTotal;
  });
  if (possible.some(({ orderMark }) => orderMark === null)) {
    return "a receipt without a mark has its direction and its total, and only a mark would prove whose it is";
  }
  const isUnderItsNumber = ({ orderMark }: HeldDocument) => orderMark?.startsWith(`${order.orderId} `) === true;
  if (possible.some((document) => isUnderItsNumber(document) && isOfAnotherDaemon(plan, order, document))) {
    return "another shop's receipt has the order id and the total, and its issuer is not known here";
  }
  if (changed !== null && held.some((document) => isReceiptOf(document, order))) {
    return "the order was printed in the lost time, with other content";
  }
  return null;
}

/** A receipt's total may be rounded down by less than a rouble. */
const ROUNDED_OFF = 100;

/** A service that was stopped decides by the number of the last document alone. */
function mayBeClaimed({ registers, steps }: CasePlan, order: CampaignOrder, action: Action): boolean {
  if (action.do !== "foreign-receipt" || action.receipt.totalKopecks !== order.totalKopecks) return false;
  const wasStopped = steps.some((step) => step.action.do === "fault" && step.action.register === action.register);
  return wasStopped && registers[action.register]?.row.ofService !== undefined;
}

export type HeldDocument = Pick<EmulatedDocument, "fd" | "type" | "items" | "orderMark" | "operation" | "totalKopecks">;

function isReceiptOf(document: HeldDocument, { label }: CampaignOrder): boolean {
  return document.type === "receipt" && labelOf(document) === label;
}

/** True for the named register and the others of its group; for every register when the order names none. */
function mayBePrintedOn({ registers }: CasePlan, { kkm }: CampaignOrder, index: number): boolean {
  const named = registers.find(({ number }) => kkmOf(number) === kkm);
  const register = registers[index];
  if (named === undefined || register === undefined) return true;
  return named === register || (named.group !== null && named.group === register.group);
}

/**
 * A document that cannot be read at all, not even its sum, may be this order's if it was made after the shift's first
 * receipt, which precedes all orders. It cannot be this order's if it surely belongs to another order.
 */
function mayBeTakenFor(
  plan: CasePlan,
  own: CampaignOrder,
  document: HeldDocument,
  besides: readonly HeldDocument[],
): boolean {
  const warmUp = besides.findLast((other) => other.type === "receipt" && labelOf(other)?.startsWith("warm") === true);
  if (warmUp !== undefined && document.fd <= warmUp.fd) return false;
  const isOfOther = plan.orders.some(({ order, site }) => {
    return (
      order.key !== own.key && isReceiptOf(document, order) && (plan.shared === null || site === siteOf(plan, own))
    );
  });
  const isOfStory = plan.stories.some(({ requests }) =>
    requests.some(({ order }) => order.label !== own.label && isReceiptOf(document, order)),
  );
  return !(isOfOther || isOfStory) || isDisturbed(plan);
}

/** Two daemons share the register: the other one printed the document, perhaps for the same goods. */
function isOfAnotherDaemon({ shared, orders }: CasePlan, own: CampaignOrder, document: HeldDocument): boolean {
  const site = siteOf({ orders }, own);
  return shared !== null && orders.some((planned) => isReceiptOf(document, planned.order) && planned.site !== site);
}

/** The daemon that polls the order's site has lost its database. */
function isForgotten({ shared, orders, steps }: CasePlan, order: CampaignOrder): boolean {
  const daemon = shared === null ? 0 : siteOf({ orders }, order);
  return steps.some(({ action }) => action.do === "kill" && action.database !== "kept" && action.daemon === daemon);
}

function siteOf({ orders }: Pick<CasePlan, "orders">, { key }: CampaignOrder): number | undefined {
  return orders.find(({ order }) => order.key === key)?.site;
}

/** True: another trouble, beside a lost database or unreadable documents, can leave an outcome unknown. */
function isDisturbed({ steps }: CasePlan): boolean {
  const others: readonly Action["do"][] = ["kill", "power-cut", "freeze", "fill-disk"];
  const troublesIn = (action: Action) =>
    action.do === "fault" ? action.faults.length : Number(others.includes(action.do));
  return steps.reduce((sum, { action }) => sum + troublesIn(action), 0) > 1;
}

/** A cash job leaves no document: only the drawer shows it, and only while nobody else uses the register. */
export function whyCashUndecidable(plan: CasePlan): string | null {
  const others: readonly Action["do"][] = ["foreign-receipt", "a-day-passes", "close-shift-by-hand", "swap-drive"];
  if (plan.shared !== null) return "another daemon moves the drawer too";
  if (losesDatabase(plan)) return "no document shows cash that was moved before the database was lost";
  const disturbed = plan.steps.some(({ action }) => others.includes(action.do));
  return disturbed || refuses(plan) ? "the drawer was moved by others, or its count began again with a shift" : null;
}

/** The registers were set to answer with errors of the maker's own: a job may correctly be `failed`. */
export function refuses(plan: CasePlan): boolean {
  return plan.steps.some(
    ({ action }) => action.do === "fault" && action.faults.some(({ effect }) => effect === "error"),
  );
}

export function losesDatabase(plan: CasePlan): boolean {
  return plan.steps.some(({ action }) => action.do === "kill" && action.database !== "kept");
}

/** Nothing on the old content's receipt names the order, so the new content seems to be another order. */
export function mayForgetContent(plan: CasePlan): boolean {
  return losesDatabase(plan) && !plan.registers.every((register) => alwaysWritesMarks(plan, register));
}

/**
 * The only line of the foreign receipt is also the order's, and nothing shows that the receipt is foreign: where
 * receipts stay open, a person may have closed the order's receipt by hand, without the mark that is sent last.
 */
export function hasTwin(plan: CasePlan, order: CampaignOrder): boolean {
  return hasTwinOn(plan, order, (register) => {
    return !alwaysWritesMarks(plan, register) || register.row.ofService === undefined;
  });
}

/** The foreign receipt may even be taken for the order's own, which would have no mark either. */
export function mayTakeTwin(plan: CasePlan, order: CampaignOrder): boolean {
  return hasTwinOn(plan, order, (register) => !alwaysWritesMarks(plan, register));
}

function hasTwinOn(
  { steps, registers }: CasePlan,
  order: CampaignOrder,
  isOn: (register: PlannedRegister) => boolean,
): boolean {
  return steps.some(({ action }) => {
    if (action.do !== "foreign-receipt" || action.receipt.name !== itemName(order.label, 0)) return false;
    const register = registers[action.register];
    return register !== undefined && isOn(register);
  });
}
