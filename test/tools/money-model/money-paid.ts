/**
 * Whether the order of the money model is paid, by the rules of the document (54-fz 15) and not by what the API answers;
 * and what its shop and its courier say of the money.
 */

export interface PaidStart {
  readonly statusId: number;
  /** Kopecks. */
  readonly prepaid: number;
}

export class MoneyPaid {
  statusId: number;
  readonly #prepaid: number;
  #collected = 0;
  #cost: number;

  constructor({ statusId, prepaid }: PaidStart, cost: number) {
    this.statusId = statusId;
    this.#prepaid = prepaid;
    this.#cost = cost;
  }

  /** Money that was taken covers what is sold. */
  get isCovered(): boolean {
    return this.hasMoney && this.#collected + this.#prepaid >= this.#cost;
  }

  get hasMoney(): boolean {
    return this.#collected > 0 || this.#prepaid > 0;
  }

  get collected(): number {
    return this.#collected;
  }

  /** The shop says so itself. */
  say(statusId: number): void {
    this.statusId = statusId;
  }

  /** A courier's money, or a cancellation: it is paid once the money covers it. */
  report(cost: number, collected = 0): void {
    this.#change(cost, collected);
    if (this.isCovered) this.statusId = 1;
  }

  edit(cost: number): void {
    const wasCovered = this.isCovered;
    this.#change(cost, 0);
    if (!wasCovered && this.isCovered && this.#collected > 0) this.statusId = 1;
  }

  /** Money of a courier that covers it no more leaves it unpaid. */
  #change(cost: number, collected: number): void {
    const wasCovered = this.isCovered && this.#collected > 0;
    this.#cost = cost;
    this.#collected += collected;
    if (wasCovered && !this.isCovered) this.statusId = 0;
  }
}

export interface ReportedPayment {
  readonly paymentId: string;
  readonly paymentTypeId: string;
  readonly price: number;
}

/** Kopecks by the form of payment. */
type Forms = ReadonlyMap<number, number>;

/** Type 1 of the model's catalog is electronic, 2 is cash. */
const formOfType = (type: number) => (type === 1 ? 1 : 0);

export interface Reported {
  exceeds(taken: Forms, cost: number): boolean;
  isNamedBeyond(taken: Forms, prepaidElsewhere: number, cost: number): boolean;
}

export class MoneyReported implements Reported {
  /** No payment type has got another form. */
  areFormsKnown = true;
  readonly #collected = new Map<number, number>();
  #named = { sum: 0, form: 1 };

  /** The shop has one payment, and edits it. */
  name(sum: number, type: number): void {
    this.#named = { sum, form: formOfType(type) };
  }

  collect(sum: number, type: number): void {
    const form = formOfType(type);
    this.#collected.set(form, (this.#collected.get(form) ?? 0) + sum);
  }

  /** Whether the courier has more in a form than the sale took. What he has above the cost in cash is change. */
  exceeds(taken: Forms, cost: number): boolean {
    const card = Math.max(0, this.#collected.get(1) ?? 0);
    const cash = Math.max(0, this.#collected.get(0) ?? 0);
    const kept = cash - Math.min(cash, Math.max(0, card + cash - cost));
    return card > (taken.get(1) ?? 0) || kept > (taken.get(0) ?? 0);
  }

  /** Whether the shop names more in a form than was taken. What another program took is its payment of that sum, or what exceeds the rest. */
  isNamedBeyond(taken: Forms, prepaidElsewhere: number, cost: number): boolean {
    const { sum, form } = this.#named;
    const beyondRest = Math.max(0, Math.min(prepaidElsewhere, sum - (cost - prepaidElsewhere)));
    const elsewhere = sum === prepaidElsewhere ? sum : beyondRest;
    return sum - elsewhere > (taken.get(form) ?? 0);
  }
}

const isOfCourier = ({ paymentId }: ReportedPayment) => paymentId.includes("-back-");
const kopecksOf = ({ price }: ReportedPayment) => Math.round(price * 100);

/** What the courier gave back by a refund order. */
export function collectedOf(payments: readonly ReportedPayment[]): number {
  return payments.filter(isOfCourier).reduce((sum, payment) => sum + kopecksOf(payment), 0);
}

/** In each form the larger of what the shop and the courier say. */
export function formsReported(payments: readonly ReportedPayment[]): Forms {
  const sumIn = (form: number, isOfHim: boolean) =>
    payments
      .filter((one) => isOfCourier(one) === isOfHim && formOfType(Number(one.paymentTypeId)) === form)
      .reduce((sum, payment) => sum + kopecksOf(payment), 0);
  return new Map([0, 1].map((form) => [form, Math.max(sumIn(form, true), sumIn(form, false))]));
}

export function positive(forms: Forms): Forms {
  return new Map([...forms].filter(([, sum]) => sum > 0));
}
