/**
 * Makes the receipt of a return: the printed receipt's positions, rates, methods of payment, marks and agents, and
 * money in the forms in which it was paid (54-fz 9). Pure.
 */
import {
  formatQuantity,
  type Kopecks,
  kopecks,
  type Quantity,
  quantity,
  shareOf,
  spreadDiscount,
  sumKopecks,
} from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { ReceiptId } from "@fiscald/shared/ids.js";
import { netPayments } from "@fiscald/shared/receipt/check-receipt.js";
import { withoutChange } from "@fiscald/shared/receipt/paid-kopecks.js";
import {
  givenFields,
  type ItemLine,
  itemsOf,
  type Payment,
  type SaleReceipt,
} from "@fiscald/shared/receipt/receipt.js";
import { operatorReasons } from "../messages/reasons/operator-reasons.js";

export interface ReturnedLine {
  /** The position's number in the printed receipt, from 1. */
  readonly position: number;
  /** Null = all that is left of the position. */
  readonly quantity: Quantity | null;
}

export interface LineLeft {
  readonly position: number;
  readonly item: ItemLine;
  readonly quantity: Quantity;
  readonly total: Kopecks;
}

export interface ReturnOfReceipt {
  readonly printed: SaleReceipt;
  /** Printed and unfinished returns of the order, if they are later than the printed receipt. */
  readonly returns: readonly SaleReceipt[];
  readonly lines: readonly ReturnedLine[] | null;
  /** Tag 1192 (additional property): the fiscal sign of the document that the return puts right; null = none. */
  readonly fixes: string | null;
  readonly receiptId: ReceiptId | null;
}

/** Throws `job.return-exceeds-sale` when less is left, and `usage.wrong` for a position that the receipt lacks. */
export function receiptOfReturn(wanted: ReturnOfReceipt): SaleReceipt {
  const { printed, returns, fixes, receiptId } = wanted;
  const lines = wantedLines(wanted);
  const total = sumKopecks(lines.map((line) => line.total));
  if (total === 0) throw new Fault("job.return-exceeds-sale", { message: operatorReasons.nothingToReturn });
  const { correction: _, settledOn: _day, requisites = {}, ...same } = printed;
  const { buyer } = requisites;
  const kept = givenFields({ buyer, additional: fixes ?? undefined });
  return {
    ...same,
    ...{ operation: "return", receiptId, lines, payments: paymentsOf(total, printed, returns) },
    ...{ cancelFirst: false, cancelledByOrder: false },
    ...(Object.keys(kept).length === 0 ? {} : { requisites: kept }),
  };
}

export function positionsLeft(printed: SaleReceipt, returns: readonly SaleReceipt[]): readonly LineLeft[] {
  const left = itemsOf(printed).map((item) => ({ item, quantity: item.quantity, total: item.total }));
  for (const returned of returns.flatMap(itemsOf)) {
    const rest = { quantity: returned.quantity, total: returned.total };
    for (const line of left) {
      const taken = Math.min(line.quantity, rest.quantity);
      if (taken === 0 || !isSameGoods(line.item, returned)) continue;
      const sum = shareOf(rest.total, quantity(taken), rest.quantity);
      rest.quantity = quantity(rest.quantity - taken);
      rest.total = kopecks(rest.total - sum);
      line.quantity = quantity(line.quantity - taken);
      line.total = kopecks(line.quantity === 0 ? 0 : Math.max(0, line.total - sum));
    }
  }
  return left.flatMap((line, index) => (line.quantity > 0 ? [{ ...line, position: index + 1 }] : []));
}

function wantedLines({ printed, returns, lines }: ReturnOfReceipt): readonly ItemLine[] {
  const left = positionsLeft(printed, returns);
  const wanted = lines ?? left.map(({ position }) => ({ position, quantity: null }));
  const count = itemsOf(printed).length;
  return wanted.map(({ position, quantity: asked }, index) => {
    const isTwice = wanted.findIndex((other) => other.position === position) !== index;
    if (position < 1 || position > count || isTwice || (asked !== null && asked <= 0)) {
      throw new Fault("usage.wrong", { message: operatorReasons.noPosition({ position, count }), place: "items" });
    }
    const found = left.find((line) => line.position === position);
    const rest = found?.quantity ?? quantity(0);
    const part = asked ?? rest;
    if (found === undefined || part > rest) {
      const message =
        found === undefined
          ? operatorReasons.noneLeft({ position })
          : operatorReasons.lessLeft({ position, left: formatQuantity(rest), wanted: formatQuantity(part) });
      throw new Fault("job.return-exceeds-sale", { message, place: "items" });
    }
    return partOf(found, part);
  });
}

function partOf({ item, quantity: rest, total }: LineLeft, part: Quantity): ItemLine {
  const { requisites } = item;
  const excise = requisites?.excise;
  return {
    ...item,
    quantity: part,
    total: shareOf(total, part, rest),
    ...(excise === undefined ? {} : { requisites: { ...requisites, excise: shareOf(excise, part, item.quantity) } }),
  };
}

/** Divides the sum among the forms of payment of the printed receipt, in proportion to what is left of each. */
function paymentsOf(total: Kopecks, printed: SaleReceipt, returns: readonly SaleReceipt[]): readonly Payment[] {
  const paid = withoutChange(printed);
  const back = returns.flatMap(withoutChange);
  const left = paid.map(({ typeClose, sum }) => {
    const gone = sumKopecks(back.filter((other) => other.typeClose === typeClose).map((other) => other.sum));
    return { typeClose, sum: kopecks(Math.max(0, sum - gone)) };
  });
  // Other returns of the order may have given money back in another form than it was paid in.
  const basis = sumKopecks(left.map(({ sum }) => sum)) < total ? paid : left;
  const shares = spreadDiscount(
    basis.map(({ sum }) => sum),
    total,
  );
  return netPayments(basis.map(({ typeClose }, index) => ({ typeClose, sum: shares[index] ?? kopecks(0) })));
}

function isSameGoods(one: ItemLine, other: ItemLine): boolean {
  const isSameMark = one.markingCode === null || other.markingCode === null || one.markingCode === other.markingCode;
  return isSameMark && one.method === other.method && bareName(one) === bareName(other);
}

/** The name in the form in which the order key compares names. */
function bareName({ name }: ItemLine): string {
  return name.normalize("NFC").trim();
}
