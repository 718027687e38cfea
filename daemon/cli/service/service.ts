import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { wrongValue } from "@fiscald/shared/command-line.js";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import type { Config } from "../../config/config-schema.js";
import { commandReasons } from "../../messages/reasons/command-reasons.js";
import { configPathOf, type ExitCode, exitCodes, loadCliConfig, printJson, type Session } from "../cli-context.js";
import { stringsUnder } from "../move/till-files.js";
import { commandLine } from "../terminal/output.js";
import { type RunProcess, type ServiceMachine, thisMachine } from "./machine.js";
import { describePlan, type ServiceStep, type ServiceSubject } from "./service-plan.js";
import { systemdInstallPlan, systemdStatusArgs, systemdUninstallPlan } from "./systemd-unit.js";
import { windowsInstallPlan, windowsStatusArgs, windowsUninstallPlan } from "./windows-task.js";

export function manageService(session: Session, machine: ServiceMachine = thisMachine()): Promise<ExitCode> {
  const [action = ""] = session.args;
  if (machine.platform !== "linux" && machine.platform !== "win32") {
    throw wrongValue(commandReasons.noService({ platform: machine.platform }));
  }
  switch (action) {
    case "install":
      return execute(session, machine, installPlan(session, machine), "serviceInstalled");
    case "uninstall": {
      const steps = isWindows(machine) ? windowsUninstallPlan() : systemdUninstallPlan();
      return execute(session, machine, steps, "serviceRemoved");
    }
    case "status":
      return showServiceStatus(session, machine);
    default:
      throw wrongValue(commandReasons.serviceAction({ action }));
  }
}

function installPlan(session: Session, machine: ServiceMachine): readonly ServiceStep[] {
  const config = loadCliConfig(session);
  const configPath = configPathOf(session.context, session.options.config);
  const subject: ServiceSubject = {
    node: machine.node,
    main: machine.main,
    configPath,
    ...dataFoldersOf(config),
    secretFiles: secretFilesOf(configPath),
  };
  return isWindows(machine)
    ? windowsInstallPlan(subject)
    : systemdInstallPlan({ ...subject, serialGroup: findSerialGroup() });
}

async function execute(
  { context, options, words: { commands } }: Session,
  { isAdministrator, run }: ServiceMachine,
  steps: readonly ServiceStep[],
  done: "serviceInstalled" | "serviceRemoved",
): Promise<ExitCode> {
  if (options.dryRun) {
    context.out(describePlan(steps, commands.serviceSteps));
    return exitCodes.done;
  }
  if (!isAdministrator) throw wrongValue(commandReasons.needsRights);
  for (const step of steps) await executeStep(step, run);
  context.out(`${commands[done]}\n`);
  return exitCodes.done;
}

/** `systemctl` waits for the receipt that is being printed (TimeoutStopSec) and for the start (TimeoutStartSec). */
const STEP_MS = 600_000;

async function executeStep(step: ServiceStep, run: RunProcess): Promise<void> {
  switch (step.kind) {
    case "write":
      return guardFile(step.path, () => writeFileSync(step.path, withByteOrderMark(step), step.encoding));
    case "remove":
      return guardFile(step.path, () => rmSync(step.path, { force: true }));
    case "run": {
      const { code, output } = await run(step.command, step.args, { timeoutMs: STEP_MS });
      if (step.okCodes === "any" || (code !== null && step.okCodes.includes(code))) return;
      const line = commandLine(step.command, step.args);
      throw new Fault("service.failed", { message: `\`${line}\` failed: ${output}`, place: step.command });
    }
  }
}

/** Windows recognises UTF-16 by the byte order mark. */
function withByteOrderMark({ text, encoding }: { readonly text: string; readonly encoding: string }): string {
  return encoding === "utf16le" ? `\uFEFF${text}` : text;
}

function guardFile(path: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    throw toFault(error, "service.failed", { place: path });
  }
}

async function showServiceStatus({ context, options, words }: Session, machine: ServiceMachine): Promise<ExitCode> {
  const [command, args] = isWindows(machine) ? ["schtasks", windowsStatusArgs] : ["systemctl", systemdStatusArgs];
  const { code, output } = await machine.run(command, args);
  const facts = isWindows(machine) ? {} : Object.fromEntries(output.split("\n").map(toPair));
  // Windows prints the state of a task in the system's language, so only the existence of the task can be detected.
  const installed = isWindows(machine) ? code === 0 : facts.LoadState === "loaded";
  const running = isWindows(machine) ? null : facts.ActiveState === "active";
  if (options.json) printJson(context, { installed, running, facts, output });
  else context.out(`${installed ? "" : `${words.commands.noService}\n`}${output}\n`);
  return installed && running !== false ? exitCodes.done : exitCodes.failed;
}

function toPair(line: string): readonly [string, string] {
  const at = line.indexOf("=");
  return [line.slice(0, at), line.slice(at + 1)];
}

function dataFoldersOf({ database, log, console: { tokenFile, operatorTokenFile } }: Config) {
  const closed = new Set([dirname(database), log.folder, dirname(tokenFile)]);
  const open = operatorTokenFile === null ? [] : [dirname(operatorTokenFile)];
  return {
    dataFolders: [...new Set([...closed, ...open])].sort(),
    openFolders: open.filter((folder) => !closed.has(folder)),
  };
}

/** The paths come from the config file itself, because a loaded config has the secrets and not their paths. */
function secretFilesOf(configPath: string): readonly string[] {
  const found = stringsUnder(readFileSync(configPath, "utf8"), new Set(["fromFile", "keyFile"]));
  return [...new Set(found.map((path) => resolve(dirname(configPath), path)))].sort();
}

function findSerialGroup(): string | null {
  const groups = readFileSync("/etc/group", "utf8")
    .split("\n")
    .map((line) => line.split(":")[0]);
  return ["dialout", "uucp"].find((name) => groups.includes(name)) ?? null;
}

function isWindows({ platform }: ServiceMachine): boolean {
  return platform === "win32";
}
