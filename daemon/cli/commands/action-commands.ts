/** The operator's actions on a job, a register, a site or an event. */
import { wrongValue } from "@fiscald/shared/command-line.js";
import { isFault } from "@fiscald/shared/fault.js";
import { toRegisterId } from "@fiscald/shared/ids.js";
import type { Messages } from "../../messages/messages.js";
import { commandReasons } from "../../messages/reasons/command-reasons.js";
import { waitingSinceLoss } from "../../registers/operator/accept-loss.js";
import { idNumber, requireKnown, wholeNumber } from "../arguments.js";
import { daemonConfig, type ExitCode, exitCodes, type Session } from "../cli-context.js";
import { jobOf, jobsToRetry } from "../named-jobs.js";
import type { CliOptions } from "../options.js";
import { readState, readStateIfAny } from "../stored-state.js";
import { consents, movesCash, nameJob, nameRegister } from "../terminal/consent.js";
import { formatWaitingSinceLoss } from "../terminal/waiting-since-loss.js";
import { declareLost, runAction } from "./run-action.js";

type Words = Messages["commands"];
type Act = (session: Session) => Promise<ExitCode>;
export type ActionName = keyof typeof actions;

export const actions = {
  retry: retryJobs,
  approve: approveJobs,
  "set-aside": setJobsAside,
  "same-receipt": onJob("same-receipt", ({ resultSentAgain }) => resultSentAgain),
  cancel: onJob("cancel", ({ cancelled }) => cancelled),
  copy: onJob("copy", ({ copied }) => copied),
  "print-anyway": printAnyway,
  move: moveJob,
  resolve: resolveJob,
  "x-report": onRegister("x-report", (words) => (of) => words.reportQueued({ report: "X", ...of })),
  "z-report": onRegister("z-report", (words) => (of) => words.reportQueued({ report: "Z", ...of })),
  "test-slip": onRegister("test-slip", ({ testSlipQueued }) => testSlipQueued),
  "differences-mended": onRegister("differences-mended", ({ differencesMended }) => differencesMended),
  pause: onRegister("pause", ({ paused }) => paused),
  resume: onRegister("resume", ({ resumed }) => resumed),
  "accept-identity": acceptIdentity,
  "accept-differences": acceptDifferences,
  resend: resendEvent,
  sync: syncSites,
} as const;

/** An action of one job, which is a call of the API with the command's name. */
function onJob(name: string, done: (words: Words) => (of: { job: number }) => string): Act {
  return (session) => {
    const job = jobOf(daemonConfig(session), session.args[0] ?? "");
    return runAction(session, { path: `/api/jobs/${job}/${name}`, done: (words) => done(words)({ job }) });
  };
}

/** An action of one register, which is a call of the API with the command's name. */
function onRegister(name: string, done: (words: Words) => (of: { register: string; id: string }) => string): Act {
  return (session) => {
    const { register, title } = registerOf(session);
    const told = { register: title, id: register };
    return runAction(session, { path: pathOf(register, name), done: (words) => done(words)(told) });
  };
}

/** The register that the first argument names. */
function registerOf(session: Session) {
  const config = daemonConfig(session);
  const [register = ""] = session.args;
  requireKnown(config, "register", register);
  return { config, register, title: nameRegister(config, register) };
}

function pathOf(register: string, name: string): string {
  return `/api/registers/${encodeURIComponent(register)}/${name}`;
}

async function retryJobs(session: Session): Promise<ExitCode> {
  const { context, options, words } = session;
  const config = daemonConfig(session);
  const jobs = session.args.length > 0 ? session.args.map((name) => jobOf(config, name)) : jobsToRetry(config, options);
  if (jobs.length === 0) context.out(`${words.commands.noSuchJob}\n`);
  return (await agree(session, jobs))
    ? actOnJobs(session, jobs, "retry", {}, (said) => said.queuedAgain)
    : exitCodes.failed;
}

async function approveJobs(session: Session): Promise<ExitCode> {
  const { asCorrection, date = null } = session.options;
  const config = daemonConfig(session);
  const jobs = session.args.map((name) => jobOf(config, name));
  if (!(await agree(session, jobs))) return exitCodes.failed;
  return asCorrection
    ? actOnJobs(session, jobs, "as-correction", { date }, ({ willBeCorrected }) => willBeCorrected)
    : actOnJobs(session, jobs, "approve", {}, ({ willBePrinted }) => willBePrinted);
}

async function setJobsAside(session: Session): Promise<ExitCode> {
  const config = daemonConfig(session);
  const jobs = session.args.map((name) => jobOf(config, name));
  return actOnJobs(session, jobs, "set-aside", {}, ({ wasSetAside }) => wasSetAside);
}

/** One refusal stops no others. */
async function actOnJobs(
  session: Session,
  jobs: readonly number[],
  name: "retry" | "set-aside" | "approve" | "as-correction",
  body: object,
  done: (words: Words) => (of: { readonly job: number }) => string,
): Promise<ExitCode> {
  const { context, language, words } = session;
  let refused = 0;
  for (const job of jobs) {
    try {
      const path = `/api/jobs/${job}/${name}`;
      await runAction(session, { path, body, done: (said) => done(said)({ job }) });
    } catch (error) {
      if (!isFault(error) || error.area !== "job" || jobs.length === 1) throw error;
      refused += 1;
      const text = language === "en" ? error.message : (error.ru ?? error.text[language]);
      context.err(`${words.commands.notQueued({ job, text })}\n`);
    }
  }
  return refused === 0 ? exitCodes.done : exitCodes.failed;
}

