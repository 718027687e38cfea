/** Collects the positions and payments of a receipt that is being built, in both formats, with sums to the kopeck. */
import {
  formatRoubles,
  type Kopecks,
  kopecks,
  spreadDiscount,
  sumKopecks,
  toRoublesNumber,
} from "@fiscald/shared/amounts.js";
import { type OrderProblem, problem } from "@fiscald/shared/exchange/order-problem.js";
import { builderTexts } from "./builder-texts.js";
import {
  asKopecks,
  type Decimal,
  type DeliveryInput,
  type DiscountInput,
  type ItemInput,
  inputGross,
  inputTotal,
  isFlaw,
  itemFlaws,
  totalAfter,
  unknownOptions,
  wireDecimal,
} from "./item-input.js";
import { type PaymentKind, PREPAYMENT, paymentFlaw, typeCloseOf } from "./receipt-input.js";

/** `prepayment`: money before the goods. `settlement`: the goods, paid by a prepayment. */
export type Purpose = "sale" | "prepayment" | "settlement";

export interface CartItem {
  readonly input: ItemInput;
  readonly place: string;
  /** The sum to be paid after all discounts; null where the price or the quantity makes no sense. */
  readonly total: Kopecks | null;
  /** What all discounts take off, kopecks; null where the line has only its own discount. */
  readonly off: Kopecks | null;
}

export interface CartPayment {
  readonly place: string;
  readonly typeClose: number;
  readonly sum: Decimal;
}

export class Cart {
  readonly items: CartItem[] = [];
  readonly flaws: OrderProblem[] = [];
  readonly #payments: CartPayment[] = [];
  #rest: number | null = null;

  constructor(private readonly purpose: Purpose) {}

  item(given: ItemInput): number {
    const number = this.items.length;
    const place = `items[${number}]`;
    const input: ItemInput =
      this.purpose === "prepayment" ? { ...given, method: given.method ?? "full_prepayment" } : given;
    const flaws = itemFlaws(input, place);
    this.flaws.push(...flaws);
    const total = flaws.length === 0 ? inputTotal(input) : null;
    this.items.push({ input, place, total: typeof total === "number" ? total : null, off: null });
    return number;
  }

  delivery(input: DeliveryInput): number {
    return this.item({ ...input, name: input.name ?? "Доставка", subject: input.subject ?? "service" });
  }

  giftCard(input: DeliveryInput): number {
    return this.item({ ...input, name: input.name ?? "Подарочный сертификат", subject: "payment", method: "advance" });
  }

  /** Takes a discount off all positions so far, in proportion to their sums. */
  discount(discount: DiscountInput): void {
    this.flaws.push(...unknownOptions(discount, ["roubles", "percent"], "discount"));
    if (this.items.length === 0) this.flaws.push(problem("receipt.discount", "discount", builderTexts.noPositionYet));
    const totals = this.items.flatMap(({ total }) => (total === null ? [] : [total]));
    if (this.flaws.length > 0 || totals.length < this.items.length) return;
    const sum = sumKopecks(totals);
    const rest = totalAfter(sum, discount);
    if (isFlaw(rest) || rest > sum) {
      const flaw = isFlaw(rest)
        ? { en: rest.en.replace("the line", "the positions"), ru: rest.ru.replace("строки", "позиций") }
        : builderTexts.negative;
      this.flaws.push(problem("receipt.discount", "discount", flaw));
      return;
    }
    const shares = spreadDiscount(totals, kopecks(sum - rest));
    for (const [number, share] of shares.entries()) this.#takeOff(number, share);
  }

  #takeOff(number: number, share: Kopecks): void {
    const item = this.items[number];
    const gross = item === undefined ? null : inputGross(item.input);
    if (item === undefined || item.total === null || gross === null || share === 0) return;
    const total = kopecks(item.total - share);
    this.items[number] = { ...item, total, off: kopecks(gross - total) };
  }

  payment(kind: PaymentKind, sum: Decimal): void {
    const place = `payments[${this.#payments.length}]`;
    this.#refuseKind(kind, `${place}.kind`);
    const paid = asKopecks(sum);
    if (paid !== null && paid <= 0) {
      this.flaws.push(problem("order.wrong-value", `${place}.sum`, builderTexts.notAboveZero(formatRoubles(paid))));
    }
    this.#payments.push({ place, typeClose: typeCloseOf(kind), sum });
  }

  payRest(kind: PaymentKind): void {
    this.#refuseKind(kind, "payRest");
    if (this.#rest !== null) this.flaws.push(problem("order.wrong-value", "payRest", builderTexts.saidAlready));
    this.#rest = typeCloseOf(kind);
  }

  #refuseKind(kind: PaymentKind, place: string): void {
    const flaws = paymentFlaw(kind, place);
    this.flaws.push(...flaws);
    if (flaws.length === 0 && this.purpose === "prepayment" && typeCloseOf(kind) === PREPAYMENT) {
      this.flaws.push(problem("order.wrong-value", place, builderTexts.prepaidByMoney));
    }
  }

  /** Sums are JSON numbers. The kind of `payRest` pays what is left of the total. */
  payments(): readonly CartPayment[] {
    const stated = this.#payments.map((payment) => ({ ...payment, sum: wireDecimal(payment.sum, 2) }));
    const rest = this.#rest ?? (this.purpose === "settlement" && stated.length === 0 ? PREPAYMENT : null);
    const left = rest === null ? null : this.#amountLeft();
    if (rest === null || left === null || left <= 0) return stated;
    return [...stated, { place: "payRest", typeClose: rest, sum: toRoublesNumber(left) }];
  }

  /** Null while some sum makes no sense; the check names that sum. */
  #amountLeft(): Kopecks | null {
    let left = 0;
    for (const { total } of this.items) {
      if (total === null) return null;
      left += total;
    }
    for (const { sum } of this.#payments) {
      const paid = asKopecks(sum);
      if (paid === null) return null;
      left -= paid;
    }
    return kopecks(left);
  }
}
