import { formatRoubles, kopecks } from "@fiscald/shared/amounts.js";
import { detailInRussian, type Fault, isFault } from "@fiscald/shared/fault.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import type { LogFields, LogLevel } from "@fiscald/shared/logger.js";
import type { Language } from "../messages/messages.js";
import { maskText, maskValue } from "./mask.js";

export const levels: Readonly<Record<LogLevel, number>> = { error: 0, warn: 1, info: 2, debug: 3, wire: 4 };

export interface LogEvent {
  /** Wall clock in ms. */
  readonly at: number;
  readonly level: LogLevel;
  readonly namespace: string;
  /** Fields of child loggers, which stand before the message. */
  readonly context: LogFields;
  readonly message: string;
  /** Fields of this event, which stand after the message. */
  readonly fields: LogFields;
}

const moneyFields = new Set(["sum", "total", "sales", "returns"]);

/**
 * Formats one event as one line:
 * `2026-11-20 14:03:22.118+03:00 INFO registers kkm=0001 job=57 order=A-1042 printed document=318 sum=1520.00 in 2.3s`
 * Sums are given in kopecks, and `ms` is a number. A fault shows its code, its own words and what to do, in the
 * language of the log. The message is English.
 */
export function formatLine(event: LogEvent, language: Language): string {
  const head = [zonedTime(event.at), event.level.toUpperCase(), event.namespace];
  const parts = [
    ...head,
    ...textOf(event.context, event.level, language),
    maskText(event.message).replace(/\r?\n/g, "\\n"),
    ...textOf(event.fields, event.level, language),
  ];
  return parts.join(" ");
}

function textOf(fields: LogFields, level: LogLevel, language: Language): readonly string[] {
  return Object.entries(fields).flatMap(([key, value]) => {
    if (value === undefined || value === null) return [];
    if (isFault(value)) return faultText(value, level, language);
    if (key === "ms" && typeof value === "number") return [`in ${(value / 1000).toFixed(1)}s`];
    return [`${key}=${valueText(key, value)}`];
  });
}

function faultText(fault: Fault, level: LogLevel, language: Language): readonly string[] {
  const details = Object.entries(fault.details).filter(
    // A warning is for an operator, so it has no bytes of the wire. The console and a support file have them.
    ([key, value]) => value !== undefined && value !== null && !(level === "warn" && key === "frames"),
  );
  return [
    `code=${fault.code}`,
    quote(maskText(wordsOf(fault, language))),
    ...(fault.place === null || fault.message.includes(fault.place)
      ? []
      : [`place=${quoteIfNeeded(maskText(fault.place))}`]),
    `hint=${quote(fault.hint[language])}`,
    ...(details.length === 0 ? [] : [`details=${JSON.stringify(maskValue(Object.fromEntries(details)))}`]),
    ...causeText(fault),
  ];
}

/** In Russian, the exact reason follows the meaning of the code. */
function wordsOf(fault: Fault, language: Language): string {
  if (language === "en") return fault.message;
  return [fault.text.ru, detailInRussian(fault)].filter(Boolean).join(" ");
}

/** Only the stack leads to the place of a mistake in the program. */
function causeText(fault: { readonly code: string; readonly cause?: unknown }): readonly string[] {
  if (fault.code !== "internal" || !(fault.cause instanceof Error)) return [];
  return [`stack=${quote(maskText(fault.cause.stack ?? ""))}`];
}

export function valueText(key: string, value: unknown): string {
  if (moneyFields.has(key) && typeof value === "number" && Number.isSafeInteger(value))
    return formatRoubles(kopecks(value));
  const masked = maskValue(value, key);
  if (typeof masked === "string") return quoteIfNeeded(masked);
  return typeof masked === "object" ? JSON.stringify(masked) : String(masked);
}

function quoteIfNeeded(text: string): string {
  return /^[^\s"=]+$/.test(text) ? text : quote(text);
}

function quote(text: string): string {
  return JSON.stringify(text);
}

/** `2026-11-20 14:03:22.118+03:00`, with the zone as a part of the time. */
function zonedTime(at: number): string {
  const minutes = -new Date(at).getTimezoneOffset();
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return `${localTime(at)}${minutes < 0 ? "-" : "+"}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}

/** `2026-11-20 14:03`, in Russian `20.11.2026, 14:03`, by this computer's clock and zone. */
export function timeForPeople(at: number): FaultText {
  const ru = new Date(at).toLocaleString("ru", { dateStyle: "short", timeStyle: "short" });
  return { en: localTime(at).slice(0, 16), ru };
}

/** `2026-11-20 14:03:22.118`, by this computer's clock and zone. */
export function localTime(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return `${day} ${time}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}
