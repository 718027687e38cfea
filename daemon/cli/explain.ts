import { Fault } from "@fiscald/shared/fault.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import { type JobStory, jobStory } from "../console/job-story.js";
import { localTime } from "../logging/line-format.js";
import { type CliContext, type ExitCode, exitCodes, loadCliConfig, printJson } from "./cli-context.js";
import { readState } from "./stored-state.js";

export interface ExplainOptions {
  readonly config?: string | undefined;
  readonly json?: boolean | undefined;
}

const enough = 100;

/** One order's whole story: poll, parsing, routing, every attempt, recovery, each delivery of its result. */
export function explainOrder(context: CliContext, order: string, options: ExplainOptions): ExitCode {
  const config = loadCliConfig(context, options.config);
  const stories = readState(config, (stored) =>
    stored.jobs
      .list({ orderId: toOrderId(order), limit: enough })
      .reverse()
      .map((job) => jobStory(job, stored)),
  );
  if (stories.length === 0) {
    throw new Fault("job.not-found", { message: `no job of the order ${order} is known`, place: order });
  }
  if (options.json === true) printJson(context, { order, jobs: stories });
  else for (const story of stories) context.out(`${tellStory(story)}\n`);
  return exitCodes.done;
}

interface Moment {
  /** ISO 8601, so that it sorts as text. */
  readonly at: string;
  readonly text: string;
}

/** Where the job stands, then what happened in the order of time (each attempt is in the journal), then its deliveries. */
export function tellStory(story: JobStory): string {
  const moments = [...polled(story), ...story.journal.map(entryMoment)];
  // Sorting is stable: what happened within one millisecond stays in the order it was written down.
  const told = moments.toSorted((one, other) => one.at.localeCompare(other.at));
  return [...head(story), ...told.map(({ at, text }) => `  ${short(at)}  ${text}`), ...deliveries(story)].join("\n");
}

function head({ job }: JobStory): readonly string[] {
  const { document, fault } = job;
  return [
    `job ${job.id}  ${job.state}  ${job.what}  ${job.total ?? ""}  register ${job.register}`,
    ...(document === null
      ? []
      : [`  FN ${document.fn}  FD ${document.fd}  FP ${document.fiscalSign}  shift ${document.shift}`]),
    ...(fault === null ? [] : [`  ${fault.code}: ${fault.message}`, `  ${fault.hint.en}`]),
  ];
}

function polled({ order }: JobStory): readonly Moment[] {
  return order === null ? [] : [{ at: order.receivedAt, text: `polled for kkm ${order.polledKkm}` }];
}

function entryMoment({ at, actor, what, register, details }: JobStory["journal"][number]): Moment {
  const facts = JSON.stringify(details) === "{}" ? "" : `  ${JSON.stringify(details)}`;
  const where = register === null ? "" : ` (${register})`;
  return { at, text: `${actor === "operator" ? "operator: " : ""}${what}${where}${facts}` };
}

function deliveries({ events }: JobStory): readonly string[] {
  return events.map(
    ({ id, kind, site, state, tries, deliveredAt, lastError }) =>
      `  event ${id} ${kind} to ${site}: ${state} after ${tries} tries${deliveredAt === null ? "" : ` at ${short(deliveredAt)}`}${lastError === null ? "" : ` (before that: ${lastError})`}`,
  );
}

/** As in the log, so that both can be read side by side. */
function short(isoTime: string): string {
  return localTime(Date.parse(isoTime));
}
