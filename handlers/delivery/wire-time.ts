import { parseLocalTime } from "@fiscald/shared/local-time.js";

const shape = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

/** `2026-11-20 14:05:00` (GMT) to milliseconds since the epoch; null when it is no such moment. */
export function parseWireTime(text: string): number | null {
  if (!shape.test(text)) return null;
  const time = parseLocalTime(text.replace(" ", "T"));
  return time === null ? null : Date.parse(`${time}Z`);
}

/** Milliseconds since the epoch to `2026-11-20 14:05:00` (GMT). */
export function formatWireTime(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 19).replace("T", " ");
}
