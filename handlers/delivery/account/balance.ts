/** Whether an account balances, and its statement: what is wrong with it in words, and what the shop can do; pure. */
import { formatRoubles, kopecks, sumKopecks } from "@fiscald/shared/amounts.js";
import { formatWireTime, toWireId, toWireIdOrNull } from "../http/wire-types.js";
import { keyText } from "../orders/rows.js";
import type { StoredOrder } from "../orders/stored-order.js";
import {
  type Account,
  type AccountEntry,
  basisOf,
  currentOf,
  isLive,
  isOpen,
  isOut,
  isRegistered,
  isUnnamed,
  leftOf,
  returnsOf,
  usedOf,
} from "./entries.js";
import { isPaidRefund, type Plan, refundReturn, refundsOfSale } from "./plan.js";
import {
  collectedSum,
  costToCollect,
  goodsSum,
  isCollectedInPart,
  isDelivered,
  isPaidFor,
  prepaidSum,
  RETURNED,
} from "./receipt-policy.js";

/** The code of the alert in the shop's register log. */
export const UNBALANCED = "account.unbalanced";

export interface Finding {
  readonly code: string;
  readonly text: string;
  /** The order (`keyText`) that lacks a receipt: its frReceiptStatusId becomes 2. Null where no receipt is missing. */
  readonly unprinted: string | null;
}

/** All that is wrong with the account. `unmade`: receipts that the plan could not make. */
export function findingsOf(account: Account, unmade: Plan["unmade"]): readonly Finding[] {
  return [
    ...unmade.map(({ wanted: { order }, fault }) => ({
      code: fault.code,
      text: `No receipt can be made of order ${order.orderId}: ${fault.message}`,
      unprinted: keyText(order),
    })),
    ...unpaid(account),
    ...doubles(account),
    ...excesses(account),
    ...ofCourier(account),
    ...otherwise(account),
    ...withoutReturn(account),
  ];
}

/** The order is delivered, but the payments do not cover it: no receipt is printed. */
function unpaid({ sale, entries }: Account): readonly Finding[] {
  if (sale.goods.length === 0 || !isCollectedInPart(sale) || currentOf(entries, "sale") !== null) return [];
  const [collected, cost] = [formatRoubles(collectedSum(sale)), formatRoubles(costToCollect(sale))];
  const text = `It is delivered, and the payments of ${collected} do not cover the ${cost} that are to be paid: no receipt is printed. Add the missing payment, or change the order.`;
  return [missing(sale, text)];
}

/** Finds receipts that are printed twice: there is one sale, one prepayment, one return per refund order. */
function doubles({ sale, entries }: Account): readonly Finding[] {
  const receipts = entries.filter(isOut).flatMap(({ kind, refundId }) => {
    if (kind !== "return") return [`A ${kind} receipt of order ${sale.orderId}`];
    return refundId === null ? [] : [`A return receipt of refund order ${refundId}`];
  });
  const twice = receipts.filter((one, index) => receipts.indexOf(one) !== index);
  return [...new Set(twice)].map((receipt) =>
    odd(`${receipt} is printed twice, or may be: put one of them right at its register.`),
  );
}

/** A finding that does not mean a missing receipt. */
function odd(text: string): Finding {
  return { code: UNBALANCED, text, unprinted: null };
}

/** Returns never exceed their basis, in sum and for each tax rate; what is used and returned of a prepayment never exceeds it. */
function excesses({ entries }: Account): readonly Finding[] {
  return (["prepayment", "sale"] as const).flatMap((kind) => {
    const basis = currentOf(entries, kind);
    const returned = sumKopecks(returnsOf(entries, kind).map(({ total }) => total));
    const back = formatRoubles(returned);
    if (basis === null) {
      if (returned === 0 || kind === "prepayment") return [];
      const what = `${back} are given back, and no receipt of a sale is known`;
      return [odd(`${what}: add the sale, or put the return right at its register.`)];
    }
    const left = leftOf(entries, basis);
    if (left.total < 0) {
      const used = formatRoubles(kind === "prepayment" ? usedOf(entries) : kopecks(0));
      const what = `The ${kind} of ${formatRoubles(basis.total)}, used ${used}, returned ${back} is exceeded by`;
      const excess = formatRoubles(kopecks(-left.total));
      return [odd(`${what} ${excess}: nothing more is given back. Put what is too much right at its register.`)];
    }
    if (left.beyondRates === 0) return [];
    const what = `The returns of the ${kind} are ${formatRoubles(left.beyondRates)} more in one tax rate than it`;
    return [odd(`${what}: nothing more is given back. Put one of them right at its register.`)];
  });
}

