import type { Command } from "@fiscald/shared/command-line.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toRegisterId } from "@fiscald/shared/ids.js";
import { z } from "zod";
import { type Messages, messagesIn } from "../../messages/messages.js";
import { commandReasons } from "../../messages/reasons/command-reasons.js";
import { waitingSinceLoss } from "../../registers/operator/accept-loss.js";
import { idNumber, jobOf, requireKnown, wholeNumber } from "../arguments.js";
import { type CliContext, type ExitCode, exitCodes, loadConfigOfDaemon, wordsFor } from "../cli-context.js";
import { readStateIfAny } from "../stored-state.js";
import { formatWaitingSinceLoss } from "../terminal/waiting-since-loss.js";
import { retryJobs } from "./retry.js";
import { type ActionOptions, type CliAction, runAction, runOffline } from "./run-action.js";

const actionOptions = z.object({ config: z.string().optional(), lang: z.string().optional(), reason: z.string() });
const retryOptions = actionOptions.extend({
  state: z.string().optional(),
  site: z.string().optional(),
  register: z.string().optional(),
  since: z.string().optional(),
});
const resolveOptions = actionOptions.extend({
  printed: z.number().optional(),
  notPrinted: z.boolean().optional(),
  checked: z.array(z.number()).default([]),
  fn: z.string().optional(),
  sign: z.string().optional(),
  shift: z.number().optional(),
  time: z.string().optional(),
  receiptNumber: z.number().optional(),
});

const acceptOptions = actionOptions.extend({
  lost: z.boolean().default(false),
  orders: z.union([z.literal(true), z.array(z.string())]).optional(),
});

export type CommandName = keyof Messages["help"]["commands"];
/** Its name, and its arguments behind a blank. */
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
  return ["--reason <text>", help.options.reason, "by the command line"] as const;
}

/** Adds the operator's actions on a job, a register, a site or an event. */
export function addActionCommands(context: CliContext, help: Messages["help"], command: AddCommand): void {
  addJobCommands(context, help, command);
  addRegisterCommands(context, help, command);
  addSiteCommands(context, help, command);
  addOnlineJobCommands(context, help, command);
}

/** Adds a command with one argument that runs one action. */
function addAction(
  context: CliContext,
  help: Messages["help"],
  command: AddCommand,
  usage: CommandUsage,
  make: (argument: string, options: ActionOptions) => CliAction,
): void {
  command(usage, actionOptions, (options, [argument = ""]) =>
    runAction(context, options, make(argument, options)),
  ).option(...reasonOption(help));
}

function addJobCommands(context: CliContext, help: Messages["help"], command: AddCommand): void {
  /** `usage` has the argument `<job>`: the number of a job, or the id of an order with exactly one job. */
  function jobAction(usage: CommandUsage, make: (job: number, options: ActionOptions) => CliAction): void {
    addAction(context, help, command, usage, (argument, options) =>
      make(jobOf(loadConfigOfDaemon(context, options.config), argument), options),
    );
  }

  command("retry [jobs...]", retryOptions, (options, jobs) => retryJobs(context, options, jobs))
    .option("--state <state>", help.options.retryState)
    .option("--site <id>", help.options.retrySite)
    .option("--register <id>", help.options.retryRegister)
    .option("--since <time>", help.options.since)
    .option(...reasonOption(help));
  jobAction("approve <job>", (job, { reason }) => ({
    path: `/api/jobs/${job}/approve`,
    body: {},
    offline: ({ actions }) => void actions.approve(job, reason),
    done: ({ willBePrinted }) => willBePrinted({ job }),
  }));
  jobAction("set-aside <job>", (job, { reason }) => ({
    path: `/api/jobs/${job}/set-aside`,
    body: {},
    offline: ({ actions }) => void actions.setAside(job, reason),
    done: ({ wasSetAside }) => wasSetAside({ job }),
  }));
  jobAction("same-receipt <job>", (job, { reason }) => ({
    path: `/api/jobs/${job}/same-receipt`,
    body: {},
    offline: ({ actions }) => void actions.sameReceipt(job, reason),
    done: ({ resultSentAgain }) => resultSentAgain({ job }),
  }));
  jobAction("cancel <job>", (job, { reason }) => ({
    path: `/api/jobs/${job}/cancel`,
    body: {},
    offline: ({ actions }) => void actions.cancel(job, reason),
    done: ({ cancelled }) => cancelled({ job }),
  }));
  jobAction("print-anyway <job>", (job, { reason }) => ({
    path: `/api/jobs/${job}/print-anyway`,
    body: {},
    offline: ({ actions }) => void actions.printAnyway(job, reason),
    done: ({ willBePrinted }) => willBePrinted({ job }),
  }));
}

