/** The page's requests to the daemon. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { RepairPreview } from "../repairs/repair-view.js";

export interface DaemonRefusal {
  readonly code: string;
  readonly message: string;
  readonly ru: string | null;
  readonly text: { readonly en: string; readonly ru: string };
  readonly hint: { readonly en: string; readonly ru: string };
}

export interface ActionAnswer {
  readonly job?: { readonly id: number };
  /** For an action on many jobs, the jobs for which the action was refused. */
  readonly refused?: readonly { readonly error: DaemonRefusal }[];
  readonly copy?: { readonly path: string };
  readonly preview?: RepairPreview;
}

/** Requests have a limit, because one that hangs holds one of the browser's six connections to the daemon. */
const VIEW_TIMEOUT_MS = 15_000;
const ACTION_TIMEOUT_MS = 120_000;

async function read<T>(path: string): Promise<T | "missing" | null> {
  try {
    const response = await fetch(path, { signal: AbortSignal.timeout(VIEW_TIMEOUT_MS) });
    if (response.status === 404) return "missing";
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

/** Gets an event after each action. */
const actions = new EventTarget();
const OVER = "over";

/** Wraps `read` so that only one reading runs at a time. A call during a reading causes one more reading afterwards. */
export function oneAtATime(read: () => Promise<void>): () => void {
  let isReading = false;
  let isStale = false;
  async function readWhileStale(): Promise<void> {
    isReading = true;
    while (isStale) {
      isStale = false;
      await read();
    }
    isReading = false;
  }
  return () => {
    isStale = true;
    if (!isReading) void readWhileStale();
  };
}

/**
 * A view of the daemon, read again whenever `changed` grows and after each action. A view that cannot be read stays as
 * it was, and `AsOf` shows its time. The result is null until the view of this path was read. `onUnread` is called with
 * true when the daemon has no such view, and with false when no readable answer came.
 */
export function useView<T>(path: string, changed: number, onUnread?: (isMissing: boolean) => void): T | null {
  const [shown, setShown] = useState<{ readonly path: string; readonly view: T } | null>(null);
  const look = useRef(() => {});
  useEffect(() => {
    let isWanted = true;
    const again = oneAtATime(async () => {
      const answer = isWanted ? await read<T>(path) : null;
      if (!isWanted) return;
      if (answer === "missing" || answer === null) onUnread?.(answer === "missing");
      else setShown({ path, view: answer });
    });
    look.current = again;
    actions.addEventListener(OVER, again);
    return () => {
      isWanted = false;
      actions.removeEventListener(OVER, again);
    };
  }, [path]);
  useEffect(() => look.current(), [path, changed]);
  return shown?.path === path ? shown.view : null;
}

/** Follows `count`, but at most this often, for a view that takes long to make. */
export function useSlower(count: number, everyMs: number): number {
  const [slow, setSlow] = useState(count);
  const newest = useRef(count);
  newest.current = count;
  useEffect(() => {
    const timer = setInterval(() => setSlow(newest.current), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return slow;
}

/** The answer of an action. A file goes to the browser's downloads. */
async function answerOf(response: Response): Promise<ActionAnswer> {
  const [, name] = /filename="?([^";]+)/.exec(response.headers.get("content-disposition") ?? "") ?? [];
  if (name === undefined) return response.json();
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
  return {};
}

/** `no-answer`: the action may have been done, or may be done later. `no-access`: the session is over. */
export type NotDone = DaemonRefusal | "no-answer" | "no-access";

export async function act(
  path: string,
  body: object,
): Promise<{ readonly refusal: NotDone | null; readonly answer: ActionAnswer }> {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      // As `NO_REASON` of the daemon's journal, which the page's bundle cannot import.
      body: JSON.stringify({ reason: "no reason given", ...body }),
      signal: AbortSignal.timeout(ACTION_TIMEOUT_MS),
    });
    if (response.ok) return { refusal: null, answer: await answerOf(response) };
    if (response.status === 401) return { refusal: "no-access", answer: {} };
    const refused: { readonly error: DaemonRefusal } = await response.json();
    return { refusal: refused.error, answer: {} };
  } catch {
    return { refusal: "no-answer", answer: {} };
  } finally {
    actions.dispatchEvent(new Event(OVER));
  }
}
