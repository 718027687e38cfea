/** Questions and orders to the daemon. */
import { useEffect, useState } from "preact/hooks";

/** The daemon's refusal, in both languages. */
export interface Refusal {
  readonly code: string;
  readonly text: { readonly en: string; readonly ru: string };
  readonly hint: { readonly en: string; readonly ru: string };
}

export interface ActionAnswer {
  /** The job that the action has made or changed. */
  readonly job?: { readonly id: number };
  /** Of many jobs those that it was not done to. */
  readonly refused?: readonly object[];
  /** The copy of the database that was made. */
  readonly copy?: { readonly path: string };
}

const TIMEOUT_MS = 120_000;

async function read<T>(path: string): Promise<T | "missing" | null> {
  try {
    const response = await fetch(path, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.status === 404) return "missing";
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

/** Hears of each action that is over. */
const actions = new EventTarget();
const OVER = "over";

/**
 * Read again whenever `changed` grows and after each action. A view that cannot be read stays as it was, and `AsOf` says of
 * when. `onMissing`: there is no such thing.
 */
export function useView<T>(path: string, changed: number, onMissing?: () => void): T | null {
  const [view, setView] = useState<T | null>(null);
  const [acts, setActs] = useState(0);
  useEffect(() => {
    const count = () => setActs((before) => before + 1);
    actions.addEventListener(OVER, count);
    return () => actions.removeEventListener(OVER, count);
  }, []);
  useEffect(() => {
    let isCurrent = true;
    void read<T>(path).then((answer) => {
      if (!isCurrent || answer === null) return;
      if (answer === "missing") onMissing?.();
      else setView(answer);
    });
    return () => {
      isCurrent = false;
    };
  }, [path, changed, acts]);
  return view;
}

/** A file goes to the browser's downloads. */
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

/** `refusal`: null = it is done. `no-answer`: the outcome is unknown here; the list will show it. */
export async function act(
  path: string,
  body: object,
): Promise<{ readonly refusal: Refusal | "no-answer" | null; readonly answer: ActionAnswer }> {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ reason: "operator page", ...body }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.ok) return { refusal: null, answer: await answerOf(response) };
    const refused: { readonly error: Refusal } = await response.json();
    return { refusal: refused.error, answer: {} };
  } catch {
    return { refusal: "no-answer", answer: {} };
  } finally {
    actions.dispatchEvent(new Event(OVER));
  }
}
