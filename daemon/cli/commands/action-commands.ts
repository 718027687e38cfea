import { wrongValue } from "@fiscald/shared/command-line.js";
import { isFault } from "@fiscald/shared/fault.js";
import { faultCodes } from "@fiscald/shared/fault-codes.js";
import { toRegisterId } from "@fiscald/shared/ids.js";
import { mayHelp } from "../../console/troubles/order-troubles.js";
import { commandReasons } from "../../messages/reasons/command-reasons.js";
import { waitingSinceLoss } from "../../registers/operator/accept-loss.js";
import { idNumber, jobOf, jobsToRetry, requireKnown } from "../arguments.js";
import { daemonConfig, type ExitCode, exitCodes, type Session } from "../cli-context.js";
import type { CliOptions } from "../options.js";
import { wholeNumber } from "../options.js";
import { readStateIfAny, withStoredState } from "../stored-state.js";
import { consents, movesCash, nameJob, nameRegister } from "../terminal/consent.js";
import { formatWaitingSinceLoss } from "../terminal/waiting-since-loss.js";
import { declareLost, runAction } from "./run-action.js";

type Act = (session: Session) => Promise<ExitCode>;
export type ActionName = keyof typeof actions;

/** The API's path for an action on one job or register ends with the command's name. */
export const actions = {
  retry: retryJobs,
  approve: approveJobs,
  "set-aside": (session) => actOnJobs(session, jobsOf(session), "set-aside"),
  "same-receipt": (session) => actOnJob(session, "same-receipt"),
  cancel: (session) => actOnJob(session, "cancel"),
  copy: (session) => actOnJob(session, "copy"),
  "print-anyway": printAnyway,
  move: moveJob,
  resolve: resolveJob,
  "x-report": (session) => actOnRegister(session, "x-report"),
  "z-report": (session) => actOnRegister(session, "z-report"),
  "test-slip": (session) => actOnRegister(session, "test-slip"),
  "differences-mended": (session) => actOnRegister(session, "differences-mended"),
  pause: pauseRegister,
  resume: (session) => actOnRegister(session, "resume"),
  "accept-identity": acceptIdentity,
  "accept-differences": acceptDifferences,
  resend: resendEvent,
  sync: syncSites,
} as const satisfies Readonly<Record<string, Act>>;

function jobsOf(session: Session): readonly number[] {
  const config = daemonConfig(session);
  return session.args.map((name) => jobOf(config, name).id);
}

function actOnJob(session: Session, name: string, body: object = {}): Promise<ExitCode> {
  const job = jobOf(daemonConfig(session), session.args[0] ?? "").id;
  return runAction(session, { path: `/api/jobs/${job}/${name}`, body, about: aboutJob(session, job) });
}

function aboutJob({ words }: Session, job: number): string {
  return words.commands.job({ job });
}

function actOnRegister(session: Session, name: string, body: object = {}): Promise<ExitCode> {
  const { register, title } = registerOf(session);
  const path = `/api/registers/${encodeURIComponent(register)}/${name}`;
  return runAction(session, { path, body, about: title });
}

function registerOf(session: Session) {
  const config = daemonConfig(session);
  const [register = ""] = session.args;
  requireKnown(config, "register", register);
  return { config, register, title: nameRegister(config, register) };
}

async function retryJobs(session: Session): Promise<ExitCode> {
  const { context, args, options, words } = session;
  const jobs = args.length > 0 ? jobsOf(session) : jobsToRetry(daemonConfig(session), options);
  if (jobs.length === 0) context.out(`${words.commands.noSuchJob}\n`);
  if (!(await agree(session, jobs))) return exitCodes.failed;
  const failed = withStoredState(daemonConfig(session), (stored) => jobs.map((id) => stored.jobs.get(id)));
  const code = await actOnJobs(session, jobs, "retry");
  for (const { id, state, fault } of failed) {
    if (state !== "failed" || fault === null || mayHelp(fault.code)) continue;
    const text = faultCodes[fault.code].text[session.language];
    context.out(`${aboutJob(session, id)}: ${words.commands.failsAgain({ text })}\n`);
  }
  return code;
}

