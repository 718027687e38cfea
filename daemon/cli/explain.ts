import { Fault } from "@fiscald/shared/fault.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import { type JobStory, jobStory, type UnreadOrderStory, unreadOrderStory } from "../console/job-story.js";
import type { FaultView } from "../console/views.js";
import { localTime } from "../logging/line-format.js";
import { type CliContext, type ExitCode, exitCodes, loadCliConfig, printJson } from "./cli-context.js";
import { readState, type StoredState } from "./stored-state.js";

export interface ExplainOptions {
  readonly config?: string | undefined;
  readonly json?: boolean | undefined;
}

const enough = 100;

/** One order's whole story: poll, parsing, routing, every attempt, recovery, each delivery of its result. */
export function explainOrder(context: CliContext, order: string, options: ExplainOptions): ExitCode {
  const config = loadCliConfig(context, options.config);
  const orderId = toOrderId(order);
  const { unread, jobs } = readState(config, (stored) => ({
    unread: unreadOrderStory(orderId, stored),
    jobs: stored.jobs
      .list({ orderId, limit: enough })
      .reverse()
      .map((job) => jobStory(job, stored)),
  }));
  if (jobs.length === 0 && unread === null) {
    const asJob = readState(config, (stored) => orderOfJob(order, stored));
    const message = `no job of the order ${order} is known${asJob === null ? "" : `; ${asJob}`}`;
    throw new Fault("job.not-found", { message, place: order });
  }
  if (options.json === true) printJson(context, { order, unread, jobs });
  else {
    if (unread !== null) context.out(`${tellUnread(order, unread)}\n`);
    for (const story of jobs) context.out(`${tellStory(story)}\n`);
  }
  return exitCodes.done;
}

/** Lists show both numbers side by side: whoever gave the job's is told its order's. */
function orderOfJob(text: string, { jobs }: StoredState): string | null {
  const job = /^[1-9]\d{0,14}$/.test(text) ? jobs.find(Number(text)) : null;
  const order = job?.orderId ?? null;
  return order === null ? null : `job ${text} is of order ${order}`;
}

interface Moment {
  /** ISO 8601, so that it sorts as text. */
  readonly at: string;
  readonly text: string;
}

/** Where the job stands, then what happened in the order of time (each attempt is in the journal), then its deliveries. */
export function tellStory(story: JobStory): string {
  const answers = story.order === null ? [] : [story.order];
  return [...head(story), ...tellMoments(answers, story.journal), ...deliveries(story)].join("\n");
}

/** Answers that never became a job: the site was told why. */
export function tellUnread(order: string, { faults, answers, journal, events }: UnreadOrderStory): string {
  const first = `order ${order}  could not be read, nothing was printed of it`;
  const reasons = new Set(faults.flatMap(tellFault));
  return [first, ...reasons, ...tellMoments(answers, journal), ...deliveries({ events })].join("\n");
}

function tellMoments(answers: UnreadOrderStory["answers"], journal: UnreadOrderStory["journal"]): readonly string[] {
  const polled = answers.map((answer) => ({ at: answer.receivedAt, text: `polled for kkm ${answer.polledKkm}` }));
  // Sorting is stable: what happened within one millisecond stays in the order it was written down.
  return [...polled, ...journal.map(entryMoment)]
    .toSorted((one, other) => one.at.localeCompare(other.at))
    .map(({ at, text }) => `  ${short(at)}  ${text}`);
}

function head({ job }: JobStory): readonly string[] {
  const { document, fault } = job;
  return [
    `job ${job.id}  ${job.state}  ${job.what}  ${job.total ?? ""}  register ${job.register}`,
    ...(document === null
      ? []
      : [`  FN ${document.fn}  FD ${document.fd}  FP ${document.fiscalSign}  shift ${document.shift}`]),
    ...(fault === null ? [] : tellFault(fault)),
  ];
}

function tellFault({ code, message, hint }: FaultView): readonly string[] {
  return [`  ${code}: ${message}`, `  ${hint.en}`];
}

function entryMoment({ at, actor, what, register, details }: JobStory["journal"][number]): Moment {
  const facts = JSON.stringify(details) === "{}" ? "" : `  ${JSON.stringify(details)}`;
  const where = register === null ? "" : ` (${register})`;
  return { at, text: `${actor === "operator" ? "operator: " : ""}${what}${where}${facts}` };
}

function deliveries({ events }: Pick<JobStory, "events">): readonly string[] {
  return events.map(
    ({ id, kind, site, state, tries, deliveredAt, lastError }) =>
      `  event ${id} ${kind} to ${site}: ${state} after ${tries} tries${deliveredAt === null ? "" : ` at ${short(deliveredAt)}`}${lastError === null ? "" : ` (before that: ${lastError})`}`,
  );
}

/** As in the log, so that both can be read side by side. */
function short(isoTime: string): string {
  return localTime(Date.parse(isoTime));
}
