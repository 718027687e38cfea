import { useEffect, useRef, useState } from "preact/hooks";
import type { RepairPreview } from "../repairs/repair-view.js";
import type { FaultView } from "../views.js";

export interface ActionAnswer {
  readonly job?: { readonly id: number };
  /** An action on many jobs: the jobs for which it was refused. */
  readonly refused?: readonly { readonly error: FaultView }[];
  readonly copy?: { readonly path: string };
  readonly preview?: RepairPreview;
}

/** A request that hangs holds one of the browser's six connections to the daemon, so requests have a limit. */
const VIEW_TIMEOUT_MS = 15_000;
const ACTION_TIMEOUT_MS = 120_000;

const actions = new EventTarget();
const OVER = "over";

/** Only one reading runs at a time. A call during a reading causes one more reading afterwards. */
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
 * A view that cannot be read stays as it was, and `AsOf` shows its time. The result is null until the view was read.
 * `onUnread` gets true when the daemon has no such view, and false when no readable answer came.
 */
export function useView<T extends object>(
  path: string,
  changed: number,
  onUnread?: (isMissing: boolean) => void,
): T | null {
  const [shown, setShown] = useState<{ readonly path: string; readonly view: T } | null>(null);
  const look = useRef(() => {});
  useEffect(() => {
    let isWanted = true;
    const again = oneAtATime(async () => {
      if (!isWanted) return;
      const answer = await request<T>(path);
      if (!isWanted) return;
      if (isRefused(answer)) onUnread?.(answer.isMissing);
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

/** Follows `count` no more often than this, for a view that takes long to make. */
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

async function bodyOf(response: Response) {
  const [, name] = /filename="?([^";]+)/.exec(response.headers.get("content-disposition") ?? "") ?? [];
  if (name === undefined) return response.json();
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
  return {};
}

/** `no-answer`: the action may have been done, or may be done later. `no-access`: the session has ended. */
export type NotDone = FaultView | "no-answer" | "no-access";

export interface Refused {
  readonly refusal: NotDone;
  readonly isMissing: boolean;
}

export function isRefused(answer: object): answer is Refused {
  return "refusal" in answer;
}

export async function request<T extends object>(
  path: string,
  body?: object,
  timeoutMs = body === undefined ? VIEW_TIMEOUT_MS : ACTION_TIMEOUT_MS,
): Promise<T | Refused> {
  const posted = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  try {
    const response = await fetch(path, {
      ...(body === undefined ? {} : posted),
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.ok) return await bodyOf(response);
    if (response.status === 401) return { refusal: "no-access", isMissing: false };
    const { error }: { readonly error: FaultView } = await response.json();
    return { refusal: error, isMissing: response.status === 404 };
  } catch {
    return { refusal: "no-answer", isMissing: false };
  }
}

export async function act(path: string, body: object): Promise<ActionAnswer | Refused> {
  // The text of `NO_REASON` in the daemon's journal, which the page's bundle cannot import.
  const answer = await request<ActionAnswer>(path, { reason: "no reason given", ...body });
  actions.dispatchEvent(new Event(OVER));
  return answer;
}
