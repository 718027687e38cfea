import { spawn } from "node:child_process";
import { availableParallelism, setPriority } from "node:os";

const LEAST_PRIORITY = 19;

/**
 * Keeps every processor awake until the returned function is called, by loops that yield to every other program. Waking
 * a processor of a virtual machine takes up to a few hundred microseconds, dozens of times a receipt. Not together with
 * `chrt -r`: the loops would get its priority too, and yield to nothing.
 */
export function keepAwake(): () => void {
  const loops = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ["--eval", "const bench = process.ppid; while (process.ppid === bench);"], {
      stdio: "ignore",
    }),
  );
  for (const { pid } of loops) if (pid !== undefined) setPriority(pid, LEAST_PRIORITY);
  return () => {
    for (const loop of loops) loop.kill("SIGKILL");
  };
}
