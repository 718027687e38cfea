import { Fault } from "@fiscald/shared/fault.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import type { Config } from "../config/config-schema.js";
import { readState, type StoredState } from "./stored-state.js";

const jobsShown = 20;

/** What stands for JOB on a command line: the number of a job, or the id of an order that has one job. */
export function jobOf(config: Config, text: string): number {
  const number = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
  return readState(config, ({ jobs }) => {
    if (number !== null && jobs.find(number) !== null) return number;
    const found = jobs.list({ orderId: toOrderId(text), limit: jobsShown });
    const [only] = found;
    if (only === undefined) {
      throw new Fault("job.not-found", { message: `there is no job and no order ${text}`, place: text });
    }
    if (found.length > 1) throw new Fault("usage.wrong", { message: severalJobs(text, found) });
    return only.id;
  });
}

function severalJobs(order: string, jobs: ReturnType<StoredState["jobs"]["list"]>): string {
  const listed = jobs.map(({ id, state }) => `${id} ${state}`).join(", ");
  return `the order ${order} has several jobs: ${listed}. Name one by its number`;
}
