/** How many deliveries are remembered. A till delivers far fewer while one poll is held. */
const MOST_KNOWN = 10_000;

/**
 * Numbers the deliveries of this process. Clocks may be set back, so these numbers tell what a site knew when it was
 * polled. The deliveries of an earlier run precede every poll of this run.
 */
export class Deliveries {
  readonly #numbers = new Map<number, number>();
  #count = 0;
  /** The newest number among the deliveries that are no longer remembered. */
  #forgotten = 0;

  get count(): number {
    return this.#count;
  }

  /** Called when a site has received the event, or has refused it for good. */
  note(event: number): void {
    this.#count += 1;
    this.#numbers.delete(event);
    this.#numbers.set(event, this.#count);
    const [oldest] = this.#numbers;
    if (oldest === undefined || this.#numbers.size <= MOST_KNOWN) return;
    this.#numbers.delete(oldest[0]);
    this.#forgotten = oldest[1];
  }

  /** Whether the event was delivered after the first `count` deliveries. */
  isAfter(count: number, event: number): boolean {
    return (this.#numbers.get(event) ?? this.#forgotten) > count;
  }
}
