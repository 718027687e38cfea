/** Whether an account balances, and its statement: what is wrong with it in words, and what the shop can do; pure. */
import { formatRoubles, type Kopecks, kopecks, sumKopecks } from "@fiscald/shared/amounts.js";
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
  /** The order (`keyText`) whose money has no receipt: its frReceiptStatusId says so. Null: all is printed, and some of it twice. */
  readonly unprinted: string | null;
}

/** All that is wrong. `unmade`: what the plan could make no receipt of. */
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

/** What was collected covers what is sold, else nothing prints. */
function unpaid({ sale, entries }: Account): readonly Finding[] {
  if (sale.goods.length === 0 || !isCollectedInPart(sale) || currentOf(entries, "sale") !== null) return [];
  const [collected, cost] = [formatRoubles(collectedSum(sale)), formatRoubles(costToCollect(sale))];
  const text = `It is delivered, and the payments of ${collected} do not cover the ${cost} that are to be paid: no receipt is printed. Add the missing payment, or change the order.`;
  return [{ code: "receipt.payments-mismatch", text, unprinted: keyText(sale) }];
}

/** One sale, one prepayment, one return of each refund order. */
function doubles({ sale, entries }: Account): readonly Finding[] {
  const found: Finding[] = [];
  const out = entries.filter(isOut);
  for (const [kind, word] of [
    ["sale", "A sale"],
    ["prepayment", "A prepayment"],
  ] as const) {
    const count = out.filter((one) => one.kind === kind).length;
    if (count > 1) found.push(double(`${word} receipt of order ${sale.orderId} is printed twice, or may be`));
  }
  const refundIds = new Set(out.flatMap(({ refundId }) => refundId ?? []));
  for (const refundId of refundIds) {
    const count = out.filter((one) => one.kind === "return" && one.refundId === refundId).length;
    if (count > 1) found.push(double(`A return receipt of refund order ${refundId} is printed twice, or may be`));
  }
  return found;
}

function double(what: string): Finding {
  return { code: UNBALANCED, text: `${what}: put one of them right at its register.`, unprinted: null };
}

/** Returns never exceed their basis, in sum and for each tax rate; what is used and returned of a prepayment never exceeds it. */
function excesses({ entries }: Account): readonly Finding[] {
  return (["prepayment", "sale"] as const).flatMap((kind) => {
    const basis = currentOf(entries, kind);
    const back = returnsOf(entries, kind);
    if (kind === "sale" && back.length === 0) return [];
    const returned = sumKopecks(back.map(({ total }) => total));
    if (basis === null) {
      if (returned === 0 || kind === "prepayment") return [];
      return [
        odd(
          `${formatRoubles(returned)} are given back, and no receipt of a sale is known: add the sale, or put the return right at its register.`,
        ),
      ];
    }
    const left = leftOf(entries, basis);
    if (left.total < 0) {
      const used = kind === "prepayment" ? usedOf(entries) : kopecks(0);
      const sums = `${formatRoubles(basis.total)}, used ${formatRoubles(used)}, returned ${formatRoubles(returned)}`;
      const excess = formatRoubles(kopecks(-left.total));
      return [
        odd(
          `The ${kind} of ${sums} is exceeded by ${excess}: nothing more is given back. Put what is too much right at its register.`,
        ),
      ];
    }
    if (left.beyondRates === 0) return [];
    return [
      odd(
        `The returns of the ${kind} are ${formatRoubles(left.beyondRates)} more in one tax rate than it: nothing more is given back. Put one of them right at its register.`,
      ),
    ];
  });
}

function odd(text: string): Finding {
  return { code: UNBALANCED, text, unprinted: null };
}