async function printAnyway(session: Session): Promise<ExitCode> {
  const job = jobOf(daemonConfig(session), session.args[0] ?? "");
  if (!(await agree(session, [job], "printAnyway"))) return exitCodes.failed;
  return runAction(session, {
    path: `/api/jobs/${job}/print-anyway`,
    done: ({ willBePrinted }) => willBePrinted({ job }),
  });
}

async function resolveJob(session: Session): Promise<ExitCode> {
  const body = resolution(session.options);
  const job = jobOf(daemonConfig(session), session.args[0] ?? "");
  if (session.options.notPrinted && !(await agree(session, [job], "notPrinted"))) return exitCodes.failed;
  return runAction(session, { path: `/api/jobs/${job}/resolve`, body, done: ({ settled }) => settled({ job }) });
}

/**
 * Whether the person wants what is done to the jobs. `says`: what it would do to a receipt; without it nothing is asked
 * about a receipt. Cash in and out is always asked about.
 */
async function agree(
  session: Session,
  ids: readonly number[],
  says: "printAnyway" | "notPrinted" | null = null,
): Promise<boolean> {
  const config = daemonConfig(session);
  const jobs = readState(config, (stored) => ids.map((id) => stored.jobs.get(id)));
  const asked = jobs.filter((job) => says !== null || movesCash(job));
  if (asked.length === 0) return true;
  return consents(session, (asks) =>
    asked
      .map((job) => {
        const row = movesCash(job) || says === null ? "cash" : says;
        return asks[row]({ register: nameRegister(config, job.register), what: nameJob(job, session.words) });
      })
      .join("\n"),
  );
}

async function moveJob(session: Session): Promise<ExitCode> {
  const [argument = "", register = ""] = session.args;
  const config = daemonConfig(session);
  requireKnown(config, "register", register);
  const job = jobOf(config, argument);
  const done = ({ moved }: Words) => moved({ job, register: nameRegister(config, register) });
  return runAction(session, { path: `/api/jobs/${job}/move`, body: { register }, done });
}

async function acceptIdentity(session: Session): Promise<ExitCode> {
  const { context, options, words } = session;
  const { config, register, title } = registerOf(session);
  const id = toRegisterId(register);
  if (options.lost) {
    declareLost(config, id, options.reason ?? words.commands.byCommandLine);
    context.out(`${words.commands.declaredLost({ register })}\n`);
    return exitCodes.done;
  }
  const waiting = readStateIfAny(config, (stored) => waitingSinceLoss(stored, id));
  if (options.orders === undefined && waiting !== null && waiting.orders.length > 0) {
    context.out(formatWaitingSinceLoss(waiting, { register, words }));
    return exitCodes.failed;
  }
  const orders = options.orders === true ? [] : (options.orders ?? []).map(idNumber);
  const asked = ({ identity, identityPrints }: Words["asks"]) => {
    const prints = orders.length === 0 ? [] : [identityPrints({ jobs: orders.join(", ") })];
    return [identity({ register: title }), ...prints].join(" ");
  };
  if (!(await consents(session, asked))) return exitCodes.failed;
  const done = ({ accepted }: Words) => accepted({ register: title });
  return runAction(session, { path: pathOf(register, "accept-identity"), body: { orders }, done });
}

async function acceptDifferences(session: Session): Promise<ExitCode> {
  const { register } = registerOf(session);
  const [, tag] = session.args;
  const body = tag === undefined ? {} : { tag: wholeNumber(tag) };
  const done = ({ differencesAccepted }: Words) => differencesAccepted({ register });
  return runAction(session, { path: pathOf(register, "accept-differences"), body, done });
}

async function resendEvent(session: Session): Promise<ExitCode> {
  const event = idNumber(session.args[0] ?? "");
  return runAction(session, { path: `/api/events/${event}/resend`, done: ({ resent }) => resent({ event }) });
}

async function syncSites(session: Session): Promise<ExitCode> {
  const config = daemonConfig(session);
  const [only] = session.args;
  if (only !== undefined) requireKnown(config, "site", only);
  for (const site of only === undefined ? config.sites.map(({ id }) => id) : [only]) {
    const path = `/api/sites/${encodeURIComponent(site)}/sync`;
    await runAction(session, { path, done: ({ synced }) => synced({ site }) });
  }
  return exitCodes.done;
}

function resolution({ printed, notPrinted, checked, ...options }: CliOptions): object {
  if ((printed !== undefined) === notPrinted) throw wrongValue(commandReasons.printedOrNot);
  const paper = paperOf(options);
  if (checked.length > 0 && !notPrinted) throw wrongValue(commandReasons.checkedAlone);
  if (notPrinted) {
    if (paper !== null) throw wrongValue(commandReasons.paperAlone);
    return { notPrinted, checked: checked.map(wholeNumber) };
  }
  return { printed: printed === 0 ? null : printed, ...(paper === null ? {} : { paper }) };
}

type PaperOptions = Pick<CliOptions, "fn" | "sign" | "shift" | "time" | "receiptNumber">;

function paperOf({ fn, sign: fiscalSign, shift, time, receiptNumber }: PaperOptions): object | null {
  const numbers = [fn, fiscalSign, shift, time];
  if (numbers.every((number) => number === undefined) && receiptNumber === undefined) return null;
  if (numbers.some((number) => number === undefined)) throw wrongValue(commandReasons.paperWhole);
  return { fn, fiscalSign, shift, time, ...(receiptNumber === undefined ? {} : { receiptNumber }) };
}
