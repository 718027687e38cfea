import { Fault } from "@fiscald/shared/fault.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import { z } from "zod";
import type { Config } from "../../config/config-schema.js";
import { type JobStory, jobStory, type UnreadOrderStory, unreadOrderStory } from "../../console/job-story.js";
import type { FaultView } from "../../console/views.js";
import { localTime } from "../../logging/line-format.js";
import { maskText } from "../../logging/mask.js";
import { type CliContext, type ExitCode, exitCodes, loadCliConfig, printJson } from "../cli-context.js";
import { createDaemonClient, isConsoleClosed, isUnreachable } from "../daemon-client.js";
import { readState, type StoredState } from "../stored-state.js";

export interface ExplainOptions {
  readonly config?: string | undefined;
  readonly json?: boolean | undefined;
}

const enough = 100;

/** One order's whole story: poll, parsing, routing, every attempt, recovery, each delivery of its result. */
export async function explainOrder(context: CliContext, order: string, options: ExplainOptions): Promise<ExitCode> {
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
    const known = asJob === null ? "" : `; ${asJob}`;
    const polls = await pollSummary(config);
    const message = `the order ${order} is not known: no site has offered it to this daemon${known}\n${polls.join("\n")}`;
    throw new Fault("job.not-found", { message, place: order });
  }
  if (options.json === true) printJson(context, { order, unread, jobs });
  else {
    if (unread !== null) context.out(`${formatUnreadOrder(order, unread)}\n`);
    for (const story of jobs) context.out(`${formatStory(story)}\n`);
  }
  return exitCodes.done;
}

/** Lists show both numbers side by side: whoever gave the job's is told its order's. */
function orderOfJob(text: string, { jobs }: StoredState): string | null {
  const job = /^[1-9]\d{0,14}$/.test(text) ? jobs.find(Number(text)) : null;
  const order = job?.orderId ?? null;
  return order === null ? null : `job ${text} is of order ${order}`;
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

/** Which sites are asked for which registers, and when they answered last: an order of another kkm never comes. */
async function pollSummary(config: Config): Promise<readonly string[]> {
  const live = await readPolledSites(config);
  const kkms = readState(
    config,
    ({ registers }) => new Map(registers.all().map(({ id, identity }) => [id, identity.kkm])),
  );
  const lines = config.sites.map(({ id, urls }) => {
    const site = live?.sites.find((other) => other.id === id);
    const bound = config.registers.filter(({ sites }) => sites.includes(id));
    const asked = bound.map((register) => {
      const kkm = kkms.get(register.id) ?? register.expectKkm;
      if (kkm === null) return `${register.id} (its kkm is not known: it was never connected)`;
      const at = site?.polled.find((poll) => poll.kkm === kkm)?.at;
      return `kkm ${kkm} (${register.id}${at === undefined ? "" : `, last answered ${short(at)}`})`;
    });
    const trouble = site?.fault ? `; it cannot be asked since ${short(site.since ?? "")}: ${site.fault.message}` : "";
    return `  ${id} at ${maskText(urls.orders)} is asked for ${asked.join(", ") || "no register"}${trouble}`;
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

interface Moment {
  /** ISO 8601, so that it sorts as text. */
  readonly at: string;
  readonly text: string;
}

/**
 * Where the job stands, then what happened in the order of time (each attempt is in the journal), then its deliveries.
 */
export function tellStory(story: JobStory): string {
  const answers = story.order === null ? [] : [story.order];
  return [...head(story), ...formatMoments(answers, story.journal), ...deliveries(story)].join("\n");
}

/** Answers that never became a job: the site was told why. */
export function formatUnreadOrder(order: string, { faults, answers, journal, events }: UnreadOrderStory): string {
  const first = `order ${order}  could not be read, nothing was printed of it`;
  const reasons = new Set(faults.flatMap(tellFault));
  return [first, ...reasons, ...formatMoments(answers, journal), ...deliveries({ events })].join("\n");
}

function formatMoments(answers: UnreadOrderStory["answers"], journal: UnreadOrderStory["journal"]): readonly string[] {
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
