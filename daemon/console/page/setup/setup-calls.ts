/** The set-up page's requests to the daemon. */
import type { DaemonRefusal } from "../api.js";

export interface Refused {
  /** Null when the daemon did not answer. */
  readonly refusal: DaemonRefusal | null;
  /** The exact reason. Its Russian text is null for a technical detail. */
  readonly reason: { readonly en: string; readonly ru: string | null };
}

const TIMEOUT_MS = 120_000;

export async function ask<T extends object>(path: string, body?: object): Promise<T | Refused> {
  try {
    const posted = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(path, body === undefined ? { signal } : { ...posted, signal });
    if (response.ok) return await response.json();
    const { error }: { readonly error: DaemonRefusal & { readonly message: string; readonly ru: string | null } } =
      await response.json();
    return { refusal: error, reason: { en: error.message, ru: error.ru } };
  } catch {
    return { refusal: null, reason: { en: "", ru: null } };
  }
}

export function isRefused(answer: object): answer is Refused {
  return "refusal" in answer;
}
