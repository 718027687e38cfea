import "./small-heap.js";
import { runCli } from "./cli/program.js";
import { watchReader } from "./cli/terminal/output.js";

const stopping = new AbortController();
// SIGHUP: the window was closed, and Windows ends the process after a few seconds. SIGBREAK: Ctrl-Break on Windows.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"] as const) process.on(signal, () => stopping.abort());

process.exitCode = await runCli(
  {
    env: process.env,
    folder: process.cwd(),
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    // This is a getter, because only a command that asks something may touch standard input.
    get input() {
      return process.stdin;
    },
    stopSignal: stopping.signal,
    readerGone: watchReader([process.stdout, process.stderr]),
  },
  process.argv.slice(2),
);
