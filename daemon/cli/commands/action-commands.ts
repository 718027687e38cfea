import type { Command } from "@fiscald/shared/command-line.js";
import { wrongValue } from "@fiscald/shared/command-line.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toRegisterId } from "@fiscald/shared/ids.js";
import type { z } from "zod";
import { type Messages, messagesIn } from "../../messages/messages.js";
import { commandReasons } from "../../messages/reasons/command-reasons.js";
import { waitingSinceLoss } from "../../registers/operator/accept-loss.js";
import { idNumber, jobOf, requireKnown, wholeNumber } from "../arguments.js";
import { type CliContext, daemonOf, type ExitCode, exitCodes } from "../cli-context.js";
import {
  type AskedOptions,
  acceptOptions,
  actionOptions,
  approveOptions,
  askedOptions,
  type ResolutionOptions,
  resolveOptions,
  retryOptions,
  returnOptions,
} from "../options.js";
import { readState, readStateIfAny } from "../stored-state.js";
import { consents, movesCash, nameJob, nameRegister } from "../terminal/consent.js";
import { formatWaitingSinceLoss } from "../terminal/waiting-since-loss.js";
import { actOnJobs, retryJobs } from "./retry.js";
import { declareLost, runAction } from "./run-action.js";

export type CommandName = keyof Messages["help"]["commands"];
/** The command's name, followed by its arguments after a blank. */
export type CommandUsage = CommandName | `${CommandName} ${string}`;

export function nameOf(usage: CommandUsage): CommandName {
  const [name = ""] = usage.split(" ");
  if (!isCommandName(name)) throw new Fault("internal", { message: `${name} has no help` });
  return name;
}

function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(messagesIn("en").help.commands, name);
}

/** Adds a command with the options --config and --lang; `args` are its arguments in order, without omitted ones. */
export type AddCommand = <T>(
  usage: CommandUsage,
  schema: z.ZodType<T>,
  act: (options: T, args: readonly string[]) => ExitCode | Promise<ExitCode>,
) => Command;

function reasonOption(help: Messages["help"]) {
  return ["--reason <text>", help.options.reason] as const;
}

function yesOption(help: Messages["help"]) {
  return ["--yes", help.options.yes] as const;
}

/** Adds the operator's actions on a job, a register, a site or an event. */
export function addActionCommands(context: CliContext, help: Messages["help"], command: AddCommand): void {
  addJobCommands(context, help, command);
  addRegisterCommands(context, help, command);
  addSiteCommands(context, help, command);
}

type Words = Messages["commands"];

/** Actions of one job. Each is a call of the API with the command's name. */
const jobActions = [
  ["same-receipt", ({ resultSentAgain }) => resultSentAgain],
  ["cancel", ({ cancelled }) => cancelled],
  ["copy", ({ copied }) => copied],
] as const satisfies readonly (readonly [CommandName, (words: Words) => (of: { job: number }) => string])[];

/** Actions of one register. Each is a call of the API with the command's name. */
const registerActions = [
  ["x-report", (words) => (of) => words.reportQueued({ report: "X", ...of })],
  ["z-report", (words) => (of) => words.reportQueued({ report: "Z", ...of })],
  ["test-slip", ({ testSlipQueued }) => testSlipQueued],
  ["differences-mended", ({ differencesMended }) => differencesMended],
  ["pause", ({ paused }) => paused],
  ["resume", ({ resumed }) => resumed],
] as const satisfies readonly (readonly [
  CommandName,
  (words: Words) => (of: { register: string; id: string }) => string,
])[];

