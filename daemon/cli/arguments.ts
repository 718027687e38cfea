/** Reads the words of a command line: numbers, names from the config, jobs. */
import { wrongValue } from "@fiscald/shared/command-line.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import type { Config } from "../config/config-schema.js";
import { commandReasons } from "../messages/reasons/command-reasons.js";
import type { Job } from "../store/job.js";
import { readState } from "./stored-state.js";

/** Parses an option's value as a whole number, for commander. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw wrongValue(commandReasons.wholeNumber);
  return value;
}

/** Parses the id of a job or event. Throws `usage.wrong`. */
export function idNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw wrongValue(commandReasons.noNumber(text));
  return value;
}

/** Throws `usage.wrong` with the configured names if the config does not have this one. */
export function requireKnown(
  config: Pick<Config, "sites" | "registers">,
  kind: "site" | "register",
  name: string,
): void {
  const known: readonly string[] = (kind === "site" ? config.sites : config.registers).map(({ id }) => id);
  if (known.includes(name)) return;
  const message = (kind === "site" ? commandReasons.noSite : commandReasons.noRegister)(name, known.join(", "));
  throw new Fault("usage.wrong", { message });
}

const jobsShown = 20;

/** The job that the argument JOB names: the number of a job, or the id of an order with exactly one job. */
export function jobOf(config: Config, text: string): number {
  const number = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
  return readState(config, ({ jobs }) => {
    if (number !== null && jobs.find(number) !== null) return number;
    const found = jobs.list({ orderId: toOrderId(text), limit: jobsShown });
    const [only] = found;
    if (only === undefined) throw new Fault("job.not-found", { message: commandReasons.noJob(text), place: text });
    if (found.length === 1) return only.id;
    throw severalJobs(text, found);
  });
}

export function severalJobs(order: string, jobs: readonly Pick<Job, "id" | "state">[]): Fault {
  return wrongValue(commandReasons.severalJobs(order, jobs.map(({ id, state }) => `${id} ${state}`).join(", ")));
}
