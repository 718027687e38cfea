/**
 * Builds answers in the online-fiscal-compatible format:
 *
 *   onlineReceipt.sale({ orderId: "A-1042", timestamp: "20.11.2026 14:05:00", contact: "buyer@example.ru" })
 *     .item({ name: "Tea", price: "120.00", quantity: 2, discount: { percent: 10 } })
 *     .payRest("electronic")
 *     .build()
 *
 * `build` runs the daemon's own checks and throws one Fault that names every problem.
 */
import { sumKopecks, toRoublesNumber } from "@fiscald/shared/amounts.js";
import type { WireOnlineItem, WireOnlineReceipt } from "@fiscald/shared/exchange/online-receipt.js";
import { faultOfProblems, problem } from "@fiscald/shared/exchange/order-problem.js";
import { defaultRules, type ReceiptRules } from "@fiscald/shared/receipt/check-receipt.js";
import { fromOnlineReceipt } from "@fiscald/shared/receipt/formats/from-online-receipt.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { type Decimal, type ItemInput, inputTotal, wireDecimal, wireExtensions } from "./item-input.js";
import {
  type PaymentInput,
  type PaymentKind,
  type ReceiptInput,
  typeCloseOf,
  wirePayments,
  wireReceiptHead,
} from "./receipt-input.js";

export interface OnlineReceiptInput extends ReceiptInput {
  /** dd.mm.yyyy HH:MM:SS */
  readonly timestamp: string;
  /** The taxpayer that the register must belong to. */
  readonly inn?: string;
}

export const onlineReceipt = {
  sale: (input: OnlineReceiptInput): OnlineReceiptBuilder => new OnlineReceiptBuilder("sell", input),
  /** By the extension `operation`: other print servers than ours take refunds in the task-table format only. */
  return: (input: OnlineReceiptInput): OnlineReceiptBuilder => new OnlineReceiptBuilder("sell_refund", input),
};

export class OnlineReceiptBuilder {
  readonly #operation: "sell" | "sell_refund";
  readonly #input: OnlineReceiptInput;
  readonly #items: ItemInput[] = [];
  readonly #payments: PaymentInput[] = [];
  #rest: number | null = null;

  constructor(operation: "sell" | "sell_refund", input: OnlineReceiptInput) {
    this.#operation = operation;
    this.#input = input;
  }

  item(input: ItemInput): this {
    this.#items.push(input);
    return this;
  }

  payment(kind: PaymentKind, sum: Decimal): this {
    this.#payments.push({ typeClose: typeCloseOf(kind), sum });
    return this;
  }

  /** Pays the rest of the total by this kind. */
  payRest(kind: PaymentKind): this {
    this.#rest = typeCloseOf(kind);
    return this;
  }

  /** The answer's body. Throws a Fault when it would not be printed. */
  build(rules: ReceiptRules = defaultRules): WireOnlineReceipt {
    const body = this.#wire();
    fromOnlineReceipt(body, rules);
    return body;
  }

  /** The receipt as the daemon will read it. Throws as `build` does. */
  receipt(rules: ReceiptRules = defaultRules): Receipt {
    return fromOnlineReceipt(this.#wire(), rules).receipt;
  }

  #wire(): WireOnlineReceipt {
    const { timestamp, orderId, contact = "", inn } = this.#input;
    const isEmail = contact.includes("@");
    const payments = wirePayments({ items: this.#items, payments: this.#payments, rest: this.#rest });
    return {
      timestamp,
      external_id: orderId,
      ...wireReceiptHead(this.#input),
      ...(this.#operation === "sell" ? {} : { operation: this.#operation }),
      ...(inn === undefined ? {} : { service: { inn } }),
      receipt: {
        attributes: { email: isEmail ? contact : "", phone: isEmail ? "" : contact },
        items: this.#items.map(wireItem),
        total: toRoublesNumber(sumKopecks(this.#items.map(inputTotal).filter((total) => typeof total === "number"))),
        payments: payments.map(({ typeClose, sum }) => ({ type: typeClose, sum })),
      },
    };
  }
}

function wireItem(input: ItemInput, position: number): WireOnlineItem {
  const total = inputTotal(input);
  if (typeof total === "string") {
    throw faultOfProblems([problem("receipt.discount", `items[${position}].discount`, total)]);
  }
  return {
    name: input.name,
    price: wireDecimal(input.price, 2),
    quantity: wireDecimal(input.quantity ?? 1, 6),
    // Without a total the price or the quantity makes no sense: the check names it.
    sum: total === null ? 0 : toRoublesNumber(total),
    ...wireExtensions(input),
  };
}