/** What a courier's document does not say. */
function ofCourier({ entries }: Account): readonly Finding[] {
  const found: Finding[] = [];
  if (entries.some(isUnnamed)) {
    found.push(
      odd(
        "The courier's register has printed a return that no refund order names: nothing more is given back until one does. Make the refund order.",
      ),
    );
  }
  const assumed = entries.find((one) => one.kind === "sale" && one.isAssumed && isLive(one));
  const ours = entries.some((one) => one.kind === "return" && one.by === "shop" && isLive(one));
  if (assumed !== undefined && ours) {
    found.push(
      odd(
        "The courier's register has printed the sale, whose lines are assumed to be the order's: compare the returns with its document.",
      ),
    );
  }
  const shares = returnsOf(entries, "prepayment").filter((one) => one.by === "courier" && one.refundId !== null);
  if (shares.length > 0) {
    found.push(
      odd(
        "The courier's register has given back a part of the prepayment, whose sum is assumed to be the refund order's: compare it with its document.",
      ),
    );
  }
  return found;
}

/** A registered receipt that the order contradicts: it was printed late, or its order was delivered again. */
function otherwise({ sale, refunds, entries }: Account): readonly Finding[] {
  const found: Finding[] = [];
  const say = (order: StoredOrder, total: Kopecks) =>
    odd(
      `The receipt of ${formatRoubles(total)} that is printed of order ${order.orderId} says otherwise than the order does: change the order to it, or put it right at its register.`,
    );
  const sold = currentOf(entries, "sale");
  const isUnpaid = sold?.by === "shop" && !isPaidFor(sale);
  if (sold !== null && isRegistered(sold) && (isUnpaid || sold.total !== goodsSum(sale)))
    found.push(say(sale, sold.total));
  const prepaid = currentOf(entries, "prepayment");
  if (prepaid !== null && isRegistered(prepaid) && (prepaid.total !== prepaidSum(sale) || sale.statusId === 0)) {
    found.push(say(sale, prepaid.total));
  }
  for (const { order } of refunds) {
    const back = entries.find((one) => one.refundId === order.orderId && isRegistered(one) && one.by === "shop");
    if (back === undefined) continue;
    const isOther = basisOf(entries, back) === "sale" && back.total !== goodsSum(order);
    if (isOther || order.statusId === 0) {
      found.push(say(order, back.total));
    }
  }
  const whole = returnsOf(entries, "sale").find((one) => one.refundId === null && !isUnnamed(one));
  if (isDelivered(sale) && sold !== null && whole !== undefined && isRegistered(whole)) {
    found.push(
      odd(
        `Order ${sale.orderId} is delivered although its sale was given back: nothing more is printed of it. Make a new order.`,
      ),
    );
  }
  return found;
}

/** What is to go back, and no receipt can give back. */
function withoutReturn(account: Account): readonly Finding[] {
  const { sale, refunds, entries } = account;
  const basis = currentOf(entries, "sale");
  if (basis === null || !isRegistered(basis) || entries.some(isUnnamed)) return [];
  const found: Finding[] = [];
  for (const refund of refundsOfSale(account).filter(isPaidRefund)) {
    if (entries.some((one) => one.refundId === refund.orderId && isLive(one))) continue;
    if (refundReturn(account, basis, refund) !== null) continue;
    const left = formatRoubles(kopecks(Math.max(0, leftOf(entries, basis).total)));
    const text = `Refund order ${refund.orderId} of ${formatRoubles(goodsSum(refund))} has no receipt: too little is left of its goods, ${left} of the sale. Put the returns right at the register.`;
    found.push({ code: "receipt.payments-mismatch", text, unprinted: keyText(refund) });
  }
  const left = leftOf(entries, basis).total;
  const isOfRefunds = refunds.length > 0 && !returnsOf(entries, "sale").some(({ refundId }) => refundId === null);
  if (sale.deliveryStatusId === RETURNED && isOfRefunds && left > 0 && !returnsOf(entries, "sale").some(isOpen)) {
    const text = `It has come back as a whole, and refund orders have given back a part of it: no receipt gives back the other ${formatRoubles(kopecks(left))}. Make a refund order for the rest.`;
    found.push({ code: "receipt.payments-mismatch", text, unprinted: keyText(sale) });
  }
  return found;
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

/** By what is registered. */
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
