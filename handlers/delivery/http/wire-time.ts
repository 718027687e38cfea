const shape = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

/** `2026-11-20 14:05:00` (GMT) to milliseconds since the epoch; null for an impossible time. */
export function parseWireTime(text: string): number | null {
  if (!shape.test(text)) return null;
  const time = Date.parse(`${text.replace(" ", "T")}Z`);
  return !Number.isNaN(time) && formatWireTime(time) === text ? time : null;
}

/** Milliseconds since the epoch to `2026-11-20 14:05:00` (GMT). */
export function formatWireTime(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 19).replace("T", " ");
}