/** Findings about contents of the courier's documents that are only assumed. */
function ofCourier({ entries }: Account): readonly Finding[] {
  const live = entries.filter(isLive);
  const isSaleAssumed = live.some(({ kind, isAssumed }) => kind === "sale" && isAssumed);
  const isReturnedByUs = live.some(({ kind, by }) => kind === "return" && by === "shop");
  const isShare = returnsOf(entries, "prepayment").some(({ by, refundId }) => by === "courier" && refundId !== null);
  const found = [
    entries.some(isUnnamed) &&
      "The courier's register has printed a return that no refund order names: nothing more is given back until one does. Make the refund order.",
    isSaleAssumed &&
      isReturnedByUs &&
      "The courier's register has printed the sale, whose lines are assumed to be the order's: compare the returns with its document.",
    isShare &&
      "The courier's register has given back a part of the prepayment, whose sum is assumed to be the refund order's: compare it with its document.",
  ];
  return found.flatMap((text) => (text === false ? [] : [odd(text)]));
}

/** Registered receipts that the order contradicts: a receipt was printed late, or the order was delivered again. */
function otherwise({ sale, refunds, entries }: Account): readonly Finding[] {
  const contradicted = ({ orderId }: StoredOrder, { total }: AccountEntry) =>
    odd(
      `The receipt of ${formatRoubles(total)} that is printed of order ${orderId} says otherwise than the order does: change the order to it, or put it right at its register.`,
    );
  const found: Finding[] = [];
  const sold = currentOf(entries, "sale");
  const isUnpaid = sold?.by === "shop" && !isPaidFor(sale);
  if (sold !== null && isRegistered(sold) && (isUnpaid || sold.total !== goodsSum(sale))) {
    found.push(contradicted(sale, sold));
  }
  const prepaid = currentOf(entries, "prepayment");
  if (prepaid !== null && isRegistered(prepaid) && (prepaid.total !== prepaidSum(sale) || sale.statusId === 0)) {
    found.push(contradicted(sale, prepaid));
  }
  for (const { order } of refunds) {
    const back = entries.find((one) => one.refundId === order.orderId && isRegistered(one) && one.by === "shop");
    if (back === undefined) continue;
    const isOther = basisOf(entries, back) === "sale" && back.total !== goodsSum(order);
    if (isOther || order.statusId === 0) found.push(contradicted(order, back));
  }
  const whole = returnsOf(entries, "sale").find((one) => one.refundId === null && !isUnnamed(one));
  if (isDelivered(sale) && sold !== null && whole !== undefined && isRegistered(whole)) {
    const what = `Order ${sale.orderId} is delivered although its sale was given back`;
    found.push(odd(`${what}: nothing more is printed of it. Make a new order.`));
  }
  return found;
}

