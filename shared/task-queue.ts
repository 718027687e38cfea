/** Runs async tasks strictly one at a time, in the order given: the mailbox of a register. */
export interface TaskQueue {
  /** Runs `task` after all earlier ones. Its signal aborts when the queue is stopped. Rejects with the task's error. */
  add<T>(task: (signal: AbortSignal) => Promise<T>, options?: TaskOptions): Promise<T>;
  /** Tasks waiting or running. */
  readonly size: number;
  /** Resolves when nothing runs or waits. */
  idle(): Promise<void>;
  /** Lets the running task end (after `abortRunning` its signal aborts), refuses the waiting and all later ones. */
  stop(reason: unknown, options?: { readonly abortRunning?: boolean }): Promise<void>;
}

export interface TaskOptions {
  /** Goes before waiting tasks that are not urgent; never interrupts the running one. */
  readonly urgent?: boolean;
}

interface Entry {
  readonly urgent: boolean;
  run(): Promise<void>;
  refuse(reason: unknown): void;
}

export function createTaskQueue(): TaskQueue {
  const waiting: Entry[] = [];
  const abort = new AbortController();
  let running: Promise<void> | null = null;
  let stopped: { readonly reason: unknown } | null = null;
  let idleListeners: (() => void)[] = [];

  function runNext(): void {
    if (running !== null) return;
    const entry = waiting.shift();
    if (entry === undefined) {
      const listeners = idleListeners;
      idleListeners = [];
      for (const listener of listeners) listener();
      return;
    }
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
              resolve(await task(abort.signal));
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
    get size() {
      return waiting.length + (running === null ? 0 : 1);
    },
    idle() {
      if (running === null && waiting.length === 0) return Promise.resolve();
      return new Promise((resolve) => idleListeners.push(resolve));
    },
    async stop(reason, options = {}) {
      stopped ??= { reason };
      for (const entry of waiting.splice(0)) entry.refuse(reason);
      if (options.abortRunning === true) abort.abort(reason);
      await running;
    },
  };
}
