import { Command, CommanderError, StrictCommand } from "@fiscald/shared/command-line.js";
import { addSiteFlags, siteFlagsSchema } from "@fiscald/shared/site-check/command-flags.js";
import { z } from "zod";
import { languages } from "../messages/messages.js";
import { wholeNumber } from "./arguments.js";
import { type CliContext, type ExitCode, exitCodes, printFailure } from "./cli-context.js";
import { addActionCommands } from "./commands/action-commands.js";
import { registerEmulatorCommand } from "./commands/emulator.js";
import { fiscaldVersion } from "./versions.js";

/** Runs one command line (without the program's own name) to its exit code. */
export async function runCli(context: CliContext, args: readonly string[]): Promise<number> {
  let exitCode: number = exitCodes.done;
  const program = buildProgram(context, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...args], { from: "user" });
    return exitCode;
  } catch (error) {
    // Commander has printed the message. The help ends with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUsage;
    return printFailure(context, error);
  }
}

/** Each command imports its own modules, so that the daemon starts without those of the others. */
function buildProgram(context: CliContext, onExit: (code: number) => void): Command {
  const program = new StrictCommand("fiscald").description(
    "Prints the paid orders of web sites on fiscal registrators",
  );
  program.version(fiscaldVersion(), "--version", "the version of this program");
  program.exitOverride().configureOutput({ writeOut: context.out, writeErr: context.err });
  program.acceptBeforeCommands(...configOption);

  /** Adds a command with the option --config. Commander checks the options, and `schema` gives them their types. */
  function command<T>(
    usage: string,
    description: string,
    schema: z.ZodType<T>,
    act: (options: T, args: readonly string[]) => ExitCode | Promise<ExitCode>,
  ): Command {
    return program
      .command(usage)
      .description(description)
      .option(...configOption)
      .action(async (...values: readonly unknown[]) => {
        const args = values.flat().filter((value) => typeof value === "string");
        const self = values.at(-1);
        const options = self instanceof Command ? self.opts() : {};
        onExit(await act(schema.parse(options), args));
      });
  }

  command("run", "runs the daemon; SIGTERM and SIGINT stop it after the current receipt", withConfig, async (options) =>
    (await import("./commands/run.js")).runDaemon(context, options),
  );
  command("init", "finds registers, asks for the site's address, writes a config", initOptions, async (options) =>
    (await import("./init/init.js")).init(context, options),
  )
    .option("--out <path>", "the file to write; default: as --config")
    .option(...hostOption)
    .option(...portOption);
  command("discover", "registers on this machine's ports and on given hosts", discoverOptions, async (options) =>
    (await import("./commands/discover.js")).showDiscovery(context, options),
  )
    .option(...hostOption)
    .option(...portOption)
    .option("--json", "as JSON");
  command("check-config", "all problems of the config at once", checkOptions, async (options) =>
    (await import("./commands/check-config.js")).checkConfig(context, options),
  )
    .option("--json", "as JSON")
    .option("--schema", "prints the JSON Schema of the config for editors");
  addSiteFlags(
    command(
      "check-site [site]",
      "plays the print server against a site of the config (all of them) or an address: what is wrong, how to mend it",
      checkSiteOptions,
      async (options, [site]) => (await import("./commands/check-site.js")).checkSites(context, site, options),
    ).option(...langOption),
  );
  command("status", "registers, shifts, queue, outbox, and why orders wait", spokenOptions, async (options) =>
    (await import("./commands/status.js")).showStatus(context, options),
  )
    .option(...langOption)
    .option("--json", "as JSON");
  command("console", "a one-time link to the operator's page", spokenOptions, async (options) =>
    (await import("./commands/console-link.js")).showConsoleLink(context, options),
  )
    .option(...langOption)
    .option("--json", "as JSON");
  command("jobs", "the queue and its history, newest first", jobsOptions, async (options) =>
    (await import("./commands/jobs.js")).listJobs(context, options),
  )
    .option("--state <state>", "only in this state")
    .option("--site <id>", "only of this site")
    .option("--register <id>", "only of this register")
    .option("--limit <count>", "how many", wholeNumber, 50)
    .option("--json", "as JSON");
  command(
    "explain <order>",
    "why an order is not printed yet, and its whole history",
    spokenOptions,
    async (options, [order = ""]) => (await import("./commands/explain.js")).explainOrder(context, order, options),
  )
    .option(...langOption)
    .option("--json", "as JSON");
  command("logs", "shows the lines of the log", logsOptions, async (options) =>
    (await import("./commands/logs.js")).showLogs(context, options),
  )
    .option("-f, --follow", "then shows new lines")
    .option("--register <id>", "only of this register")
    .option("--order <id>", "only of this order")
    .option("--level <level>", "this level and the more severe ones")
    .option("--days <count>", "how many days back", wholeNumber, 1)
    .option("--json", "as JSON, one object a line");
  command(
    "restore <file>",
    "replaces the database by a copy from data/backup",
    withConfig,
    async (options, [file = ""]) => (await import("./commands/restore.js")).restore(context, file, options),
  );
  command(
    "support-bundle",
    "writes one zip for support, with contacts and secrets masked",
    bundleOptions,
    async (options) => (await import("./support-bundle/support-bundle.js")).makeSupportBundle(context, options),
  ).option("--out <file>", "the file to write; default: fiscald-support-TIME.zip in this folder");
  command(
    "service <action>",
    "install, uninstall or status: a systemd unit on Linux, a task that starts with the computer on Windows",
    serviceOptions,
    (options, [action = ""]) => runServiceAction(context, action, options),
  )
    .option("--dry-run", "prints the steps and executes nothing")
    .option("--json", "status as JSON");
  addActionCommands(context, command);
  registerEmulatorCommand(program, onExit);
  return program;
}

