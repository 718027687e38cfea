import type { PageNow } from "../now-view.js";
import { isRefused, oneAtATime, request } from "./api.js";

export type Connection = "loading" | "live" | "lost" | "no-access";

export interface Feed {
  readonly connection: Connection;
  /** The newest view that could be read; null: none was read so far. */
  readonly now: PageNow | null;
  /** Grows with each reading, so that the page's other views are also read again. */
  readonly changed: number;
}

export const beforeAll: Feed = { connection: "loading", now: null, changed: 0 };

/** Some figures grow without an event, such as the age of a shift, so the view is also read again this often. */
const REFRESH_MS = 20_000;
const TIMEOUT_MS = 5_000;
/** The shown view counts as old when the daemon has been silent for this time. */
const SILENCE_MS = 5_000;
const WATCH_MS = 500;
const PAUSE_MS = 500;

/** Events of the daemon's stream. After `error` the stream has ended. The browser then connects again or is refused. */
type LiveEvent = "alive" | "change" | "error";

export function followNow(onChange: (feed: Feed) => void): void {
  let feed = beforeAll;
  let heardAt = performance.now();
  let openedAt = heardAt;
  let stream: EventSource | null = null;
  const set = (next: Partial<Feed>) => {
    feed = { ...feed, ...next };
    onChange(feed);
  };

  /** A pause after each reading keeps a thousand changes a minute to two readings a second. */
  const read = oneAtATime(async () => {
    const next = await readOnce();
    if (next.connection === "live") heardAt = performance.now();
    const wasAway = feed.connection === "lost" || feed.connection === "no-access";
    if (next.connection === "live" && wasAway) void reloadIfReplaced();
    set({ ...next, changed: feed.changed + 1 });
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  });

  function hear(event: LiveEvent): void {
    if (event !== "error") heardAt = performance.now();
    if (event !== "alive" || feed.connection !== "live") read();
  }

  /** A hidden tab has no stream, because a browser opens only six connections to one daemon. */
  function open(): void {
    stream?.close();
    if (document.hidden) return;
    openedAt = performance.now();
    stream = new EventSource("/api/live");
    for (const event of ["alive", "change", "error"] as const) stream.addEventListener(event, () => hear(event));
  }

  function show(): void {
    heardAt = performance.now();
    open();
    read();
    if (!document.hidden) void reloadIfReplaced();
  }

  /** A daemon that hangs does not close the stream, so its silence is watched. */
  function watch(): void {
    if (document.hidden || performance.now() - heardAt <= SILENCE_MS) return;
    if (feed.connection === "live") set({ connection: "lost" });
    if (performance.now() - openedAt < (feed.connection === "no-access" ? REFRESH_MS : SILENCE_MS)) return;
    open();
  }

  setInterval(read, REFRESH_MS);
  setInterval(watch, WATCH_MS);
  document.addEventListener("visibilitychange", show);
  show();
}

/** This script does not know the views of another version of the daemon. */
async function reloadIfReplaced(): Promise<void> {
  const script = document.querySelector("script[src]")?.getAttribute("src") ?? "";
  const response = await fetch("/", { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => null);
  if (response?.ok === true && !(await response.text()).includes(script)) location.reload();
}

async function readOnce(): Promise<Partial<Feed>> {
  const answer = await request<PageNow>("/api/now", undefined, TIMEOUT_MS);
  if (!isRefused(answer)) return { connection: "live", now: answer };
  return { connection: answer.refusal === "no-access" ? "no-access" : "lost" };
}
