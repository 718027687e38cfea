import { Fault } from "@fiscald/shared/fault.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import { type JobStory, jobStory } from "../console/job-story.js";
import { maskText, maskValue } from "../logging/mask.js";
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
  if (options.json === true) printJson(context, maskValue({ order, jobs: stories }));
  else for (const story of stories) context.out(`${maskText(tell(story))}\n`);
  return exitCodes.done;
}

function tell({ job, order, attempts, events, journal }: JobStory): string {
  const document = job.document;
  const head = `job ${job.id}  ${job.state}  ${job.operation ?? job.kind}  ${job.total ?? ""}  register ${job.register}`;
  const numbers =
    document === null
      ? []
      : [`  FN ${document.fn}  FD ${document.fd}  FP ${document.fiscalSign}  shift ${document.shift}`];
  const why = job.fault === null ? [] : [`  ${job.fault.code}: ${job.fault.message}`, `  ${job.fault.hint.en}`];
  const polled = order === null ? [] : [`  ${short(order.receivedAt)}  polled for kkm ${order.polledKkm}`];
  const story = journal.map(({ at, actor, what, details }) => {
    const facts = Object.keys(details).length === 0 ? "" : `  ${JSON.stringify(details)}`;
    return `  ${short(at)}  ${actor === "operator" ? "operator: " : ""}${what}${facts}`;
  });
  const tries = attempts.map(
    ({ id, register, part, before, outcome, fault }) =>
      `  attempt ${id} on ${register}, part ${part}, after FD ${before.lastFd}: ${outcome ?? "running"}${fault === null ? "" : ` (${fault.code}: ${fault.message})`}`,
  );
  const told = events.map(
    ({ id, kind, site, state, tries: count, lastError }) =>
      `  event ${id} ${kind} to ${site}: ${state} after ${count} tries${lastError === null ? "" : ` (${lastError})`}`,
  );
  return [head, ...numbers, ...why, ...polled, ...story, ...tries, ...told].join("\n");
}

function short(isoTime: string): string {
  return isoTime.slice(0, 23).replace("T", " ");
}
