import type { DeviceState } from "@fiscald/drivers/fiscal-driver.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { addSeconds, localTimeAt, secondsBetween } from "@fiscald/shared/local-time.js";
import type { Config } from "../../config/config-schema.js";
import { type FaultWords, faultWords, filled } from "../../messages/fault-words.js";
import { inEveryLanguage, type Language, type Messages } from "../../messages/messages.js";
import { driveStop, OFD_DAYS, unsentDays } from "../../registers/drive-stop.js";

/**
 * `note`: nothing is to be done. `unproven`: the value cannot be read, or no document has proven it yet. `look`: a
 * person should look at it. `wrong`: receipts wait, or nothing is printed.
 */
export const setLevels = ["ok", "note", "unproven", "look", "wrong"] as const;

export type SetLevel = (typeof setLevels)[number];

export const setChecks = ["settings", "clock", "drive", "ofd"] as const;

export interface SetRow {
  readonly check: (typeof setChecks)[number];
  readonly place: FaultText;
  readonly value: FaultText;
  /** Null: there is nothing to compare with, or any value is right. */
  readonly right: FaultText | null;
  readonly level: SetLevel;
  /** The effect of the value and the remedy; null: the value is right. */
  readonly effect: FaultText | null;
}

const HOUR_MINUTES = 60;
/** A larger difference of the clocks is shown, because receipts have the register's time. */
const CLOCK_MINUTES = 5;
/** A register whose clock is ahead by more must not print (54-fz 6). */
export const AHEAD_MINUTES = 10;
/** The zones of one country's shops are at most this many hours apart. */
const ZONE_HOURS = 12;

const text = (words: (doctor: Messages["doctor"]) => string) => inEveryLanguage(({ doctor }) => words(doctor));

type Said = (messages: Messages, language: Language) => FaultWords;

/** The row has the words of the trouble (console/troubles), so that the row, the page and the alerts say the same. */
function asTrouble(said: Said): Pick<SetRow, "value" | "effect"> {
  const next = inEveryLanguage((...words) => said(...words).next);
  return { value: inEveryLanguage((...words) => said(...words).text), effect: next.ru === "" ? null : next };
}

export function clockRows({ clock }: Pick<DeviceState, "clock">, timeZone: string, readAt: number): readonly SetRow[] {
  if (clock === null) return [];
  const ahead = Math.round(secondsBetween(localTimeAt(readAt, timeZone), clock) / 60);
  const minutes = Math.abs(ahead);
  const row = { check: "clock", place: { en: "the register's clock", ru: "часы кассы" }, right: null } as const;
  if (minutes <= CLOCK_MINUTES) return [{ ...row, value: text((it) => it.clock.right), level: "ok", effect: null }];
  const hours = Math.round(ahead / HOUR_MINUTES);
  const isZone =
    hours !== 0 && Math.abs(hours) <= ZONE_HOURS && Math.abs(ahead - hours * HOUR_MINUTES) <= CLOCK_MINUTES;
  if (isZone) return [zoneRow(hours, timeZone)];
  if (ahead > AHEAD_MINUTES) {
    return [{ ...row, ...asTrouble(({ troubles }) => filled(troubles.clockAhead, { minutes })), level: "wrong" }];
  }
  const effect = text((it) => it.clock.registerNext);
  return [{ ...row, value: text((it) => it.clock.register({ minutes })), level: "look", effect }];
}

/** The clocks differ by whole hours when the register's clock is set to another zone. */
function zoneRow(hours: number, timeZone: string): SetRow {
  const value = hours > 0 ? `+${hours}` : String(hours);
  return {
    check: "settings",
    place: { en: "time zone of the register's clock", ru: "часовой пояс часов кассы" },
    value: { en: `${value} h to ${timeZone}`, ru: `${value} ч к ${timeZone}` },
    right: { en: timeZone, ru: timeZone },
    level: "look",
    effect: {
      en: "Receipts have the time of another zone, and shifts are closed by it. Set `timeZone` to where the register stands, or let a service engineer set its clock.",
      ru: "В чеках время другого пояса, по нему же закрываются смены. Укажите в `timeZone` пояс места, где стоит касса, или вызовите инженера перевести её часы.",
    },
  };
}

type DriveFacts = Pick<DeviceState, "clock" | "unsent" | "fnDaysLeft" | "fnDocumentsLeft" | "fnWarnings">;

export function driveRows(state: DriveFacts, limits: Config["warnings"], register: string): readonly SetRow[] {
  const stop = driveStop(state);
  if (stop !== null) {
    const check = stop.code === "device.ofd-blocked" ? "ofd" : "drive";
    const said = asTrouble((messages, language) => faultWords(stop, messages, language, register));
    return [{ ...places[check], ...said, right: null, level: "wrong" }];
  }
  return [...driveLifeRows(state, limits), ofdRow(state, limits.unsentToOfdHours)];
}

