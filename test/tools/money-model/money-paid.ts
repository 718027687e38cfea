/** Whether the order of the money model is paid, by the rules of the document (54-fz 15) and not by what the API answers. */

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
