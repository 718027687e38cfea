/** Whether the order of the money model is paid, by the rules (54-fz 15) and not by the API's answers. */

export interface PaidStart {
  readonly statusId: number;
  /** In kopecks. */
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

  /** The money taken covers the goods. */
  get isCovered(): boolean {
    return this.hasMoney && this.#collected + this.#prepaid >= this.#cost;
  }

  get hasMoney(): boolean {
    return this.#collected > 0 || this.#prepaid > 0;
  }

  get collected(): number {
    return this.#collected;
  }

  /** The shop sets the status itself. */
  say(statusId: number): void {
    this.statusId = statusId;
  }

  /** A courier's money, or a cancellation: the order is paid once the money covers it. */
  report(cost: number, collected = 0): void {
    this.#change(cost, collected);
    if (this.isCovered) this.statusId = 1;
  }

  edit(cost: number): void {
    const wasCovered = this.isCovered;
    this.#change(cost, 0);
    if (!wasCovered && this.isCovered && this.#collected > 0) this.statusId = 1;
  }

  /** An order becomes unpaid when a courier's money does not cover it any more. */
  #change(cost: number, collected: number): void {
    const wasCovered = this.isCovered && this.#collected > 0;
    this.#cost = cost;
    this.#collected += collected;
    if (wasCovered && !this.isCovered) this.statusId = 0;
  }
}
