/** The two date-time spellings of the wire, both wall time without a zone. */
import { type LocalTime, localTimeOf, parseLocalTime, partsOf } from "../local-time.js";

const dotted = /^(\d{2})\.(\d{2})\.(\d{4})[ T](\d{2}):(\d{2}):(\d{2})$/;

/** Reads `20.11.2026 14:05:00` and `2026-11-20T14:05:00` (also with a space); null when it is neither. */
export function parseWireTime(text: string): LocalTime | null {
  const trimmed = text.trim();
  const match = dotted.exec(trimmed);
  if (match === null) return parseLocalTime(trimmed.replace(" ", "T"));
  const [day = 0, month = 0, year = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number);
  return localTimeOf({ year, month, day, hour, minute, second });
}

/** `20.11.2026 14:05:00`, the protocol's own spelling. */
export function formatWireTime(time: LocalTime): string {
  const { year, month, day, hour, minute, second } = partsOf(time);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(day)}.${two(month)}.${String(year).padStart(4, "0")} ${two(hour)}:${two(minute)}:${two(second)}`;
}
