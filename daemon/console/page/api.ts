/** Questions and orders to the daemon. */

/** The daemon's refusal, in both languages. */
export interface Refusal {
  readonly text: { readonly en: string; readonly ru: string };
  readonly hint: { readonly en: string; readonly ru: string };
}

const TIMEOUT_MS = 120_000;

export async function read<T>(path: string): Promise<T | null> {
  try {
    const response = await fetch(path, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

/** Null = it is done. `no-answer`: nobody knows; what became of it shows in the list. */
export async function act(path: string, body: object): Promise<Refusal | "no-answer" | null> {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ reason: "operator page", ...body }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.ok) return null;
    const answer: { readonly error: Refusal } = await response.json();
    return answer.error;
  } catch {
    return "no-answer";
  }
}
