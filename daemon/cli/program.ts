import { Command, CommanderError, StrictCommand } from "@fiscald/shared/command-line.js";
import { addSiteFlags } from "@fiscald/shared/site-check/command-flags.js";
import type { z } from "zod";
import { type Language, messagesIn } from "../messages/messages.js";
import { wholeNumber } from "./arguments.js";
import {
  type CliContext,
  type ExitCode,
  exitCodes,
  languageOfHelp,
  languageOfWords,
  printFailure,
} from "./cli-context.js";
import { addActionCommands, type CommandUsage, nameOf } from "./commands/action-commands.js";
import { registerEmulatorCommand } from "./commands/emulator.js";
import {
  bundleOptions,
  type CommonOptions,
  checkOptions,
  checkSiteOptions,
  commonOptions,
  consoleOptions,
  correctOptions,
  discoverOptions,
  exportOptions,
  importOptions,
  initOptions,
  jobsOptions,
  logsOptions,
  type ServiceOptions,
  serviceOptions,
} from "./options.js";
import { translateHelp } from "./translated-help.js";
import { fiscaldVersion } from "./versions.js";

/** Runs one command line (without the program's own name) to its exit code. */
export async function runCli(context: CliContext, args: readonly string[]): Promise<number> {
  let exitCode: number = exitCodes.done;
  let seen: CommonOptions = {};
  let named: string | undefined;
  const language = languageOfHelp(context, args);
  const program = buildProgram(
    context,
    () => languageOfWords(context, args),
    language,
    (code) => {
      exitCode = code;
    },
    (command, options) => {
      named = command;
      seen = options;
    },
  );
  translateHelp(program, language);
  try {
    await program.parseAsync([...args], { from: "user" });
    return exitCode;
  } catch (error) {
    // Commander has printed its message already. A help text ends with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUsage;
    return printFailure(context, error, seen, named);
  }
}

