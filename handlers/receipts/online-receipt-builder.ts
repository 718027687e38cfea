/**
 * Builds answers in the online-fiscal-compatible format:
 *
 *   onlineReceipt.sale({ orderId: "A-1042", contact: "buyer@example.ru" })
 *     .item({ name: "Tea", price: "120.00", quantity: 2, tax: "22 %", discount: { percent: 10 } })
 *     .payRest("electronic")
 *     .build()
 *
 * `build` runs the daemon's own checks and throws one Fault that names every problem.
 */
import { sumKopecks, toRoublesNumber } from "@fiscald/shared/amounts.js";
import type { WireOnlineItem, WireOnlineReceipt } from "@fiscald/shared/exchange/online-receipt.js";
import { throwIfAny } from "@fiscald/shared/exchange/order-problem.js";
import { formatWireTime, localTimeAt } from "@fiscald/shared/local-time.js";
import { defaultRules, type ReceiptRules } from "@fiscald/shared/receipt/check-receipt.js";
import { fromOnlineReceipt } from "@fiscald/shared/receipt/formats/from-online-receipt.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { inBuilderWords } from "./builder-words.js";
import { Cart, type CartItem, type Purpose } from "./cart.js";
import {
  type Decimal,
  type DeliveryInput,
  type DiscountInput,
  type ItemInput,
  wireDecimal,
  wireExtensions,
} from "./item-input.js";
import {
  type CorrectionInput,
  correctionFlaws,
  correctionOptions,
  inputReceiptHead,
  type PaymentKind,
  type ReceiptInput,
  receiptFlaws,
  today,
  wireCorrection,
} from "./receipt-input.js";

export interface OnlineReceiptInput extends ReceiptInput {
  /** dd.mm.yyyy HH:MM:SS; default: now in this machine's zone. */
  readonly timestamp?: string;
}

/** Builders of the online format. */
export const onlineReceipt = {
  sale: (input: OnlineReceiptInput): OnlineReceiptBuilder => new OnlineReceiptBuilder("sell", "sale", input),
  /** A receipt for money before the goods. Its positions have the method "full_prepayment". */
  prepayment: (input: OnlineReceiptInput): OnlineReceiptBuilder =>
    new OnlineReceiptBuilder("sell", "prepayment", input),
  /** A receipt for the goods after a prepayment, which pays for them unless payments say otherwise. */
  settlement: (input: OnlineReceiptInput): OnlineReceiptBuilder =>
    new OnlineReceiptBuilder("sell", "settlement", input),
  /** A refund (extension `operation`). Other print servers take refunds only in the task-table format. */
  return: (input: OnlineReceiptInput): OnlineReceiptBuilder => new OnlineReceiptBuilder("sell_refund", "sale", input),
  /**
   * A correction of one settlement. It is printed where the daemon's site setting `corrections` is "approve", and after
   * a person has approved it. `fixes` names the wrong document, on registers of FFD 1.1 and 1.2 only.
   */
  correction: (input: OnlineReceiptInput & CorrectionInput): OnlineReceiptBuilder =>
    new OnlineReceiptBuilder(
      input.direction === "return" ? "sell_refund_correction" : "sell_correction",
      "sale",
      input,
      input,
    ),
};

type Operation = NonNullable<WireOnlineReceipt["operation"]>;

export class OnlineReceiptBuilder {
  readonly #operation: Operation;
  readonly #input: OnlineReceiptInput;
  readonly #correction: CorrectionInput | null;
  readonly #cart: Cart;

  constructor(
    operation: Operation,
    purpose: Purpose,
    input: OnlineReceiptInput,
    correction: CorrectionInput | null = null,
  ) {
    this.#operation = operation;
    this.#input = input;
    this.#correction = correction;
    this.#cart = new Cart(purpose);
  }

  item(input: ItemInput): this {
    this.#cart.item(input);
    return this;
  }

  /** A free delivery is printed as 0.00. */
  delivery(input: DeliveryInput): this {
    this.#cart.delivery(input);
    return this;
  }

  /** Sells a gift certificate, which is an advance: a payer of VAT needs a rate such as "22/122". */
  giftCard(input: DeliveryInput): this {
    this.#cart.giftCard(input);
    return this;
  }

  /** Takes a discount off all positions so far, spread over them to the kopeck. */
  discount(discount: DiscountInput): this {
    this.#cart.discount(discount);
    return this;
  }

  payment(kind: PaymentKind, sum: Decimal): this {
    this.#cart.payment(kind, sum);
    return this;
  }

  /** Pays the rest of the total by this kind. */
  payRest(kind: PaymentKind): this {
    this.#cart.payRest(kind);
    return this;
  }

  /** Throws a Fault when the receipt would not be printed. */
  build(rules: ReceiptRules = defaultRules): WireOnlineReceipt {
    const body = this.#wire(rules);
    this.#read(body, rules);
    return body;
  }

  /** The receipt as the daemon will read it. Throws as `build` does. */
  receipt(rules: ReceiptRules = defaultRules): Receipt {
    return this.#read(this.#wire(rules), rules);
  }

  #read(body: WireOnlineReceipt, rules: ReceiptRules): Receipt {
    const payments = this.#cart.payments();
    return inBuilderWords(
      () => fromOnlineReceipt(body, { ...rules, corrections: true }, { taxes: [], today: today() }).receipt,
      (list, number) => (list === "payments" ? payments : this.#cart.items)[number]?.place,
    );
  }

  #wire(rules: ReceiptRules): WireOnlineReceipt {
    const correction = this.#correction;
    const options = ["timestamp", ...(correction === null ? [] : correctionOptions)];
    const ofCorrection = correction === null ? [] : correctionFlaws(correction);
    throwIfAny([...receiptFlaws(this.#input, rules, options), ...ofCorrection, ...this.#cart.flaws]);
    const { timestamp = now(), orderId, contact = "", electronicOnly = false } = this.#input;
    const isEmail = contact.includes("@");
    const { items } = this.#cart;
    return {
      timestamp,
      external_id: orderId,
      ...inputReceiptHead(this.#input),
      ...(correction === null ? {} : wireCorrection(correction)),
      ...(this.#operation === "sell" ? {} : { operation: this.#operation }),
      ...(electronicOnly ? { printDoc: false } : {}),
      receipt: {
        attributes: { email: isEmail ? contact : "", phone: isEmail ? "" : contact },
        items: items.map(wireItem),
        total: toRoublesNumber(sumKopecks(items.flatMap(({ total }) => (total === null ? [] : [total])))),
        payments: this.#cart.payments().map(({ typeClose, sum }) => ({ type: typeClose, sum })),
      },
    };
  }
}

function wireItem({ input, total }: CartItem): WireOnlineItem {
  return {
    name: input.name,
    price: wireDecimal(input.price, 2),
    quantity: wireDecimal(input.quantity ?? 1, 6),
    // Where the total is null, the price or the quantity makes no sense, and the check names it.
    sum: total === null ? 0 : toRoublesNumber(total),
    ...wireExtensions(input),
  };
}

function now(): string {
  return formatWireTime(localTimeAt(Date.now(), Intl.DateTimeFormat().resolvedOptions().timeZone));
}
