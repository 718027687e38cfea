/** Keeps the first view up to date: reads it again whenever the daemon says that something changed. */
import type { PageNow } from "../now-view.js";

export type Connection = "loading" | "live" | "lost" | "no-access";

export interface Feed {
  readonly connection: Connection;
  /** The newest view that could be read; null = none so far. */
  readonly now: PageNow | null;
  /** Grows with each reading: whatever else the page shows is read again too. */
  readonly changed: number;
}

export const beforeAll: Feed = { connection: "loading", now: null, changed: 0 };

/** Figures that grow without an event, such as the age of a shift. */
const REFRESH_MS = 20_000;
const TIMEOUT_MS = 5_000;
/** So long without a word from the daemon, and what is shown is old. */
const SILENCE_MS = 5_000;
const WATCH_MS = 500;
const PAUSE_MS = 500;

/** `onChange` is called with each new state. Returns how to stop. */
export function followNow(onChange: (feed: Feed) => void): () => void {
  let feed = beforeAll;
  let reading = false;
  let isStale = false;
  const set = (next: Partial<Feed>) => {
    feed = { ...feed, ...next };
    onChange(feed);
  };

  /** One request at a time, with a pause: a thousand changes a minute are two readings a second. */
  async function read(): Promise<void> {
    isStale = true;
    if (reading) return;
    reading = true;
    while (isStale) {
      isStale = false;
      const next = await readOnce();
      if (next.connection === "live") heardAt = performance.now();
      set({ ...next, changed: feed.changed + 1 });
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    reading = false;
  }

  let heardAt = performance.now();
  let openedAt = heardAt;
  let events = listen();

  function listen(): EventSource {
    const source = new EventSource("/api/live");
    const heard = () => {
      heardAt = performance.now();
      if (feed.connection !== "live") void read();
    };
    source.addEventListener("alive", heard);
    source.addEventListener("change", () => {
      heard();
      void read();
    });
    // The browser connects again by itself; a refused one has to be asked why.
    source.addEventListener("error", () => void read());
    return source;
  }

  /** The daemon says every two seconds that it is there. One that hangs closes no connection. */
  function watch(): void {
    const isSilent = performance.now() - heardAt > SILENCE_MS;
    if (isSilent && feed.connection === "live") set({ connection: "lost" });
    if (!isSilent && events.readyState !== EventSource.CLOSED) return;
    if (performance.now() - openedAt < (feed.connection === "no-access" ? REFRESH_MS : SILENCE_MS)) return;
    events.close();
    openedAt = performance.now();
    events = listen();
  }

  const timers = [setInterval(() => void read(), REFRESH_MS), setInterval(watch, WATCH_MS)];
  void read();
  return () => {
    for (const timer of timers) clearInterval(timer);
    events.close();
  };
}

async function readOnce(): Promise<Partial<Feed>> {
  try {
    const response = await fetch("/api/now", { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.status === 401) return { connection: "no-access" };
    if (!response.ok) return { connection: "lost" };
    const now: PageNow = await response.json();
    return { connection: "live", now };
  } catch {
    return { connection: "lost" };
  }
}
