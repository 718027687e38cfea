/**
 * A job of queries whose order follows from the job's uuid. An answer of the print service does not name its request,
 * but the answer to another job has other queries, or another order. Pure.
 */
import { Fault } from "@fiscald/shared/fault.js";
import type { DrawerTotals } from "../../fiscal-driver.js";
import { answerTo, drawerOf, type QueryType } from "./answers.js";
import { type TaskView, taskResultOf } from "./client.js";

export interface FenceFacts {
  readonly lastFd: number;
  readonly drawer: DrawerTotals;
}

/** Queries that the fence may use. A reading of the state sends all of them, so each register can answer them. */
const askable = [
  "getFnInfo",
  "getFnStatus",
  "getShiftStatus",
  "getDeviceStatus",
  "getShiftTotals",
  "ofdExchangeStatus",
] as const satisfies readonly QueryType[];

/** How many digits of the uuid are used; each digit chooses one query. */
const NAMING_DIGITS = 6;

export function questionsOf(uuid: string): readonly QueryType[] {
  return ["getFnStatus", "getShiftTotals", ...namingOf(uuid)];
}

/**
 * What the answers to the fence's queries show. Faults: `link.foreign` for the answer to another job, `link.lost` when
 * the queries were cancelled, `device.*` where the register could not answer.
 */
export function readFenceFacts(uuid: string, views: readonly TaskView[]): FenceFacts {
  const types = questionsOf(uuid);
  if (views.length !== types.length) {
    throw new Fault("link.foreign", { message: `${types.length} questions have ${views.length} answers` });
  }
  if (views.some(({ status }) => status === "canceled")) {
    throw new Fault("link.lost", { message: "the queries at the end of the queue were taken back" });
  }
  const results = types.map((type, place) => taskResultOf({ type }, views[place]));
  for (const [place, type] of namingOf(uuid).entries()) answerTo(type, results[place + 2]);
  const { fnStatus } = answerTo("getFnStatus", results[0]);
  const { shiftTotals } = answerTo("getShiftTotals", results[1]);
  return { lastFd: fnStatus.fiscalDocumentNumber, drawer: drawerOf(shiftTotals) };
}

function namingOf(uuid: string) {
  const digits = [...uuid.slice(0, NAMING_DIGITS)];
  return digits.map((digit) => askable[Number.parseInt(digit, 16) % askable.length] ?? "getFnStatus");
}