async function approveJobs(session: Session): Promise<ExitCode> {
  const { asCorrection, date = null } = session.options;
  const jobs = jobsOf(session);
  if (!(await agree(session, jobs))) return exitCodes.failed;
  return asCorrection ? actOnJobs(session, jobs, "as-correction", { date }) : actOnJobs(session, jobs, "approve");
}

async function actOnJobs(
  session: Session,
  jobs: readonly number[],
  name: "retry" | "set-aside" | "approve" | "as-correction",
  body: object = {},
): Promise<ExitCode> {
  const { context, language } = session;
  let refused = 0;
  for (const job of jobs) {
    const about = aboutJob(session, job);
    try {
      await runAction(session, { path: `/api/jobs/${job}/${name}`, body, about });
    } catch (error) {
      const isOfJob = isFault(error) && ["job", "order", "receipt", "register", "device", "link"].includes(error.area);
      if (!isOfJob || jobs.length === 1) throw error;
      refused += 1;
      context.err(`${about}: ${language === "en" ? error.message : (error.ru ?? error.text[language])}\n`);
    }
  }
  return refused === 0 ? exitCodes.done : exitCodes.failed;
}

async function printAnyway(session: Session): Promise<ExitCode> {
  const isAgreed = await agree(session, jobsOf(session), "printAnyway");
  return isAgreed ? actOnJob(session, "print-anyway") : exitCodes.failed;
}

async function resolveJob(session: Session): Promise<ExitCode> {
  const body = resolution(session.options);
  if (session.options.notPrinted && !(await agree(session, jobsOf(session), "notPrinted"))) return exitCodes.failed;
  return actOnJob(session, "resolve", body);
}

/** `says` selects the question about a receipt; null asks no such question. Cash in and out is always asked about. */
async function agree(
  session: Session,
  ids: readonly number[],
  says: "printAnyway" | "notPrinted" | null = null,
): Promise<boolean> {
  const config = daemonConfig(session);
  const jobs = withStoredState(config, (stored) => ids.map((id) => stored.jobs.get(id)));
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
  const [, register = ""] = session.args;
  requireKnown(daemonConfig(session), "register", register);
  return actOnJob(session, "move", { register });
}

async function pauseRegister(session: Session): Promise<ExitCode> {
  const code = await actOnRegister(session, "pause");
  session.context.out(`${session.words.commands.untilResumed({ register: session.args[0] ?? "" })}\n`);
  return code;
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
  const isAgreed = await consents(session, ({ identity, identityPrints }) => {
    const prints = orders.length === 0 ? [] : [identityPrints({ jobs: orders.join(", ") })];
    return [identity({ register: title }), ...prints].join(" ");
  });
  return isAgreed ? actOnRegister(session, "accept-identity", { orders }) : exitCodes.failed;
}

function acceptDifferences(session: Session): Promise<ExitCode> {
  const [, tag] = session.args;
  return actOnRegister(session, "accept-differences", tag === undefined ? {} : { tag: wholeNumber(tag) });
}

function resendEvent(session: Session): Promise<ExitCode> {
  const event = idNumber(session.args[0] ?? "");
  const about = session.words.commands.event({ event });
  return runAction(session, { path: `/api/events/${event}/resend`, about });
}

async function syncSites(session: Session): Promise<ExitCode> {
  const config = daemonConfig(session);
  const [only] = session.args;
  if (only !== undefined) requireKnown(config, "site", only);
  for (const site of only === undefined ? config.sites.map(({ id }) => id) : [only]) {
    await runAction(session, { path: `/api/sites/${encodeURIComponent(site)}/sync`, about: site });
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
