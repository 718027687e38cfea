/** The three spellings of dates in this protocol (reference, section 4), all plain binary. */
import { type LocalTime, localTimeOf } from "@fiscald/shared/local-time.js";
import type { ByteReader } from "../../codec/byte-cursor.js";

export interface DayParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

export interface ClockParts {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

export function readDmy(reader: ByteReader): DayParts {
  const [day, month, year] = [reader.u8(), reader.u8(), reader.u8()];
  return { day, month, year: 2000 + year };
}

export function readHms(reader: ByteReader): ClockParts {
  return { hour: reader.u8(), minute: reader.u8(), second: reader.u8() };
}

/** DATE_TIME of the fiscal drive, to the minute; null when it is none (all zero). */
export function fnDateTime(reader: ByteReader): LocalTime | null {
  const day = readYmd(reader);
  return localTimeOf({ ...day, hour: reader.u8(), minute: reader.u8() });
}

/** DATE of the fiscal drive as midnight; null when it is none. */
export function fnDate(reader: ByteReader): LocalTime | null {
  return localTimeOf({ ...readYmd(reader), hour: 0, minute: 0 });
}

function readYmd(reader: ByteReader): DayParts {
  return { year: 2000 + reader.u8(), month: reader.u8(), day: reader.u8() };
}
