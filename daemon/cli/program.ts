import { type Command, CommanderError, Option, StrictCommand } from "@fiscald/shared/command-line.js";
import { Fault } from "@fiscald/shared/fault.js";
import { addSiteFlags } from "@fiscald/shared/site-check/command-flags.js";
import { type Language, type Messages, messagesIn } from "../messages/messages.js";
import { type CliContext, type ExitCode, exitCodes, languageOf, printFailure, type Session } from "./cli-context.js";
import type { ActionName } from "./commands/action-commands.js";
import { registerEmulatorCommand } from "./commands/emulator.js";
import { cliOptions, isRepeated, type OptionName, type OptionRow, optionRows } from "./options.js";
import { translateHelp } from "./translated-help.js";
import { fiscaldVersion } from "./versions.js";

type CommandName = keyof Messages["help"]["commands"];
type Act = (session: Session) => ExitCode | Promise<ExitCode>;
/** `options` is without --config and --lang, which every command has. */
type CommandRow = readonly [
  usage: CommandName | `${CommandName} ${string}`,
  options: readonly OptionName[],
  load: () => Promise<Act>,
];

const action = (name: ActionName) => async () => (await import("./commands/action-commands.js")).actions[name];

/** Each command imports its own modules, so that the daemon starts without the modules of other commands. */
const commandRows: readonly CommandRow[] = [
  ["run", [], async () => (await import("./commands/run.js")).runDaemon],
  ["init", ["out", "host", "port"], async () => (await import("./init/init.js")).init],
  ["discover", ["host", "port", "json"], async () => (await import("./commands/discover.js")).showDiscovery],
  ["check-config", ["json", "schema", "on"], async () => (await import("./commands/check-config.js")).checkConfig],
  ["check-site [site]", [], async () => (await import("./commands/check-site.js")).checkSites],
  ["status", ["json"], async () => (await import("./commands/status.js")).showStatus],
  ["doctor", ["json"], async () => (await import("./doctor/doctor.js")).examine],
  ["console", ["operator", "json"], async () => (await import("./commands/console-link.js")).showConsoleLink],
  ["jobs", ["state", "site", "register", "json"], async () => (await import("./commands/jobs.js")).printJobs],
  ["explain <order>", ["json"], async () => (await import("./commands/explain.js")).explainOrder],
  [
    "logs",
    ["follow", "register", "order", "level", "days", "json"],
    async () => (await import("./commands/logs.js")).showLogs,
  ],
  ["restore <file>", [], async () => (await import("./commands/restore.js")).restore],
  ["export [file]", ["undo", "yes"], async () => (await import("./move/export-till.js")).exportTill],
  ["import <file>", ["lost"], async () => (await import("./move/import-till.js")).importTill],
  ["support-bundle", ["out"], async () => (await import("./support-bundle/support-bundle.js")).makeSupportBundle],
  ["service <action>", ["dryRun", "json"], async () => (await import("./service/service.js")).manageService],
  ["retry [jobs...]", ["state", "site", "register", "since", "yes", "reason"], action("retry")],
  [
    "return <order>",
    ["items", "fixes", "site", "yes", "reason"],
    async () => (await import("./return-receipt.js")).returnReceipt,
  ],
  ["same-receipt <job>", ["reason"], action("same-receipt")],
  ["cancel <job>", ["reason"], action("cancel")],
  ["copy <job>", ["reason"], action("copy")],
  ["set-aside <jobs...>", ["reason"], action("set-aside")],
  ["approve <jobs...>", ["asCorrection", "date", "yes", "reason"], action("approve")],
  ["print-anyway <job>", ["yes", "reason"], action("print-anyway")],
  ["move <job> <register>", ["reason"], action("move")],
  [
    "resolve <job>",
    ["printed", "notPrinted", "checked", "fn", "sign", "shift", "time", "receiptNumber", "yes", "reason"],
    action("resolve"),
  ],
  ["x-report <register>", ["reason"], action("x-report")],
  ["z-report <register>", ["reason"], action("z-report")],
  ["test-slip <register>", ["reason"], action("test-slip")],
  ["pause <register>", ["reason"], action("pause")],
  ["resume <register>", ["reason"], action("resume")],
  ["accept-identity <register>", ["orders", "lost", "yes", "reason"], action("accept-identity")],
  ["accept-differences <register> [tag]", ["reason"], action("accept-differences")],
  ["differences-mended <register>", ["reason"], action("differences-mended")],
  ["resend <event>", ["reason"], action("resend")],
  ["sync [site]", ["reason"], action("sync")],
  [
    "correct [order]",
    [
      ...(["case", "document", "date", "instruction", "set", "add", "pay"] as const),
      ...(["at", "site", "contact", "internet", "sign", "yes", "reason"] as const),
    ],
    async () => (await import("./correct.js")).correctReceipt,
  ],
];

export async function runCli(context: CliContext, args: readonly string[]): Promise<number> {
  let exitCode: number = exitCodes.done;
  let language: Language = "en";
  let named: string | undefined;
  try {
    language = languageOf(context, args);
    const program = buildProgram(context, language, {
      onCommand: (name) => {
        named = name;
      },
      onExit: (code) => {
        exitCode = code;
      },
    });
    translateHelp(program, language);
    await program.parseAsync([...args], { from: "user" });
    return exitCode;
  } catch (error) {
    // Commander has printed its message already. A help text ends with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUsage;
    return printFailure(context, error, language, named);
  }
}

interface ProgramEvents {
  onCommand(name: string): void;
  onExit(code: number): void;
}

function buildProgram(context: CliContext, language: Language, { onCommand, onExit }: ProgramEvents): Command {
  const words = messagesIn(language);
  const { help } = words;
  const program = new StrictCommand("fiscald", () => language).description(help.program);
  program.version(fiscaldVersion(), "--version", help.version).helpOption("-h, --help", help.help);
  const titles: Readonly<Record<string, string>> = help.titles;
  program.configureHelp({ styleTitle: (title) => titles[title] ?? title });
  program
    .helpCommand("help [command]", help.help)
    .exitOverride()
    .configureOutput({ writeOut: context.out, writeErr: context.err });
  for (const name of ["config", "lang"] as const) {
    program.acceptBeforeCommands(optionRows[name].flags, help.options[name]);
  }
  for (const [usage, options, load] of commandRows) {
    const name = nameOf(usage);
    const command = program.command(usage).description(help.commands[name]);
    for (const option of ["config", "lang", ...options] as const) command.addOption(optionOf(option, help));
    if (name === "check-site") addSiteFlags(command, language);
    command.action(async (...values: readonly unknown[]) => {
      onCommand(name);
      const args = values.flat().filter((value) => typeof value === "string");
      const given: unknown = command.opts();
      const act = await load();
      onExit(await act({ context, options: cliOptions.parse(given), given, args, language, words }));
    });
  }
  registerEmulatorCommand(program, help.emulator, onExit).description(help.commands.emulator);
  return program;
}

function optionOf(name: OptionName, { options }: Messages["help"]): Option {
  const row: OptionRow = optionRows[name];
  const option = new Option(row.flags, options[name]);
  if (isRepeated(row)) return option.argParser<readonly string[]>((value, before = []) => [...before, value]);
  const { parse } = row;
  return parse === undefined ? option : option.argParser<unknown>((value) => parse(value));
}

function nameOf(usage: string): CommandName {
  const [name = ""] = usage.split(" ");
  if (!isCommandName(name)) throw new Fault("internal", { message: `${name} has no help` });
  return name;
}

function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(messagesIn("en").help.commands, name);
}
