/**
 * A job of queries whose order follows from the job's uuid, so that its answer identifies it. Answers of the print
 * service do not name their request; an earlier answer has other queries, or another order. Pure.
 */
import { Fault } from "@fiscald/shared/fault.js";
import type { DrawerTotals } from "../../fiscal-driver.js";
import { answerTo, drawerOf, type QueryType } from "./answers.js";
import { type TaskView, taskResultOf } from "./client.js";

export interface FenceFacts {
  readonly lastFd: number;
  readonly drawer: DrawerTotals;
}

/** Questions that the fence may ask. A state read asks all of them, so each register can answer them. */
const askable = [
  "getFnInfo",
  "getFnStatus",
  "getShiftStatus",
  "getDeviceStatus",
  "getShiftTotals",
  "ofdExchangeStatus",
] as const satisfies readonly QueryType[];

/** Number of uuid digits that are used; each digit chooses one question. */
const NAMING_DIGITS = 6;

/** The two queries for documents and cash, and those that identify the job. */
export function questionsOf(uuid: string): readonly QueryType[] {
  return ["getFnStatus", "getShiftTotals", ...namingOf(uuid)];
}

/**
 * What the answers to the fence's questions show. Faults: `link.foreign` for an answer to something else, `link.lost`
 * when the questions were taken back, `device.*` where the register could not answer.
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
