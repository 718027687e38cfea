/** Removes one rule of repeated orders at a time: the daemon decides without it, and the campaign must notice. */
import { decideRepeat } from "@fiscald/shared/receipt/repeats/decide-repeat.js";
import type { EarlierReceipt, Offer } from "@fiscald/shared/receipt/repeats/repeat-decision.js";

export type Rule = "content" | "told" | "returned-whole" | "sold" | "receipt-id" | "unseen";

export function decideWithout(rule: Rule): typeof decideRepeat {
  return (offer, earlier) => decideRepeat(offerWithout(rule, offer, earlier), earlierWithout(rule, offer, earlier));
}

function offerWithout(rule: Rule, offer: Offer, [newest]: readonly EarlierReceipt[]): Offer {
  if (rule === "content" && newest !== undefined) return { ...offer, receipt: newest.receipt };
  return rule === "sold" ? { ...offer, lifted: { printAnyway: false, beyondSold: true } } : offer;
}

function earlierWithout<E extends EarlierReceipt>(rule: Rule, { receipt }: Offer, earlier: readonly E[]): readonly E[] {
  switch (rule) {
    case "told":
      return earlier.map((other) => ({ ...other, told: "no" }));
    case "returned-whole":
      return earlier.filter((other) => !(isOf(receipt, "sale") && isOf(other.receipt, "return")));
    case "receipt-id":
      return earlier.map((other) => {
        const isNamed = receipt.receiptId !== null && other.receipt.receiptId === receipt.receiptId;
        return isNamed ? { ...other, receipt } : other;
      });
    case "unseen":
      return earlier.filter((other) => other.receipt.orderId === receipt.orderId);
    case "content":
    case "sold":
      return earlier;
  }
}

function isOf(receipt: Offer["receipt"], operation: "sale" | "return"): boolean {
  return receipt.kind === "receipt" && receipt.operation === operation;
}