function addRegisterCommands(context: CliContext, help: Messages["help"], command: AddCommand): void {
  /** Its API call has the command's name. */
  function registerAction(
    name: CommandName,
    done: (words: Messages["commands"]) => (words: { readonly register: string }) => string,
  ): void {
    addAction(context, help, command, `${name} <register>`, (register, { config }) => {
      requireKnown(loadConfigOfDaemon(context, config), "register", register);
      const path = `/api/registers/${encodeURIComponent(register)}/${name}`;
      return { path, body: {}, offline: null, done: (words) => done(words)({ register }) };
    });
  }

  for (const report of ["x", "z"] as const) {
    registerAction(
      `${report}-report`,
      ({ reportQueued }) =>
        ({ register }) =>
          reportQueued({ report: report.toUpperCase(), register }),
    );
  }
  registerAction("test-slip", ({ testSlipQueued }) => testSlipQueued);
  command("accept-identity <register>", acceptOptions, async (options, [register = ""]) => {
    const config = loadConfigOfDaemon(context, options.config);
    requireKnown(config, "register", register);
    const id = toRegisterId(register);
    const words = wordsFor(context, options.lang, config);
    if (options.lost) {
      runOffline(config, ({ declareLost }) => declareLost(id, options.reason));
      context.out(`${words.commands.declaredLost({ register })}\n`);
      return exitCodes.done;
    }
    const waiting = readStateIfAny(config, (stored) => waitingSinceLoss(stored, id));
    if (options.orders === undefined && waiting !== null && waiting.orders.length > 0) {
      context.out(formatWaitingSinceLoss(waiting, { register, words }));
      return exitCodes.failed;
    }
    const orders = options.orders === true ? [] : (options.orders ?? []).map(idNumber);
    const path = `/api/registers/${encodeURIComponent(register)}/accept-identity`;
    const done = ({ accepted }: Messages["commands"]) => accepted({ register });
    return runAction(context, options, { path, body: { orders }, offline: null, done });
  })
    .option("--orders [jobs...]", help.options.waitingOrders)
    .option("--lost", help.options.lost)
    .option(...reasonOption(help));
  command("accept-differences <register> [tag]", actionOptions, (options, [register = "", tag]) => {
    requireKnown(loadConfigOfDaemon(context, options.config), "register", register);
    const path = `/api/registers/${encodeURIComponent(register)}/accept-differences`;
    const body = tag === undefined ? {} : { tag: wholeNumber(tag) };
    const done = ({ differencesAccepted }: Messages["commands"]) => differencesAccepted({ register });
    return runAction(context, options, { path, body, offline: null, done });
  }).option(...reasonOption(help));
  registerAction("differences-mended", ({ differencesMended }) => differencesMended);
  registerAction("pause", ({ paused }) => paused);
  registerAction("resume", ({ resumed }) => resumed);
}

function addSiteCommands(context: CliContext, help: Messages["help"], command: AddCommand): void {
  addAction(context, help, command, "resend <event>", (event, { reason }) => ({
    path: `/api/events/${idNumber(event)}/resend`,
    body: {},
    offline: ({ resend }) => resend(idNumber(event), reason),
    done: ({ resent }) => resent({ event: idNumber(event) }),
  }));

  command("sync [site]", actionOptions, async (options, [only]) => {
    const config = loadConfigOfDaemon(context, options.config);
    if (only !== undefined) requireKnown(config, "site", only);
    for (const site of only === undefined ? config.sites.map(({ id }) => id) : [only]) {
      await runAction(context, options, {
        path: `/api/sites/${encodeURIComponent(site)}/sync`,
        body: {},
        offline: ({ sync }) => sync(site, options.reason),
        done: ({ synced }) => synced({ site }),
      });
    }
    return exitCodes.done;
  }).option(...reasonOption(help));
}

/** Actions on a job that need a running daemon. */
function addOnlineJobCommands(context: CliContext, help: Messages["help"], command: AddCommand): void {
  command("move <job> <register>", actionOptions, (options, [argument = "", register = ""]) => {
    const config = loadConfigOfDaemon(context, options.config);
    requireKnown(config, "register", register);
    const job = jobOf(config, argument);
    return runAction(context, options, {
      path: `/api/jobs/${job}/move`,
      body: { register },
      offline: null,
      done: ({ moved }) => moved({ job, register }),
    });
  }).option(...reasonOption(help));
  addAction(context, help, command, "copy <job>", (argument, { config }) => {
    const job = jobOf(loadConfigOfDaemon(context, config), argument);
    return { path: `/api/jobs/${job}/copy`, body: {}, offline: null, done: ({ copied }) => copied({ job }) };
  });
  command("resolve <job>", resolveOptions, (options, [argument = ""]) => {
    const body = resolution(options);
    const job = jobOf(loadConfigOfDaemon(context, options.config), argument);
    return runAction(context, options, {
      path: `/api/jobs/${job}/resolve`,
      body,
      offline: null,
      done: ({ settled }) => settled({ job }),
    });
  })
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

function resolution({ printed, notPrinted, checked, ...options }: z.output<typeof resolveOptions>): object {
  if ((printed === undefined) === (notPrinted === undefined)) {
    throw new Fault("usage.wrong", { message: commandReasons.printedOrNot });
  }
  const paper = paperOf(options);
  if (checked.length > 0 && notPrinted !== true) {
    throw new Fault("usage.wrong", { message: commandReasons.checkedAlone });
  }
  if (notPrinted === true) {
    if (paper !== null) throw new Fault("usage.wrong", { message: commandReasons.paperAlone });
    return { notPrinted: true, checked };
  }
  return { printed: printed === 0 ? null : printed, ...(paper === null ? {} : { paper }) };
}

function collectNumbers(text: string, before: readonly number[] = []): readonly number[] {
  return [...before, wholeNumber(text)];
}

type PaperOptions = Pick<z.output<typeof resolveOptions>, "fn" | "sign" | "shift" | "time" | "receiptNumber">;

function paperOf({ fn, sign: fiscalSign, shift, time, receiptNumber }: PaperOptions): object | null {
  const numbers = [fn, fiscalSign, shift, time];
  if (numbers.every((number) => number === undefined) && receiptNumber === undefined) return null;
  if (numbers.some((number) => number === undefined)) {
    throw new Fault("usage.wrong", { message: commandReasons.paperWhole });
  }
  return { fn, fiscalSign, shift, time, ...(receiptNumber === undefined ? {} : { receiptNumber }) };
}
