import { plural } from "../../rows.js";

/** The orders that a trouble is about. A job without an order is named by `#` and its number. */
export interface Counted {
  readonly count: number;
  /** The first orders, joined with commas. */
  readonly names: string;
  /** The number of orders that are not in `names`. */
  readonly more: number;
}

export interface OfJobs {
  readonly jobs: string;
}

export interface Caused extends Counted {
  readonly text: string;
}

export interface Days {
  readonly days: number;
}

export const commandsForJobs = (name: string, { jobs }: OfJobs) =>
  jobs
    .split(" ")
    .map((job) => `\`fiscald ${name} ${job}\``)
    .join(", ");

export const isJob = ({ names }: Counted) => names.startsWith("#");
export const inEnglish = ({ names, more }: Counted) => `${names}${more > 0 ? ` and ${more} more` : ""}`;
export const inRussian = ({ names, more }: Counted) => `${names}${more > 0 ? ` и ещё ${more}` : ""}`;

/** `Order A-1 was refused.` or `2 orders were refused: A-1, A-2.` */
export function english(counted: Counted, one: string, many: string): string {
  const noun = isJob(counted) ? "job" : "order";
  const { count } = counted;
  if (count === 1) return `${noun === "order" ? "Order" : "Job"} ${inEnglish(counted)} ${one}.`;
  return `${count} ${noun}s ${many}: ${inEnglish(counted)}.`;
}

/** `Заказ A-1 отклонён.` or `2 заказа отклонены: A-1, A-2.`, with «задание» for a job without an order. */
export function russian(counted: Counted, one: readonly [order: string, job: string], many: string): string {
  const { count } = counted;
  if (count === 1)
    return `${isJob(counted) ? "Задание" : "Заказ"} ${inRussian(counted)} ${one[isJob(counted) ? 1 : 0]}.`;
  const noun = isJob(counted)
    ? plural(count, "задание", "задания", "заданий")
    : plural(count, "заказ", "заказа", "заказов");
  return `${count} ${noun} ${many}: ${inRussian(counted)}.`;
}

export const daysOf = (count: number) => `${count} day${count === 1 ? "" : "s"}`;
export const russianDays = (count: number) => `${count} ${plural(count, "день", "дня", "дней")}`;
export const hoursOrDays = (hours: number) => (hours < 48 ? `${hours} h` : daysOf(Math.floor(hours / 24)));
export const russianHoursOrDays = (hours: number) => (hours < 48 ? `${hours} ч` : russianDays(Math.floor(hours / 24)));
export const minutesOrMore = (minutes: number) =>
  minutes < 60 ? `${minutes} min` : hoursOrDays(Math.round(minutes / 60));
export const russianMinutesOrMore = (minutes: number) =>
  minutes < 60 ? `${minutes} мин` : russianHoursOrDays(Math.round(minutes / 60));

/** `2026-12-08` becomes `8 декабря`. */
export function dayOf(date: string): string {
  const at = Date.parse(date);
  if (Number.isNaN(at)) return date;
  return new Intl.DateTimeFormat("ru", { day: "numeric", month: "long", timeZone: "UTC" }).format(at);
}

export const messagesInRussian = (count: number) => plural(count, "сообщение", "сообщения", "сообщений");

const two = (value: number) => String(value).padStart(2, "0");

/** Milliseconds since 1970, written in this computer's zone. */
export interface Moment {
  readonly at: number;
}

const timeOf = (date: Date) => `${two(date.getHours())}:${two(date.getMinutes())}`;

export function minute({ at }: Moment): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${timeOf(date)}`;
}

export function russianMinute({ at }: Moment): string {
  const date = new Date(at);
  return `${two(date.getDate())}.${two(date.getMonth() + 1)}.${date.getFullYear()}, ${timeOf(date)}`;
}