function addJobCommands(context: CliContext, help: Messages["help"], command: AddCommand): void {
  command("retry [jobs...]", retryOptions, (options, jobs) => retryJobs(context, options, jobs))
    .option("--state <state>", help.options.retryState)
    .option("--site <id>", help.options.retrySite)
    .option("--register <id>", help.options.retryRegister)
    .option("--since <time>", help.options.since)
    .option(...yesOption(help))
    .option(...reasonOption(help));
  command("return <order>", returnOptions, async (options, [order = ""]) =>
    (await import("../return-receipt.js")).returnReceipt(context, order, options),
  )
    .option("--items <items>", help.options.items)
    .option("--fixes", help.options.fixes)
    .option(...yesOption(help))
    .option(...reasonOption(help));
  for (const [name, done] of jobActions) {
    command(`${name} <job>`, actionOptions, (options, [argument = ""]) => {
      const job = jobOf(daemonOf(context, options).config, argument);
      return runAction(context, options, { path: `/api/jobs/${job}/${name}`, done: (words) => done(words)({ job }) });
    }).option(...reasonOption(help));
  }
  command("set-aside <jobs...>", actionOptions, (options, args) => {
    const jobs = args.map((argument) => jobOf(daemonOf(context, options).config, argument));
    return actOnJobs(context, options, jobs, { name: "set-aside", done: ({ wasSetAside }) => wasSetAside });
  }).option(...reasonOption(help));
  command("approve <jobs...>", approveOptions, async (options, args) => {
    const jobs: number[] = [];
    for (const argument of args) {
      const job = await agreedJob(context, options, { argument, says: null });
      if (job === null) return exitCodes.failed;
      jobs.push(job);
    }
    const done = ({ willBePrinted, willBeCorrected }: Words) =>
      options.asCorrection ? willBeCorrected : willBePrinted;
    const how = options.asCorrection
      ? { name: "as-correction" as const, body: { date: options.date ?? null } }
      : { name: "approve" as const };
    return actOnJobs(context, options, jobs, { ...how, done });
  })
    .option("--as-correction", help.options.asCorrection)
    .option("--date <day>", help.options.settlementDay)
    .option(...yesOption(help))
    .option(...reasonOption(help));
  command("print-anyway <job>", askedOptions, async (options, [argument = ""]) => {
    const job = await agreedJob(context, options, { argument, says: "printAnyway" });
    if (job === null) return exitCodes.failed;
    const done = ({ willBePrinted }: Words) => willBePrinted({ job });
    return runAction(context, options, { path: `/api/jobs/${job}/print-anyway`, done });
  })
    .option(...yesOption(help))
    .option(...reasonOption(help));
  command("move <job> <register>", actionOptions, (options, [argument = "", register = ""]) => {
    const { config } = daemonOf(context, options);
    requireKnown(config, "register", register);
    const job = jobOf(config, argument);
    const done = ({ moved }: Words) => moved({ job, register: nameRegister(config, register) });
    return runAction(context, options, { path: `/api/jobs/${job}/move`, body: { register }, done });
  }).option(...reasonOption(help));
  command("resolve <job>", resolveOptions, async (options, [argument = ""]) => {
    const body = resolution(options);
    const yes = options.yes || options.notPrinted !== true;
    const job = await agreedJob(context, { ...options, yes }, { argument, says: "notPrinted" });
    if (job === null) return exitCodes.failed;
    const done = ({ settled }: Words) => settled({ job });
    return runAction(context, options, { path: `/api/jobs/${job}/resolve`, body, done });
  })
    .option(...yesOption(help))
    .option(...reasonOption(help))
    .option("--printed <fd>", help.options.printed, wholeNumber)
    .option("--not-printed", help.options.notPrinted)
    .option("--checked <fd>", help.options.checked, collectNumbers)
    .option("--fn <serial>", help.options.fn)
    .option("--sign <number>", help.options.sign)
    .option("--shift <number>", help.options.shift, wholeNumber)
    .option("--time <time>", help.options.time)
    .option("--receipt-number <number>", help.options.receiptNumber, wholeNumber);
}

/**
 * The job that the argument names. Null: the person does not want what the action would do to it. `says`: what it would
 * do to a receipt; null = nothing to ask about. Cash in and out is always asked about.
 */
async function agreedJob(
  context: CliContext,
  options: AskedOptions,
  { argument, says }: { readonly argument: string; readonly says: "printAnyway" | "notPrinted" | null },
): Promise<number | null> {
  const { config, language, words } = daemonOf(context, options);
  const job = readState(config, ({ jobs }) => jobs.get(jobOf(config, argument)));
  const told = { register: nameRegister(config, job.register), what: nameJob(job, words) };
  const row = movesCash(job) ? "cash" : says;
  if (row === null) return job.id;
  return (await consents(context, { yes: options.yes, language }, (asks) => asks[row](told))) ? job.id : null;
}