async function runServiceAction(
  context: CliContext,
  action: string,
  options: z.infer<typeof serviceOptions>,
): Promise<ExitCode> {
  const { thisMachine } = await import("./service/machine.js");
  const { manageService } = await import("./service/service.js");
  return manageService(context, thisMachine(), action, options);
}

const configOption = ["--config <path>", "config file (or FISCALD_CONFIG); default ./config.json"] as const;
const langOption = [
  "--lang <language>",
  `${languages.join(" or ")} (or FISCALD_LANG); default: log.language of the config`,
] as const;
const collect = (value: string, list: readonly string[]): readonly string[] => [...list, value];
const hostOption = [
  "--host <host[:port]>",
  "also searches this host, on the makers' default ports or on this one; may be repeated",
  collect,
  [],
] as const;
const portOption = ["--port <path>", "searches only this serial port; may be repeated", collect, []] as const;

const config = z.string().optional();
const json = z.boolean().optional();
const withConfig = z.object({ config });
const spokenOptions = z.object({ config, json, lang: z.string().optional() });
const discoverOptions = z.object({ config, json, host: z.array(z.string()), port: z.array(z.string()) });
const initOptions = z.object({
  config,
  out: z.string().optional(),
  host: z.array(z.string()),
  port: z.array(z.string()),
});
const checkOptions = z.object({ config, json, schema: z.boolean().optional() });
const jobsOptions = z.object({
  config,
  json,
  state: z.string().optional(),
  site: z.string().optional(),
  register: z.string().optional(),
  limit: z.number(),
});
const checkSiteOptions = siteFlagsSchema.extend({ config });
const serviceOptions = z.object({ config, json, dryRun: z.boolean().optional() });
const bundleOptions = z.object({ config, out: z.string().optional() });
const logsOptions = z.object({
  config,
  json,
  follow: z.boolean().optional(),
  register: z.string().optional(),
  order: z.string().optional(),
  level: z.string().optional(),
  days: z.number(),
});
