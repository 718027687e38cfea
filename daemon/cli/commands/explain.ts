import { Fault } from "@fiscald/shared/fault.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import { z } from "zod";
import type { Config } from "../../config/config-schema.js";
import { type JobStory, jobStory, type UnreadOrderStory, unreadOrderStory } from "../../console/job-story.js";
import type { FaultView } from "../../console/views.js";
import { localTime } from "../../logging/line-format.js";
import { maskText } from "../../logging/mask.js";
import { type CliContext, type ExitCode, exitCodes, loadConfigOfDaemon, printJson } from "../cli-context.js";
import { createDaemonClient, isConsoleClosed, isUnreachable } from "../daemon-client.js";
import { readState, type StoredState } from "../stored-state.js";

export interface ExplainOptions {
  readonly config?: string | undefined;
  readonly json?: boolean | undefined;
}

const maxJobs = 100;

/** Prints the history of an order: poll, parsing, routing, every attempt, recovery, each delivery of its result. */
export async function explainOrder(context: CliContext, order: string, options: ExplainOptions): Promise<ExitCode> {
  const config = loadConfigOfDaemon(context, options.config);
  const orderId = toOrderId(order);
  const { unread, jobs } = readState(config, (stored) => ({
    unread: unreadOrderStory(orderId, stored),
    jobs: stored.jobs
      .list({ orderId, limit: maxJobs })
      .reverse()
      .map((job) => jobStory(job, stored)),
  }));
  if (jobs.length === 0 && unread === null) {
    const jobHint = readState(config, (stored) => hintForJobNumber(order, stored));
    const first = `the order ${order} is not known: no site has offered it to this daemon${jobHint}`;
    const message = [first, ...(await describePolls(config))].join("\n");
    throw new Fault("job.not-found", { message, place: order });
  }
  if (options.json === true) printJson(context, { order, unread, jobs });
  else {
    if (unread !== null) context.out(`${formatUnread(order, unread)}\n`);
    for (const story of jobs) context.out(`${formatStory(story)}\n`);
  }
  return exitCodes.done;
}

/** Names the order if the user entered the number of a job. Lists show both numbers side by side. */
function hintForJobNumber(text: string, { jobs }: StoredState): string {
  const job = /^[1-9]\d{0,14}$/.test(text) ? jobs.find(Number(text)) : null;
  const order = job?.orderId ?? null;
  return order === null ? "" : `; job ${text} is of order ${order}`;
}

const polledSites = z.object({
  sites: z.array(
    z.looseObject({
      id: z.string(),
      fault: z.looseObject({ message: z.string() }).nullable(),
      since: z.string().nullable(),
      polled: z.array(z.object({ kkm: z.string(), at: z.string() })),
    }),
  ),
});

/** Lists the kkm that each site is polled for and the last answers: an order for another kkm never arrives. */
async function describePolls(config: Config): Promise<readonly string[]> {
  const live = await readPolledSites(config);
  const kkms = readState(
    config,
    ({ registers }) => new Map(registers.all().map(({ id, identity }) => [id, identity.kkm])),
  );
  const lines = config.sites.map(({ id, urls }) => {
    const site = live?.sites.find((other) => other.id === id);
    const bound = config.registers.filter(({ sites }) => sites.includes(id));
    const polled = bound.map((register) => {
      const kkm = kkms.get(register.id) ?? register.expectKkm;
      if (kkm === null) return `${register.id} (its kkm is not known: it was never connected)`;
      const at = site?.polled.find((poll) => poll.kkm === kkm)?.at;
      return `kkm ${kkm} (${register.id}${at === undefined ? "" : `, last answered ${short(at)}`})`;
    });
    const failure = site?.fault ? `; polls have failed since ${short(site.since ?? "")}: ${site.fault.message}` : "";
    return `  ${id} at ${maskText(urls.orders)} is polled for ${polled.join(", ") || "no register"}${failure}`;
  });
  return live === null ? ["The daemon does not run; when it runs:", ...lines] : ["It polls:", ...lines];
}

async function readPolledSites(config: Config): Promise<z.output<typeof polledSites> | null> {
  try {
    return await createDaemonClient(config).get("/api/sites", polledSites);
  } catch (error) {
    if (isUnreachable(error) || isConsoleClosed(error)) return null;
    throw error;
  }
}

interface TimedLine {
  /** ISO 8601, so that it sorts as text. */
  readonly at: string;
  readonly text: string;
}

/** The state of the job, its history by time (the journal has each attempt), then its deliveries. */
function formatStory(story: JobStory): string {
  const answers = story.order === null ? [] : [story.order];
  return [...head(story), ...formatHistory(answers, story.journal), ...deliveries(story)].join("\n");
}

/** Answers that did not become a job. The reason was reported to the site. */
function formatUnread(order: string, { faults, answers, journal, events }: UnreadOrderStory): string {
  const first = `order ${order}  could not be read, nothing was printed for it`;
  const reasons = new Set(faults.flatMap(formatFault));
  return [first, ...reasons, ...formatHistory(answers, journal), ...deliveries({ events })].join("\n");
}

function formatHistory(answers: UnreadOrderStory["answers"], journal: UnreadOrderStory["journal"]): readonly string[] {
  const polled = answers.map((answer) => ({ at: answer.receivedAt, text: `polled for kkm ${answer.polledKkm}` }));
  // The sort is stable: entries of the same millisecond stay in their recorded order.
  return [...polled, ...journal.map(entryLine)]
    .toSorted((one, other) => one.at.localeCompare(other.at))
    .map(({ at, text }) => `  ${short(at)}  ${text}`);
}

function head({ job, taxes }: JobStory): readonly string[] {
  const { document, fault } = job;
  return [
    `job ${job.id}  ${job.state}  ${job.what}  ${job.total ?? ""}  register ${job.register}`,
    ...(document === null
      ? []
      : [`  FN ${document.fn}  FD ${document.fd}  FP ${document.fiscalSign}  shift ${document.shift}`]),
    ...taxes.map(({ id, rate }) => `  ${id === null ? "without a tax id" : `tax ${id}`}: ${rate}`),
    ...(fault === null ? [] : formatFault(fault)),
  ];
}

function formatFault({ code, message, hint }: FaultView): readonly string[] {
  return [`  ${code}: ${message}`, `  ${hint.en}`];
}

function entryLine({ at, actor, what, register, details }: JobStory["journal"][number]): TimedLine {
  const facts = JSON.stringify(details) === "{}" ? "" : `  ${JSON.stringify(details)}`;
  const where = register === null ? "" : ` (${register})`;
  return { at, text: `${actor === "operator" ? "operator: " : ""}${what}${where}${facts}` };
}

function deliveries({ events }: Pick<JobStory, "events">): readonly string[] {
  return events.map(({ id, kind, site, state, tries, deliveredAt, lastError }) => {
    const time = deliveredAt === null ? "" : ` at ${short(deliveredAt)}`;
    const error = lastError === null ? "" : ` (before that: ${lastError})`;
    return `  event ${id} ${kind} to ${site}: ${state} after ${tries} tries${time}${error}`;
  });
}

/** The format of the log, so that both can be compared. */
function short(isoTime: string): string {
  return localTime(Date.parse(isoTime));
}