/** Each command imports its own modules, so that the daemon starts without the modules of other commands. */
function buildProgram(
  context: CliContext,
  languageOfErrors: () => Language,
  language: Language,
  onExit: (code: number) => void,
  onOptions: (command: string, options: CommonOptions) => void,
): Command {
  const { help } = messagesIn(language);
  const configOption = ["--config <path>", help.options.config] as const;
  const langOption = ["--lang <language>", help.options.lang] as const;
  const hostOption = ["--host <host[:port]>", help.options.host, collect] as const;
  const portOption = ["--port <path>", help.options.port, collect] as const;
  const program = new StrictCommand("fiscald", languageOfErrors).description(help.program);
  program.version(fiscaldVersion(), "--version", help.version).helpOption("-h, --help", help.help);
  const titles: Readonly<Record<string, string>> = help.titles;
  program.configureHelp({ styleTitle: (title) => titles[title] ?? title });
  program
    .helpCommand("help [command]", help.help)
    .exitOverride()
    .configureOutput({ writeOut: context.out, writeErr: context.err });
  program.acceptBeforeCommands(...configOption).acceptBeforeCommands(...langOption);

  /** Adds a command with the options --config and --lang. Commander checks the options, and `schema` gives them their types. */
  function command<T>(
    usage: CommandUsage,
    schema: z.ZodType<T>,
    act: (options: T, args: readonly string[]) => ExitCode | Promise<ExitCode>,
  ): Command {
    return program
      .command(usage)
      .description(help.commands[nameOf(usage)])
      .option(...configOption)
      .option(...langOption)
      .action(async (...values: readonly unknown[]) => {
        const args = values.flat().filter((value) => typeof value === "string");
        const self = values.at(-1);
        const options = self instanceof Command ? self.opts() : {};
        onOptions(nameOf(usage), commonOptions.parse(options));
        onExit(await act(schema.parse(options), args));
      });
  }

  command("run", commonOptions, async (options) => (await import("./commands/run.js")).runDaemon(context, options));
  command("init", initOptions, async (options) => (await import("./init/init.js")).init(context, options))
    .option("--out <path>", help.options.out)
    .option(...hostOption)
    .option(...portOption);
  command("discover", discoverOptions, async (options) =>
    (await import("./commands/discover.js")).showDiscovery(context, options),
  )
    .option(...hostOption)
    .option(...portOption)
    .option("--json", help.options.json);
  command("check-config", checkOptions, async (options) =>
    (await import("./commands/check-config.js")).checkConfig(context, options),
  )
    .option("--json", help.options.json)
    .option("--schema", help.options.schema)
    .option("--on <date>", help.options.on);
  addSiteFlags(
    command("check-site [site]", checkSiteOptions, async (options, [site]) =>
      (await import("./commands/check-site.js")).checkSites(context, site, options),
    ),
    language,
  );
  command("status", commonOptions, async (options) =>
    (await import("./commands/status.js")).showStatus(context, options),
  ).option("--json", help.options.json);
  command("doctor", commonOptions, async (options) =>
    (await import("./doctor/doctor.js")).examine(context, options),
  ).option("--json", help.options.json);
  command("console", consoleOptions, async (options) =>
    (await import("./commands/console-link.js")).showConsoleLink(context, options),
  )
    .option("--operator", help.options.operator)
    .option("--json", help.options.json);
  command("jobs", jobsOptions, async (options) => (await import("./commands/jobs.js")).printJobs(context, options))
    .option("--state <state>", help.options.state)
    .option("--site <id>", help.options.site)
    .option("--register <id>", help.options.register)
    .option("--limit <count>", help.options.limit, wholeNumber, 50)
    .option("--json", help.options.json);
  command("explain <order>", commonOptions, async (options, [order = ""]) =>
    (await import("./commands/explain.js")).explainOrder(context, order, options),
  ).option("--json", help.options.json);
  command("logs", logsOptions, async (options) => (await import("./commands/logs.js")).showLogs(context, options))
    .option("-f, --follow", help.options.follow)
    .option("--register <id>", help.options.register)
    .option("--order <id>", help.options.order)
    .option("--level <level>", help.options.level)
    .option("--days <count>", help.options.days, wholeNumber, 1)
    .option("--json", help.options.jsonLines);
  command("restore <file>", commonOptions, async (options, [file = ""]) =>
    (await import("./commands/restore.js")).restore(context, file, options),
  );
  command("export [file]", exportOptions, async (options, [file]) =>
    (await import("./move/export-till.js")).exportTill(context, file, options),
  )
    .option("--undo", help.options.undo)
    .option("--yes", help.options.yes);
  command("import <file>", importOptions, async (options, [file = ""]) =>
    (await import("./move/import-till.js")).importTill(context, file, options),
  ).option("--lost", help.options.importLost);
  command("support-bundle", bundleOptions, async (options) =>
    (await import("./support-bundle/support-bundle.js")).makeSupportBundle(context, options),
  ).option("--out <file>", help.options.bundleOut);
  command("service <action>", serviceOptions, (options, [action = ""]) => runServiceAction(context, action, options))
    .option("--dry-run", help.options.dryRun)
    .option("--json", help.options.statusJson);
  addActionCommands(context, help, command);
  command("correct [order]", correctOptions, async (options, [order]) =>
    (await import("./correct.js")).correctReceipt(context, order, options),
  )
    .option("--case <word>", help.options.case)
    .option("--document <fd>", help.options.document, wholeNumber)
    .option("--date <date>", help.options.settledOn)
    .option("--set <name=value>", help.options.set, collect)
    .option("--pay <number>", help.options.pay, wholeNumber)
    .option("--yes", help.options.yes)
    .option("--reason <text>", help.options.reason);
  registerEmulatorCommand(program, help.emulator, onExit).description(help.commands.emulator);
  return program;
}

async function runServiceAction(context: CliContext, action: string, options: ServiceOptions): Promise<ExitCode> {
  const { thisMachine } = await import("./service/machine.js");
  const { manageService } = await import("./service/service.js");
  return manageService(context, thisMachine(), action, options);
}

const collect = (value: string, list: readonly string[] = []): readonly string[] => [...list, value];