function addRegisterCommands(context: CliContext, help: Messages["help"], command: AddCommand): void {
  const pathOf = (register: string, name: string) => `/api/registers/${encodeURIComponent(register)}/${name}`;

  for (const [name, done] of registerActions) {
    command(`${name} <register>`, actionOptions, (options, [register = ""]) => {
      const { config } = daemonOf(context, options);
      requireKnown(config, "register", register);
      const told = { register: nameRegister(config, register), id: register };
      return runAction(context, options, { path: pathOf(register, name), done: (words) => done(words)(told) });
    }).option(...reasonOption(help));
  }
  command("accept-identity <register>", acceptOptions, async (options, [register = ""]) => {
    const { config, language, words } = daemonOf(context, options);
    requireKnown(config, "register", register);
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
      return [identity({ register: nameRegister(config, register) }), ...prints].join(" ");
    };
    if (!(await consents(context, { yes: options.yes, language }, asked))) return exitCodes.failed;
    const done = ({ accepted }: Words) => accepted({ register: nameRegister(config, register) });
    return runAction(context, options, { path: pathOf(register, "accept-identity"), body: { orders }, done });
  })
    .option("--orders [jobs...]", help.options.waitingOrders)
    .option("--lost", help.options.lost)
    .option(...yesOption(help))
    .option(...reasonOption(help));
  command("accept-differences <register> [tag]", actionOptions, (options, [register = "", tag]) => {
    requireKnown(daemonOf(context, options).config, "register", register);
    const body = tag === undefined ? {} : { tag: wholeNumber(tag) };
    const done = ({ differencesAccepted }: Words) => differencesAccepted({ register });
    return runAction(context, options, { path: pathOf(register, "accept-differences"), body, done });
  }).option(...reasonOption(help));
}

function addSiteCommands(context: CliContext, help: Messages["help"], command: AddCommand): void {
  command("resend <event>", actionOptions, (options, [argument = ""]) => {
    const event = idNumber(argument);
    return runAction(context, options, {
      path: `/api/events/${event}/resend`,
      done: ({ resent }) => resent({ event }),
    });
  }).option(...reasonOption(help));
  command("sync [site]", actionOptions, async (options, [only]) => {
    const { config } = daemonOf(context, options);
    if (only !== undefined) requireKnown(config, "site", only);
    for (const site of only === undefined ? config.sites.map(({ id }) => id) : [only]) {
      const path = `/api/sites/${encodeURIComponent(site)}/sync`;
      await runAction(context, options, { path, done: ({ synced }) => synced({ site }) });
    }
    return exitCodes.done;
  }).option(...reasonOption(help));
}

function resolution({ printed, notPrinted, checked, ...options }: ResolutionOptions): object {
  if ((printed === undefined) === (notPrinted === undefined)) throw wrongValue(commandReasons.printedOrNot);
  const paper = paperOf(options);
  if (checked.length > 0 && notPrinted !== true) throw wrongValue(commandReasons.checkedAlone);
  if (notPrinted === true) {
    if (paper !== null) throw wrongValue(commandReasons.paperAlone);
    return { notPrinted: true, checked };
  }
  return { printed: printed === 0 ? null : printed, ...(paper === null ? {} : { paper }) };
}

function collectNumbers(text: string, before: readonly number[] = []): readonly number[] {
  return [...before, wholeNumber(text)];
}

type PaperOptions = Pick<ResolutionOptions, "fn" | "sign" | "shift" | "time" | "receiptNumber">;

function paperOf({ fn, sign: fiscalSign, shift, time, receiptNumber }: PaperOptions): object | null {
  const numbers = [fn, fiscalSign, shift, time];
  if (numbers.every((number) => number === undefined) && receiptNumber === undefined) return null;
  if (numbers.some((number) => number === undefined)) throw wrongValue(commandReasons.paperWhole);
  return { fn, fiscalSign, shift, time, ...(receiptNumber === undefined ? {} : { receiptNumber }) };
}
