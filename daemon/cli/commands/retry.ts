import { wrongValue } from "@fiscald/shared/command-line.js";
import { isFault } from "@fiscald/shared/fault.js";
import { toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import type { Config } from "../../config/config-schema.js";
import type { Messages } from "../../messages/messages.js";
import { commandReasons } from "../../messages/reasons/command-reasons.js";
import type { Job } from "../../store/job.js";
import { jobOf, requireKnown } from "../arguments.js";
import { type CliContext, daemonOf, type ExitCode, exitCodes } from "../cli-context.js";
import type { ActionOptions, RetryOptions } from "../options.js";
import { readState } from "../stored-state.js";
import { consents, movesCash, nameJob, nameRegister } from "../terminal/consent.js";
import { runAction } from "./run-action.js";

const states = ["failed", "refused"] as const;
const maxJobs = 1000;

/** Queues failed or refused jobs again: the named ones, or all that match the filters. */
export async function retryJobs(
  context: CliContext,
  options: RetryOptions,
  names: readonly string[],
): Promise<ExitCode> {
  const { config, language, words } = daemonOf(context, options);
  const jobs = names.length > 0 ? names.map((name) => jobOf(config, name)) : findJobs(config, options);
  if (jobs.length === 0) context.out(`${words.commands.noSuchJob}\n`);
  const moving = readState(config, (stored) => jobs.map((id) => stored.jobs.get(id)).filter(movesCash));
  const asked = ({ cash }: Messages["commands"]["asks"]) =>
    moving.map((job) => cash({ register: nameRegister(config, job.register), what: nameJob(job, words) })).join("\n");
  const yes = options.yes || moving.length === 0;
  if (!(await consents(context, { yes, language }, asked))) return exitCodes.failed;
  return actOnJobs(context, options, jobs, { name: "retry", done: ({ queuedAgain }) => queuedAgain });
}

interface ActionOnJobs {
  /** The last part of the call's path. */
  readonly name: "retry" | "set-aside" | "approve" | "as-correction";
  readonly body?: object;
  readonly done: (words: Messages["commands"]) => (of: { readonly job: number }) => string;
}

/** One refusal stops no others. */
export async function actOnJobs(
  context: CliContext,
  options: ActionOptions,
  jobs: readonly number[],
  { name, body = {}, done }: ActionOnJobs,
): Promise<ExitCode> {
  const { language, words } = daemonOf(context, options);
  let refused = 0;
  for (const job of jobs) {
    try {
      const path = `/api/jobs/${job}/${name}`;
      await runAction(context, options, { path, body, done: (said) => done(said)({ job }) });
    } catch (error) {
      if (!isFault(error) || error.area !== "job" || jobs.length === 1) throw error;
      refused += 1;
      const text = language === "en" ? error.message : (error.ru ?? error.text[language]);
      context.err(`${words.commands.notQueued({ job, text })}\n`);
    }
  }
  return refused === 0 ? exitCodes.done : exitCodes.failed;
}

/** Jobs that match the filters, oldest first. */
function findJobs(config: Config, { state, site, register, since }: RetryOptions): readonly number[] {
  if ([state, site, register, since].every((filter) => filter === undefined)) throw wrongValue(commandReasons.noFilter);
  const wanted = states.filter((known) => state === undefined || known === state);
  if (wanted.length === 0) throw wrongValue(commandReasons.mustBeOneOf("--state", states.join(", ")));
  if (site !== undefined) requireKnown(config, "site", site);
  if (register !== undefined) requireKnown(config, "register", register);
  const from = since === undefined ? 0 : Date.parse(since);
  if (Number.isNaN(from)) throw wrongValue(commandReasons.since(since ?? ""));
  const filter = {
    ...(site === undefined ? {} : { site: toSiteId(site) }),
    ...(register === undefined ? {} : { register: toRegisterId(register) }),
  };
  const found = readState(config, ({ jobs }) =>
    wanted.flatMap((one): Job[] => jobs.list({ ...filter, state: one, limit: maxJobs })),
  );
  return found
    .filter(({ updatedAt }) => updatedAt >= from)
    .map(({ id }) => id)
    .sort((one, other) => one - other);
}