const places = {
  drive: { check: "drive", place: { en: "fiscal drive", ru: "фискальный накопитель" } },
  ofd: { check: "ofd", place: { en: "OFD", ru: "ОФД" } },
} as const;

function driveLifeRows(state: DriveFacts, limits: Config["warnings"]): readonly SetRow[] {
  const row = { ...places.drive, right: null } as const;
  const ends = driveEnds(state, limits);
  if (ends.length > 0) return ends.map(({ said }) => ({ ...row, ...asTrouble(said), level: "look" }));
  const { fnDaysLeft: days } = state;
  const value = text((it) => (days === null ? it.drive.well : it.drive.daysLeft({ count: days })));
  return [{ ...row, value, level: "ok", effect: null }];
}

function ofdRow(state: DriveFacts, limitHours: number): SetRow {
  const row = { ...places.ofd, right: null } as const;
  const { unsent } = state;
  if (unsent === null) return { ...row, value: text((it) => it.ofd.unreported), level: "ok", effect: null };
  const { count } = unsent;
  if (count === 0) return { ...row, value: text((it) => it.ofd.none), level: "ok", effect: null };
  const hours = (unsentDays(state) ?? 0) * 24;
  if (hours <= limitHours) return { ...row, value: text((it) => it.ofd.waiting({ count })), level: "ok", effect: null };
  return { ...row, ...asTrouble(ofdQueue(hours).said), level: "look" };
}

/** `left`: for how many more days the documents may wait for the OFD. */
export function ofdQueue(waitedHours: number): { readonly left: number; readonly said: Said } {
  const hours = Math.round(waitedHours);
  const left = Math.max(0, OFD_DAYS - Math.floor(hours / 24));
  return { left, said: ({ troubles }) => filled(troubles.ofdQueue, { hours, left }) };
}

interface DriveEnd {
  readonly kind: "drive-days" | "drive-documents" | "drive-flag";
  /** The bit of the drive's warning (54-fz 7); 0: no bit says this. */
  readonly bit: number;
  readonly said: Said;
}

/** A number of days replaces the drive's bits about its term. */
export function driveEnds(
  { clock, fnDaysLeft: days, fnDocumentsLeft: count, fnWarnings }: DriveFacts,
  limits: Pick<Config["warnings"], "driveDaysLeft" | "driveDocumentsLeft">,
): readonly DriveEnd[] {
  const ends: DriveEnd[] = [];
  if (days !== null && days <= limits.driveDaysLeft) {
    const until = clock === null ? null : addSeconds(clock, days * 86_400).slice(0, 10);
    ends.push({ kind: "drive-days", bit: 0, said: ({ troubles }) => filled(troubles.driveDays, { days, until }) });
  }
  const next = ({ troubles }: Messages) => troubles.driveDays.next;
  if (count !== null && count <= limits.driveDocumentsLeft) {
    const said: Said = (messages) => ({ text: messages.troubles.driveDocuments({ count }), next: next(messages) });
    ends.push({ kind: "drive-documents", bit: 0, said });
  }
  const isTermSaid = ends[0]?.kind === "drive-days";
  const flags = driveFlags.filter(([bit]) => (fnWarnings & bit) !== 0 && !(isTermSaid && (bit & TERM_FLAGS) !== 0));
  const flagged = flags.map(([bit, words]): DriveEnd => {
    const said: Said = (messages, language) => ({
      text: words[language],
      next: (bit & OFD_FLAGS) === 0 ? next(messages) : "",
    });
    return { kind: "drive-flag", bit, said };
  });
  return [...ends, ...flagged];
}

const TERM_FLAGS = 0x01 | 0x02;
const OFD_FLAGS = 0x08 | 0x10 | 0x20 | 0x40;

/** The bits of the fiscal drive's warnings (54-fz 7). */
export const driveFlags: readonly (readonly [bit: number, text: FaultText])[] = [
  [
    0x01,
    {
      en: "The fiscal drive must be replaced within days.",
      ru: "Фискальный накопитель пора менять: осталось несколько дней.",
    },
  ],
  [
    0x02,
    { en: "The fiscal drive's key resource ends soon.", ru: "Ресурс ключей фискального накопителя заканчивается." },
  ],
  [0x04, { en: "The fiscal drive's memory is nearly full.", ru: "Память фискального накопителя почти заполнена." }],
  [0x08, { en: "The OFD has not answered in time.", ru: "ОФД не отвечает слишком долго." }],
  [0x10, { en: "The OFD refused a document.", ru: "ОФД отверг документ." }],
  [
    0x20,
    {
      en: "The OFD reports that the register's settings must be renewed.",
      ru: "ОФД сообщает: нужно обновить настройки кассы.",
    },
  ],
  [0x40, { en: "The OFD's licence is annulled.", ru: "У ОФД отозвано разрешение." }],
  [0x80, { en: "The fiscal drive reports a critical error.", ru: "Критическая ошибка фискального накопителя." }],
];
