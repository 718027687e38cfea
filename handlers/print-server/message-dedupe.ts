/**
 * Messages (by `webhook-id`) that the host has handled or is handling: a repeat shares the first one's end instead of
 * calling the host again. In memory: after a restart the host may see a message a second time.
 */
export class HandledMessages {
  readonly #handled = new Map<string, Promise<void>>();
  readonly #limit: number;

  constructor(limit = 1000) {
    this.#limit = limit;
  }

  /** A failed message is forgotten, so that its repeat is handled. A message without an id is not remembered. */
  handle(id: string | null, work: () => Promise<void>): Promise<void> {
    if (id === null) return work();
    const known = this.#handled.get(id);
    if (known !== undefined) return known;
    const handling = work();
    this.#handled.set(id, handling);
    handling.catch(() => this.#handled.delete(id));
    this.#forgetOldest();
    return handling;
  }

  #forgetOldest(): void {
    const [oldest] = this.#handled.keys();
    if (this.#handled.size > this.#limit && oldest !== undefined) this.#handled.delete(oldest);
  }
}
