import { Fault } from "@fiscald/shared/fault.js";
import type { Messages } from "../../messages/messages.js";
import { commandReasons } from "../../messages/reasons/command-reasons.js";
import { commandLine } from "../terminal/output.js";

export type ServiceStep =
  | {
      readonly kind: "run";
      readonly command: string;
      readonly args: readonly string[];
      readonly okCodes: readonly number[] | "any";
    }
  | { readonly kind: "write"; readonly path: string; readonly text: string; readonly encoding: "utf8" | "utf16le" }
  | { readonly kind: "remove"; readonly path: string };

type RunStep = Extract<ServiceStep, { readonly kind: "run" }>;

export function runs(command: string, args: readonly string[], okCodes: RunStep["okCodes"] = [0]): ServiceStep {
  return { kind: "run", command, args, okCodes };
}

export interface ServiceSubject {
  readonly node: string;
  readonly main: string;
  readonly configPath: string;
  readonly dataFolders: readonly string[];
  /** The data folders that all users of the machine may read, such as the folder with the operator's token. */
  readonly openFolders: readonly string[];
  readonly secretFiles: readonly string[];
}

/** Closed to others, a system folder would stop all users; open to the service, it would let it change programs. */
const systemFolders =
  /^(\/(bin|boot|etc(?!\/fiscald\/)|lib\w*|proc|run|sbin|sys|usr)\/|[a-z]:\\(windows|program files[^\\]*)\\)/i;

/**
 * A data folder and all its content get new access rights, so the folder must not contain other files. `home`, the
 * folder of this program, may also contain the config.
 */
export function refuseSharedFolder(folder: string, configPath: string, home: string): void {
  const separator = home.includes("\\") ? "\\" : "/";
  const isDeep = folder.split(separator).filter((part) => part !== "").length >= 3;
  const containsConfig = configPath.startsWith(`${folder}${separator}`);
  if (isDeep && !systemFolders.test(folder) && (!containsConfig || folder === home)) return;
  throw new Fault("usage.wrong", {
    message: commandReasons.ownFolder({ folder, example: `${home}${separator}data` }),
    place: folder,
  });
}

type Words = Messages["commands"]["serviceSteps"];

export function describePlan(steps: readonly ServiceStep[], words: Words): string {
  return steps.map((step) => describeStep(step, words)).join("\n");
}

function describeStep(step: ServiceStep, words: Words): string {
  switch (step.kind) {
    case "run":
      return `# ${words.runs}\n${commandLine(step.command, step.args)}\n`;
    case "remove":
      return `# ${words.removes}\n${step.path}\n`;
    case "write":
      return `# ${words.writes({ path: step.path })}\n${step.text}`;
  }
}