/** Money that has to go back, and for which no return can be made. */
function withoutReturn(account: Account): readonly Finding[] {
  const { sale, refunds, entries } = account;
  const basis = currentOf(entries, "sale");
  if (basis === null || !isRegistered(basis) || entries.some(isUnnamed)) return [];
  const left = kopecks(Math.max(0, leftOf(entries, basis).total));
  const found = refundsOfSale(account).flatMap((refund) => {
    const isGivenBack = entries.some((one) => one.refundId === refund.orderId && isLive(one));
    if (!isPaidRefund(refund) || isGivenBack || refundReturn(account, basis, refund) !== null) return [];
    const what = `Refund order ${refund.orderId} of ${formatRoubles(goodsSum(refund))} has no receipt`;
    return [
      missing(
        refund,
        `${what}: too little is left of its goods, ${formatRoubles(left)} of the sale. Put the returns right at the register.`,
      ),
    ];
  });
  const returns = returnsOf(entries, "sale");
  const isOfRefunds = refunds.length > 0 && !returns.some(({ refundId }) => refundId === null);
  if (sale.deliveryStatusId !== RETURNED || !isOfRefunds || left === 0 || returns.some(isOpen)) return found;
  const what = "It has come back as a whole, and refund orders have given back a part of it";
  const rest = `no receipt gives back the other ${formatRoubles(left)}. Make a refund order for the rest.`;
  return [...found, missing(sale, `${what}: ${rest}`)];
}

/** The order lacks a receipt. */
function missing(order: StoredOrder, text: string): Finding {
  return { code: "receipt.payments-mismatch", text, unprinted: keyText(order) };
}

/** `Order 1042 does not balance: prepaid 500.00, ... Documents: FD 12 of drive 9999.` with all that is wrong. */
export function alertText(account: Account, findings: readonly Finding[]): string {
  const { saleId } = account;
  const { prepaid, used, sold, returned } = sumsOf(account);
  const documents = account.entries.filter(isRegistered).map(documentOf).join(", ");
  const sums = `prepaid ${prepaid}, used ${used}, sold ${sold}, returned ${returned}`;
  return `Order ${saleId} does not balance: ${sums}. Documents: ${documents || "none"}. ${findings.map(({ text }) => text).join(" ")}`;
}

function documentOf({ fn, fd }: AccountEntry): string {
  return fd === null ? "FD without number" : `FD ${fd} of drive ${fn}`;
}

/** Of registered entries only. */
function sumsOf({ entries }: Account) {
  const registered = entries.filter(isRegistered);
  const sumOf = (kind: AccountEntry["kind"]) =>
    formatRoubles(sumKopecks(registered.filter((one) => one.kind === kind).map(({ total }) => total)));
  const used = formatRoubles(usedOf(registered));
  return { prepaid: sumOf("prepayment"), used, sold: sumOf("sale"), returned: sumOf("return") };
}

export type Statement = ReturnType<typeof statementOf>;

/** The account as the shop reads it. */
export function statementOf(account: Account) {
  const { saleId, alert, entries } = account;
  return {
    orderId: toWireId(saleId),
    isBalanced: alert === null,
    findings: alert?.split("\n") ?? [],
    ...sumsOf(account),
    entries: entries.map((entry) => ({
      number: entry.seq,
      kind: entry.kind,
      basisNumber: entry.basisSeq,
      refundOrderId: toWireIdOrNull(entry.refundId),
      issuedBy: entry.by,
      state: entry.state,
      total: formatRoubles(entry.total),
      isAssumed: entry.isAssumed,
      fn: entry.fn,
      fdNumber: entry.fd,
      createdAt: formatWireTime(entry.createdAt),
    })),
  };
}

/** The statement as lines for a terminal. */
export function statementLines({ entries, findings, isBalanced, orderId, ...sums }: Statement): readonly string[] {
  const shown = Object.entries(sums).map(([name, sum]) => `${name} ${sum}`);
  return [
    `order ${orderId} ${isBalanced ? "balances" : "does not balance"}: ${shown.join(", ")}`,
    ...entries.map(({ number, kind, basisNumber, refundOrderId, issuedBy, state, total, isAssumed, fn, fdNumber }) => {
      const of = basisNumber === null ? kind : `${kind} of ${basisNumber}`;
      const order = refundOrderId === null ? "" : ` by refund order ${refundOrderId}`;
      const document = fdNumber === null ? "no document" : `FD ${fdNumber} of drive ${fn}`;
      return `${number}\t${of}${order}\t${total}${isAssumed ? " (assumed)" : ""}\t${state}, ${issuedBy}\t${document}`;
    }),
    ...findings,
  ];
}
