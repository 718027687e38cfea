/** Keeps the first view up to date: reads it again whenever the daemon says that something changed. */
import type { NowView } from "../now-view.js";

export type Connection = "loading" | "live" | "lost" | "no-access";

export interface Feed {
  readonly connection: Connection;
  /** The newest view that could be read; null = none so far. */
  readonly now: NowView | null;
  /** Grows with each reading: whatever else the page shows is read again too. */
  readonly changed: number;
}

export const beforeAll: Feed = { connection: "loading", now: null, changed: 0 };

/** Figures that grow without an event, such as the age of a shift. */
const REFRESH_MS = 20_000;
const TIMEOUT_MS = 5_000;
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
      set({ ...next, changed: feed.changed + 1 });
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    reading = false;
  }

  const events = new EventSource("/api/live");
  events.addEventListener("open", () => void read());
  events.addEventListener("change", () => void read());
  // The browser connects again by itself; a refused one has to be asked why.
  events.addEventListener("error", () => void read());
  const timer = setInterval(() => void read(), REFRESH_MS);
  return () => {
    clearInterval(timer);
    events.close();
  };
}

async function readOnce(): Promise<Partial<Feed>> {
  try {
    const response = await fetch("/api/now", { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.status === 401) return { connection: "no-access" };
    if (!response.ok) return { connection: "lost" };
    const now: NowView = await response.json();
    return { connection: "live", now };
  } catch {
    return { connection: "lost" };
  }
}
