/** "There is something to do" between the parts and nodes of one database: may come late, twice or not at all. */
export interface Signals {
  notify(channel: string, payload?: string): void;
  /** Returns the function that ends the subscription. */
  subscribe(channel: string, listener: (payload: string) => void): () => void;
  close(): Promise<void>;
}

type Listener = (payload: string) => void;

/** Listeners of this process, by channel. */
export class LocalListeners {
  readonly #byChannel = new Map<string, Set<Listener>>();

  add(channel: string, listener: Listener): () => void {
    const listeners = this.#byChannel.get(channel) ?? new Set();
    this.#byChannel.set(channel, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }

  channels(): readonly string[] {
    return [...this.#byChannel.keys()];
  }

  tell(channel: string, payload: string): void {
    for (const listener of this.#byChannel.get(channel) ?? []) listener(payload);
  }

  clear(): void {
    this.#byChannel.clear();
  }
}

/** For SQLite: the one process that serves the file notifies itself. */
export function createLocalSignals(): Signals {
  const listeners = new LocalListeners();
  return {
    notify: (channel, payload = "") => listeners.tell(channel, payload),
    subscribe: (channel, listener) => listeners.add(channel, listener),
    async close() {
      listeners.clear();
    },
  };
}
