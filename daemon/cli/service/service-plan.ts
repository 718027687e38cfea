import { Fault } from "@fiscald/shared/fault.js";
import { commandReasons } from "../../messages/reasons/command-reasons.js";
import { commandLine } from "../terminal/output.js";

/** The steps of installing a service, as data: `--dry-run` prints them, `service.ts` executes them. */
export type ServiceStep =
  | {
      readonly kind: "run";
      readonly command: string;
      readonly args: readonly string[];
      /** Exit codes of success; default: only 0. */
      readonly okCodes?: readonly number[] | "any";
    }
  | { readonly kind: "write"; readonly path: string; readonly text: string; readonly encoding: "utf8" | "utf16le" }
  | { readonly kind: "remove"; readonly path: string };

export interface ServiceSubject {
  /** Absolute paths of Node and of the main file of `fiscald`. */
  readonly node: string;
  readonly main: string;
  /** Absolute. */
  readonly configPath: string;
  /** Folders that the daemon writes to. Absolute. */
  readonly dataFolders: readonly string[];
  /** Those of them that all users of the machine may read: the folder of the operator's token. */
  readonly openFolders: readonly string[];
  /** Files that the service's user must be able to read. Absolute. */
  readonly secretFiles: readonly string[];
}

/** Folders of the system's own: closed to others, no user could work; open to the service, it could change programs. */
const systemFolders =
  /^(\/(bin|boot|etc(?!\/fiscald\/)|lib\w*|proc|run|sbin|sys|usr)\/|[a-z]:\\(windows|program files[^\\]*)\\)/i;

/** A data folder gets rights of its own with all its content, so it must not contain other files. `home`: may hold all. */
export function refuseSharedFolder(folder: string, configPath: string, home: string): void {
  const separator = home.includes("\\") ? "\\" : "/";
  const isDeep = folder.split(separator).filter((part) => part !== "").length >= 3;
  const containsConfig = configPath.startsWith(`${folder}${separator}`);
  if (isDeep && !systemFolders.test(folder) && (!containsConfig || folder === home)) return;
  throw new Fault("usage.wrong", {
    message: commandReasons.ownFolder(folder, `${home}${separator}data`),
    place: folder,
  });
}

/** The steps as lines that could be typed. */
export function describePlan(steps: readonly ServiceStep[]): string {
  return steps.map(describeStep).join("\n");
}

function describeStep(step: ServiceStep): string {
  switch (step.kind) {
    case "run":
      return `# runs\n${commandLine(step.command, step.args)}\n`;
    case "remove":
      return `# removes\n${step.path}\n`;
    case "write":
      return `# writes ${step.path}\n${step.text}`;
  }
}
