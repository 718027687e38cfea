import { wrongValue } from "@fiscald/shared/command-line.js";
import type { Config } from "../../config/config-schema.js";
import { type JobView, jobView } from "../../console/views.js";
import { timeForPeople } from "../../logging/line-format.js";
import { type Language, messagesIn } from "../../messages/messages.js";
import { commandReasons } from "../../messages/reasons/command-reasons.js";
import { jobKind } from "../../messages/rows.js";
import type { JobState } from "../../store/job.js";
import { jobStates } from "../../store/rows/job-row.js";
import { jobFilter, requireKnown } from "../arguments.js";
import { daemonConfig, type ExitCode, exitCodes, printJson, type Session } from "../cli-context.js";
import { withStoredState } from "../stored-state.js";
import { nameRegister } from "../terminal/consent.js";
import { formatState, formatTable } from "../terminal/output.js";

const limit = 50;

export function printJobs(session: Session): ExitCode {
  const { context, options, language, words } = session;
  const config = daemonConfig(session);
  const { state, site, register } = options;
  const filter = { limit: limit + 1, ...jobFilter(options), ...(state === undefined ? {} : { state: toState(state) }) };
  const found = withStoredState(config, (stored) => stored.jobs.list(filter).map(jobView));
  const jobs = found.slice(0, limit);
  // A site or register that was removed from the config may still have jobs, so the name is checked last.
  if (jobs.length === 0 && site !== undefined) requireKnown(config, "site", site);
  if (jobs.length === 0 && register !== undefined) requireKnown(config, "register", register);
  if (options.json) printJson(context, { jobs });
  else {
    const rows = jobs.map((job) => row(job, config, language));
    context.out(formatTable(words.commands.jobColumns, rows));
    if (found.length > limit) context.err(`${words.commands.moreJobs({ limit })}\n`);
  }
  return exitCodes.done;
}

function toState(text: string): JobState {
  const state = jobStates.find((known) => known === text);
  if (state !== undefined) return state;
  throw wrongValue(commandReasons.mustBeOneOf({ place: "--state", names: jobStates.join(", ") }));
}

function row(job: JobView, config: Config, language: Language): readonly string[] {
  const { commands, page } = messagesIn(language);
  return [
    String(job.id),
    formatState(job.state, language),
    job.site ?? commands.sources[job.source],
    job.order ?? "",
    nameRegister(config, job.register),
    language === "en" ? job.what : jobKind(job.what, page),
    job.total === null ? "" : commands.sum({ roubles: job.total }),
    job.document === null ? "" : String(job.document.fd),
    timeForPeople(Date.parse(job.updatedAt))[language],
    (language === "en" ? job.fault?.message : job.fault?.text[language]) ?? "",
  ];
}
