/**
 * Numbers the deliveries of this process, so that a clock that is set back hides nothing: the numbers tell what a site
 * knew when it was polled. A number takes less than a hundred bytes, and a busy till delivers some hundred thousand
 * events a year.
 */
export class Deliveries {
  readonly #numbers = new Map<number, number>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Called when a site has received the event, or has refused it for good. */
  note(event: number): void {
    this.#count += 1;
    this.#numbers.set(event, this.#count);
  }

  isAfter(count: number, event: number): boolean {
    return (this.#numbers.get(event) ?? 0) > count;
  }
}
