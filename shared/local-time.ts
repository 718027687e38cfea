declare const localTimeBrand: unique symbol;

/** Local time without a zone, as registers keep it: `2026-11-20T14:05:00`. */
export type LocalTime = string & { readonly [localTimeBrand]: true };

const shape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/;

export interface TimeParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** Returns null when the parts are no real date and time. */
export function localTimeOf(parts: Omit<TimeParts, "second"> & { readonly second?: number }): LocalTime | null {
  const { year, month, day, hour, minute, second = 0 } = parts;
  const two = (value: number) => String(value).padStart(2, "0");
  return parseLocalTime(
    `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}`,
  );
}

/** A missing `:SS` is `:00`. Null when the text is no real local time. */
export function parseLocalTime(text: string): LocalTime | null {
  const match = shape.exec(text);
  if (match === null) return null;
  const whole = match[1] === undefined ? `${text}:00` : text;
  const at = Date.parse(`${whole}Z`);
  // `Date` turns the 30th of February into a day of March.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(whole) ? (whole as LocalTime) : null;
}

export function partsOf(time: LocalTime): TimeParts {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = time.split(/\D/).map(Number);
  return { year, month, day, hour, minute, second };
}

export function secondsBetween(from: LocalTime, to: LocalTime): number {
  return Math.round((Date.parse(`${to}Z`) - Date.parse(`${from}Z`)) / 1000);
}

export function addSeconds(time: LocalTime, seconds: number): LocalTime {
  return new Date(Date.parse(`${time}Z`) + seconds * 1000).toISOString().slice(0, 19) as LocalTime;
}

/** `epochMs`: an instant from 1972 on. RangeError for an unknown zone. */
export function localTimeAt(epochMs: number, timeZone: string): LocalTime {
  return formatterOf(timeZone).format(epochMs).replace(" ", "T") as LocalTime;
}

function offsetAt(epochMs: number, timeZone: string): number {
  return Date.parse(`${localTimeAt(epochMs, timeZone)}Z`) - Math.floor(epochMs / 1000) * 1000;
}

/** Kept, because making a formatter takes much longer than using it. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  formatters.set(timeZone, made);
  return made;
}

const DAY_MS = 24 * 3600 * 1000;

/**
 * The instant at which the clocks of a zone show `time`: the earlier one where they show it twice. A time that the
 * clocks leave out is read as if they had not been put forward yet.
 */
export function instantOf(time: LocalTime, timeZone: string): number {
  const asUtc = Date.parse(`${time}Z`);
  // Clocks change at most once within two days, so one of these two offsets is in force at `time`.
  const before = asUtc - offsetAt(asUtc - DAY_MS, timeZone);
  const after = asUtc - offsetAt(asUtc + DAY_MS, timeZone);
  const shown = [before, after].filter((at) => localTimeAt(at, timeZone) === time);
  return shown.length === 0 ? before : Math.min(...shown);
}

const dotted = /^(\d{2})\.(\d{2})\.(\d{4})[ T](\d{2}:\d{2}:\d{2})$/;

/** Reads both spellings of the wire, `20.11.2026 14:05:00` and `2026-11-20T14:05:00` (also with a space), else null. */
export function parseWireTime(text: string): LocalTime | null {
  return parseLocalTime(text.trim().replace(dotted, "$3-$2-$1T$4").replace(" ", "T"));
}

const withOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** Reads a time with its offset from UTC, or a time of the wire in a zone, to ms since 1970; null = it is neither. */
export function parseInstant(text: string, timeZone?: string): number | null {
  const iso = text.trim().replace(" ", "T");
  if (withOffset.test(iso)) {
    const at = Date.parse(iso);
    return Number.isNaN(at) ? null : at;
  }
  const local = timeZone === undefined ? null : parseWireTime(text);
  return local === null || timeZone === undefined ? null : instantOf(local, timeZone);
}

/** The time in the protocol's own spelling, `20.11.2026 14:05:00`. */
export function formatWireTime(time: LocalTime): string {
  return `${time.slice(8, 10)}.${time.slice(5, 7)}.${time.slice(0, 4)} ${time.slice(11)}`;
}
