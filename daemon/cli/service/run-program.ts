import { execFile } from "node:child_process";

export interface ProgramEnd {
  /** Null: it could not be run at all, or was killed because it took too long. */
  readonly code: number | null;
  readonly output: string;
}

/** Runs a program of the system to its end. Never rejects. */
export type RunProgram = (command: string, args: readonly string[], options?: RunOptions) => Promise<ProgramEnd>;

export interface RunOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default 60 s. */
  readonly timeoutMs?: number;
}

export const runProgram: RunProgram = (command, args, { env = process.env, timeoutMs = 60_000 } = {}) =>
  new Promise((resolve) => {
    execFile(
      command,
      [...args],
      { env: { ...env }, timeout: timeoutMs, windowsHide: true },
      (error, stdout, stderr) => {
        const output = `${stdout}${stderr}`.trim();
        if (error === null) resolve({ code: 0, output });
        else if (typeof error.code === "number") resolve({ code: error.code, output: output || error.message });
        else resolve({ code: null, output: output || error.message });
      },
    );
  });
