import { execFile } from "node:child_process";
import { win32 } from "node:path";
import { fileURLToPath } from "node:url";

export interface ProcessResult {
  /** Null: the program could not be started, or the timeout killed it. */
  readonly code: number | null;
  readonly output: string;
}

/** Never rejects. */
export type RunProcess = (command: string, args: readonly string[], options?: ProcessOptions) => Promise<ProcessResult>;

export interface ProcessOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs?: number;
}

export const runProcess: RunProcess = (command, args, { env = process.env, timeoutMs = 60_000 } = {}) =>
  new Promise((resolve) => {
    execFile(
      wholePath(command),
      [...args],
      { env: { ...env }, timeout: timeoutMs, windowsHide: true, encoding: "buffer" },
      (error, stdout, stderr) => {
        const output = textOf(Buffer.concat([stdout, stderr])).trim();
        if (error === null) resolve({ code: 0, output });
        else if (typeof error.code === "number") resolve({ code: error.code, output: output || error.message });
        else resolve({ code: null, output: output || error.message });
      },
    );
  });

/** With its full path, no program of the same name in the current folder is run instead of a Windows program. */
function wholePath(command: string): string {
  const { SystemRoot: windows = "C:\\Windows" } = process.env;
  return process.platform === "win32" && !command.includes("\\") ? win32.join(windows, "System32", command) : command;
}

/** The programs of a Russian Windows write in code page 866. */
function textOf(output: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(output);
  } catch {
    return new TextDecoder("ibm866").decode(output);
  }
}

export interface ServiceMachine {
  readonly platform: NodeJS.Platform;
  readonly node: string;
  readonly main: string;
  readonly isAdministrator: boolean;
  readonly run: RunProcess;
}

/** On Windows `isAdministrator` is always true, because the system itself refuses what needs an administrator. */
export function thisMachine(): ServiceMachine {
  return {
    platform: process.platform,
    node: process.execPath,
    main: fileURLToPath(new URL("../../main.js", import.meta.url)),
    isAdministrator: process.platform === "win32" || process.getuid?.() === 0,
    run: runProcess,
  };
}
