/** Runs async tasks strictly one at a time, in the order given: all work on a register goes through one queue. */
export interface TaskQueue {
  /** Runs `task` after all earlier ones; the signal, which drivers ask for, never aborts. Rejects with its error. */
  add<T>(task: (signal: AbortSignal) => Promise<T>, options?: TaskOptions): Promise<T>;
  /** Lets the running task end, and refuses the waiting and all later ones. */
  stop(reason: unknown): Promise<void>;
}

export interface TaskOptions {
  /** The task goes before waiting tasks that are not urgent, and never interrupts the running one. */
  readonly urgent?: boolean;
}

interface Entry {
  readonly urgent: boolean;
  run(): Promise<void>;
  refuse(reason: unknown): void;
}

export function createTaskQueue(): TaskQueue {
  const waiting: Entry[] = [];
  const { signal } = new AbortController();
  let running: Promise<void> | null = null;
  let stopped: { readonly reason: unknown } | null = null;

  function runNext(): void {
    const entry = running === null ? waiting.shift() : undefined;
    if (entry === undefined) return;
    running = entry.run().finally(() => {
      running = null;
      runNext();
    });
  }

  return {
    add(task, options = {}) {
      return new Promise((resolve, reject) => {
        if (stopped !== null) {
          reject(stopped.reason);
          return;
        }
        const entry: Entry = {
          urgent: options.urgent === true,
          run: async () => {
            try {
              resolve(await task(signal));
            } catch (error) {
              reject(error);
            }
          },
          refuse: reject,
        };
        const place = entry.urgent ? waiting.findIndex((other) => !other.urgent) : -1;
        if (place === -1) waiting.push(entry);
        else waiting.splice(place, 0, entry);
        runNext();
      });
    },
    async stop(reason) {
      stopped ??= { reason };
      for (const entry of waiting.splice(0)) entry.refuse(reason);
      await running;
    },
  };
}
