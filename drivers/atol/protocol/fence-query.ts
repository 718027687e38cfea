/**
 * A job of questions that its answer names: they are asked in an order that follows from the job's uuid. Answers of the print
 * service do not say which request they belong to; an earlier one has other questions answered, or in another order. Pure.
 */
import { Fault } from "@fiscald/shared/fault.js";
import type { z } from "zod";
import type { DrawerTotals } from "../../fiscal-driver.js";
import {
  deviceStatusSchema,
  drawerOf,
  fnInfoSchema,
  fnStatusSchema,
  ofdStatusSchema,
  parseAnswer,
  shiftStatusSchema,
  shiftTotalsSchema,
} from "./answers.js";
import type { TaskView } from "./client.js";
import { resultOf } from "./task-result.js";
import type { QueryType } from "./tasks.js";

/** What was so when the questions' turn came. */
export interface Seen {
  readonly lastFd: number;
  readonly drawer: DrawerTotals;
}

/** No more than a state read asks for: what answers that answers these. */
const shapes = {
  getFnInfo: fnInfoSchema,
  getFnStatus: fnStatusSchema,
  getShiftStatus: shiftStatusSchema,
  getDeviceStatus: deviceStatusSchema,
  getShiftTotals: shiftTotalsSchema,
  ofdExchangeStatus: ofdStatusSchema,
} satisfies Partial<Record<QueryType, z.ZodType>>;
const askable = [
  "getFnInfo",
  "getFnStatus",
  "getShiftStatus",
  "getDeviceStatus",
  "getShiftTotals",
  "ofdExchangeStatus",
] as const;

/** Digits of the uuid that choose a question each. */
const NAMING_DIGITS = 6;

/** The two that tell what was made and moved, and those that name the job. */
export function questionsOf(uuid: string): readonly QueryType[] {
  return ["getFnStatus", "getShiftTotals", ...namingOf(uuid)];
}

/** Faults: `link.foreign` for an answer to something else, `link.lost` when they were taken back, `device.*` where the register could not answer. */
export function seenIn(uuid: string, views: readonly TaskView[]): Seen {
  const types = questionsOf(uuid);
  if (views.length !== types.length) {
    throw new Fault("link.foreign", { message: `${types.length} questions have ${views.length} answers` });
  }
  if (views.some(({ status }) => status === "canceled")) {
    throw new Fault("link.lost", { message: "somebody took the questions at the end of the queue back" });
  }
  const results = types.map((type, place) => resultOf({ type }, views[place]));
  for (const [place, type] of namingOf(uuid).entries()) parseAnswer(type, shapes[type], results[place + 2]);
  const { fnStatus } = parseAnswer("getFnStatus", fnStatusSchema, results[0]);
  const { shiftTotals } = parseAnswer("getShiftTotals", shiftTotalsSchema, results[1]);
  return { lastFd: fnStatus.fiscalDocumentNumber, drawer: drawerOf(shiftTotals) };
}

function namingOf(uuid: string) {
  const digits = [...uuid.slice(0, NAMING_DIGITS)];
  return digits.map((digit) => askable[Number.parseInt(digit, 16) % askable.length] ?? "getFnStatus");
}
