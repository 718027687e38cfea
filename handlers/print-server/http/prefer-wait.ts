/** Seconds of `Prefer: wait=N` (RFC 7240), or null without it. */
export function readPreferWait(header: string | readonly string[] | undefined): number | null {
  const text = typeof header === "object" ? header.join(",") : (header ?? "");
  for (const preference of text.split(",")) {
    const seconds = /^\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:;.*)?$/i.exec(preference)?.[1];
    if (seconds !== undefined) return Number(seconds);
  }
  return null;
}
