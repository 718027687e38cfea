/** The subjects of a command line: jobs by number, by order or by a filter, registers and sites of the config. */
import { wrongValue } from "@fiscald/shared/command-line.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toOrderId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import type { Config } from "../config/config-schema.js";
import { inEveryLanguage } from "../messages/messages.js";
import { commandReasons } from "../messages/reasons/command-reasons.js";
import type { Job } from "../store/job.js";
import type { CliOptions } from "./options.js";
import { withStoredState } from "./stored-state.js";
import { sayJob } from "./terminal/consent.js";

/** Parses the id of a job or event. Throws `usage.wrong`. */
export function idNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw wrongValue(commandReasons.noNumber({ text }));
  return value;
}

/** Throws `usage.wrong`, with the configured names, if the config does not have this name. */
export function requireKnown(
  config: Pick<Config, "sites" | "registers">,
  kind: "site" | "register",
  name: string,
): void {
  const known: readonly string[] = (kind === "site" ? config.sites : config.registers).map(({ id }) => id);
  if (known.includes(name)) return;
  const message = (kind === "site" ? commandReasons.noSite : commandReasons.noRegister)({
    name,
    known: known.join(", "),
  });
  throw new Fault("usage.wrong", { message });
}

const jobsOfOrder = 100;
const jobsToRepeat = 1000;

function numberIn(text: string): number | null {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

type NotFound = "noJob" | "noSale" | "notInTill";

/** The job that the argument JOB names, by the job's number or by the id of an order with exactly one job. */
export function jobOf(config: Config, text: string, none: NotFound = "noJob"): number {
  const number = numberIn(text);
  return withStoredState(config, ({ jobs }) => {
    if (number !== null && jobs.find(number) !== null) return number;
    const found = jobs.list({ orderId: toOrderId(text), limit: jobsOfOrder });
    return onlyOne(text, found, none).id;
  });
}

/** The printed sale of the order. If the order has several, the number of a job names one. */
export function saleOf(config: Config, text: string): Job {
  const isPrintedSale = ({ state, operation }: Job) => state === "printed" && operation === "sale";
  const number = numberIn(text);
  return withStoredState(config, ({ jobs }) => {
    const ofOrder = jobs.list({ orderId: toOrderId(text), limit: jobsOfOrder }).filter(isPrintedSale);
    const named = ofOrder.length > 0 || number === null ? null : jobs.find(number);
    return onlyOne(text, named === null ? ofOrder : [named].filter(isPrintedSale), "noSale");
  });
}

/** Throws when several jobs fit, and says what each of them is. */
function onlyOne(text: string, [job, ...others]: readonly Job[], none: NotFound): Job {
  if (job === undefined)
    throw new Fault("job.not-found", { message: commandReasons[none]({ text, order: text }), place: text });
  if (others.length === 0) return job;
  const said = inEveryLanguage((words) =>
    [job, ...others].map((one) => `${one.id} ${sayJob(one, words)}, ${words.page.jobStates[one.state]}`).join("; "),
  );
  throw wrongValue(commandReasons.severalJobs({ order: text, jobs: said }));
}

/** The failed and refused jobs that the filters find, oldest first. */
export function jobsToRetry(config: Config, { state, site, register, since }: CliOptions): readonly number[] {
  if ([state, site, register, since].every((filter) => filter === undefined)) throw wrongValue(commandReasons.noFilter);
  const states = (["failed", "refused"] as const).filter((known) => state === undefined || known === state);
  if (states.length === 0) throw wrongValue(commandReasons.mustBeOneOf({ place: "--state", names: "failed, refused" }));
  if (site !== undefined) requireKnown(config, "site", site);
  if (register !== undefined) requireKnown(config, "register", register);
  const from = since === undefined ? 0 : Date.parse(since);
  if (Number.isNaN(from)) throw wrongValue(commandReasons.since({ text: since ?? "" }));
  const filter = jobFilter({ site, register });
  const found = withStoredState(config, ({ jobs }) =>
    states.flatMap((one) => jobs.list({ ...filter, state: one, limit: jobsToRepeat })),
  );
  return found
    .filter(({ updatedAt }) => updatedAt >= from)
    .map(({ id }) => id)
    .sort((one, other) => one - other);
}

export function jobFilter({ site, register }: Pick<CliOptions, "site" | "register">) {
  return {
    ...(site === undefined ? {} : { site: toSiteId(site) }),
    ...(register === undefined ? {} : { register: toRegisterId(register) }),
  };
}
