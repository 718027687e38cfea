import type { CliContext } from "@fiscald/daemon/cli/cli-context.js";
import { runCli } from "@fiscald/daemon/cli/program.js";

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface StartedCommand {
  readonly ended: Promise<Ended>;
  /** Does what a SIGTERM does. */
  stop(): void;
  output(): string;
}

/** Runs a command line of `fiscald` in this process, as if it were typed in `folder`. */
export function startCommand(
  folder: string,
  line: string | readonly string[],
  rest: Partial<CliContext> = {},
): StartedCommand {
  let out = "";
  let err = "";
  const stopping = new AbortController();
  const context: CliContext = {
    env: {},
    folder,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    stopSignal: stopping.signal,
    ...rest,
  };
  const ended = runCli(context, typeof line === "string" ? line.split(" ") : line).then((code): Ended => {
    return { code, out, err };
  });
  return { ended, stop: () => stopping.abort(), output: () => out };
}
