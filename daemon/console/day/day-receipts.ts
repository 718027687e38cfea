/** The receipts of one day with their outcomes, for the day's view and its CSV. */
import { setImmediate } from "node:timers/promises";
import { type Kopecks, kopecks, sumKopecks } from "@fiscald/shared/amounts.js";
import { faultCodes } from "@fiscald/shared/fault-codes.js";
import {
  addSeconds,
  instantOf,
  type LocalTime,
  localTimeAt,
  parseLocalTime,
  partsOf,
} from "@fiscald/shared/local-time.js";
import { type SaleReceipt, signOf } from "@fiscald/shared/receipt/receipt.js";
import { paidDay } from "../../registers/operator/as-correction.js";
import type { RegisterSnapshot } from "../../registers/register-snapshot.js";
import type { Job } from "../../store/job.js";
import type { EventState } from "../../store/outbox-store.js";
import type { ConsoleParts } from "../console-parts.js";

export type DayReceipt = ReturnType<typeof toDayReceipt>;

export interface DayBounds {
  /** Such as `2026-11-25`. */
  readonly day: string;
  /** From midnight to midnight in the registers' zone, in milliseconds since 1970. */
  readonly from: number;
  readonly before: number;
}

const AT_ONCE = 200;
const CASH = 0;
const DAY_SECONDS = 24 * 60 * 60;

/** The first register's zone, or without registers this machine's. */
export function zoneOf([first]: readonly Pick<RegisterSnapshot, "settings">[]): string {
  return first?.settings.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function parseDay(text: string, timeZone: string): DayBounds | null {
  const midnight = parseLocalTime(`${text}T00:00`);
  return midnight === null ? null : dayFrom(midnight, timeZone);
}

export function dayBoundsAt(now: number, timeZone: string): DayBounds {
  const time = localTimeAt(now, timeZone);
  const { hour, minute, second } = partsOf(time);
  return dayFrom(addSeconds(time, -((hour * 60 + minute) * 60 + second)), timeZone);
}

function dayFrom(midnight: LocalTime, timeZone: string): DayBounds {
  const next = addSeconds(midnight, DAY_SECONDS);
  return { day: midnight.slice(0, 10), from: instantOf(midnight, timeZone), before: instantOf(next, timeZone) };
}

/**
 * A printed receipt counts on its day by the register's clock, any other on the day of its payment, or else of its
 * order. Registers are served between the pieces of the reading.
 */
export async function readDayReceipts(
  { jobs, dayFacts, snapshots, clock }: Pick<ConsoleParts, "jobs" | "dayFacts" | "snapshots" | "clock">,
  day: DayBounds,
): Promise<readonly DayReceipt[]> {
  // Receipts are kept by id, so that none counts twice when a new order moves older ones to the next piece.
  const found = new Map<number, DayReceipt>();
  const paidIn = (job: Job) => paidDay(job, snapshots(), clock.now());
  for (let offset = 0; ; offset += AT_ONCE) {
    const some = jobs.list({ ofDay: day, limit: AT_ONCE, offset });
    const results = dayFacts.results(some.at(-1)?.id ?? 0, some[0]?.id ?? 0);
    for (const job of some) {
      if (job.receipt.kind === "receipt")
        found.set(job.id, toDayReceipt(job, job.receipt, results.get(job.id) ?? null, paidIn(job)));
    }
    if (some.length < AT_ONCE) return [...found.values()].reverse();
    await setImmediate();
  }
}

function toDayReceipt(job: Job, receipt: SaleReceipt, result: EventState | null, paidOn: string | null) {
  const total = job.total ?? kopecks(0);
  return {
    ...{ job: job.id, site: job.site, order: receipt.orderId, receiptId: receipt.receiptId },
    ...{ operation: receipt.operation, what: signOf(receipt), total, register: job.register, state: job.state },
    isPersonsReturn: job.source === "operator" && job.operation === "return" && !job.forced,
    why: job.fault === null ? null : faultCodes[job.fault.code].text,
    /** What was paid, by type of payment. Cash is without change. */
    payments: paid(receipt, total),
    ...{ document: job.document, paidOn },
    /** The state of the result's delivery; null: there is no result to deliver so far. */
    result,
    /** When the receipt was ordered, in milliseconds since 1970. */
    at: job.createdAt,
    /** The fiscal sign of the document that this receipt puts right (tag 1192); null: the receipt names none. */
    fixes: receipt.requisites?.additional ?? null,
  };
}

function paid({ payments }: SaleReceipt, total: Kopecks): ReadonlyMap<number, Kopecks> {
  const cashless = payments.filter(({ typeClose }) => typeClose !== CASH);
  const sums = new Map<number, Kopecks>(cashless.map(({ typeClose, sum }) => [typeClose, sum]));
  const cash = kopecks(total - sumKopecks(cashless.map(({ sum }) => sum)));
  return cash === 0 ? sums : new Map([[CASH, cash], ...sums]);
}
