/** Makes the correction of a settlement out of the receipt that its order asked for. Pure. */
import { kopecks, sumKopecks } from "@fiscald/shared/amounts.js";
import type { OrderId } from "@fiscald/shared/ids.js";
import { type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";

const CASH = 0;

export interface CorrectedSettlement {
  /** The day of the settlement as `2026-07-14`. */
  readonly date: string;
  /** The order whose settlement it is. */
  readonly orderId: OrderId;
}

/**
 * The same positions, rates and payments as a correction by the shop's own decision. It counts as the order's sale, or
 * return. Change is left out: it was given on the day of the settlement.
 */
export function asCorrection(receipt: SaleReceipt, { date, orderId }: CorrectedSettlement): SaleReceipt {
  const cashless = receipt.payments.filter(({ typeClose }) => typeClose !== CASH);
  const cash = kopecks(totalOf(receipt) - sumKopecks(cashless.map(({ sum }) => sum)));
  return {
    ...receipt,
    orderId,
    payments: cash === 0 ? cashless : [{ typeClose: CASH, sum: cash }, ...cashless],
    correction: { type: "self", date, ofOrder: true },
  };
}
