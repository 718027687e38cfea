/** Reads the arguments and options that name jobs, orders, registers and sites. */
import { wrongValue } from "@fiscald/shared/command-line.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toOrderId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import type { Config } from "../config/config-schema.js";
import { inEveryLanguage, type Messages } from "../messages/messages.js";
import { commandReasons } from "../messages/reasons/command-reasons.js";
import type { Job } from "../store/job.js";
import type { CliOptions } from "./options.js";
import { withStoredState } from "./stored-state.js";
import { nameRegister, sayJob } from "./terminal/consent.js";

export function idNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw wrongValue(commandReasons.noNumber({ text }));
  return value;
}

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

type NotFound = "noJob" | "noSale" | "notInTill";

interface Wanted {
  readonly none?: NotFound;
  readonly site?: string | undefined;
  /** The argument is read as an order's number first, and as a job's number only when no order has it. */
  readonly isOrderFirst?: true;
  isMeant?(job: Job): boolean;
}

/** The argument is a job's number (`21` or `#21`), or the number of an order that has exactly one job. */
export function jobOf(config: Config, text: string, wanted: Wanted = {}): Job {
  const { none = "noJob", site, isOrderFirst, isMeant = () => true } = wanted;
  if (site !== undefined) requireKnown(config, "site", site);
  const [, number] = /^#?([1-9]\d{0,14})$/.exec(text) ?? [];
  return withStoredState(config, ({ jobs }) => {
    const ofOrder = jobs.list({ orderId: toOrderId(text), limit: jobsOfOrder });
    const byNumber = number === undefined ? null : jobs.find(Number(number));
    const isOrder = byNumber === null || (isOrderFirst === true && ofOrder.length > 0);
    const found = (isOrder ? ofOrder : [byNumber]).filter((job) => site === undefined || job.site === site);
    return onlyOne(config, found.filter(isMeant), { text, none });
  });
}

/** Where an order has several printed sales, a job's number or `--site` selects the sale. */
export function saleOf(config: Config, text: string, { site }: Pick<CliOptions, "site">): Job {
  const isMeant = ({ state, operation }: Job) => state === "printed" && operation === "sale";
  return jobOf(config, text, { none: "noSale", site, isOrderFirst: true, isMeant });
}

function onlyOne(
  config: Config,
  [job, ...others]: readonly Job[],
  { text, none }: { text: string; none: NotFound },
): Job {
  if (job === undefined)
    throw new Fault("job.not-found", { message: commandReasons[none]({ text, order: text }), place: text });
  if (others.length === 0) return job;
  const jobs = inEveryLanguage((words) => [job, ...others].map((one) => sayPlaced(one, config, words)).join("; "));
  throw wrongValue(commandReasons.severalJobs({ order: text, jobs, first: `#${job.id}` }));
}

function sayPlaced(job: Job, config: Config, words: Messages): string {
  const { id, state, register, site } = job;
  const named = [`#${id} ${sayJob(job, words)}`, words.page.jobStates[state], nameRegister(config, register)];
  return [...named, ...(site === null ? [] : [site])].join(", ");
}

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
