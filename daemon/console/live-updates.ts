import type { Clock, Timer } from "@fiscald/shared/clock.js";

/** What changed, for clients that read it again. */
export type Topic = "registers" | "jobs" | "events" | "sites";

/** Says that something changed, but not what: clients read it again. */
export interface LiveUpdates {
  publish(topic: Topic): void;
  /** Returns how to end it. */
  subscribe(listener: (topics: readonly Topic[]) => void): () => void;
  stop(): void;
}

/** Changes come in bursts; clients get one message for each burst. */
const gatherMs = 100;

export function createLiveUpdates(clock: Clock): LiveUpdates {
  const listeners = new Set<(topics: readonly Topic[]) => void>();
  const changed = new Set<Topic>();
  let timer: Timer | null = null;

  function flush(): void {
    timer = null;
    const topics = [...changed];
    changed.clear();
    for (const listener of listeners) listener(topics);
  }

  return {
    publish(topic) {
      if (listeners.size === 0) return;
      changed.add(topic);
      timer ??= clock.setTimer(gatherMs, flush);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop() {
      timer?.cancel();
      timer = null;
    },
  };
}
