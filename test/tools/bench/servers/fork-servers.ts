/** Servers in a process of their own, and their rates in turns. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Figure } from "../measuring/figure.js";

export interface ForkOptions<Servers> {
  /** A file of this folder; it sends its servers to its parent. */
  readonly script: string;
  readonly args: (folder: string) => readonly string[];
  measure(servers: Servers): Promise<readonly Figure[]>;
}

export async function withServers<Servers>({ script, args, measure }: ForkOptions<Servers>) {
  const folder = await mkdtemp(join(tmpdir(), "fiscald-bench-"));
  const child = fork(fileURLToPath(new URL(`./${script}`, import.meta.url)), args(folder));
  try {
    const [servers]: Servers[] = await once(child, "message");
    if (servers === undefined) throw new Error("the servers did not start");
    return await measure(servers);
  } finally {
    const ended = once(child, "exit");
    child.kill();
    await ended;
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The mean rate of each over all turns; the first turn only warms up. In turns, so that a machine that is busy for a while is
 * so for all of them.
 */
export async function inTurns<Subject>(
  turns: number,
  subjects: readonly Subject[],
  rateOf: (subject: Subject) => Promise<number>,
): Promise<readonly number[]> {
  const found = subjects.map(() => 0);
  for (let turn = 0; turn <= turns; turn += 1) {
    for (const [index, subject] of subjects.entries()) {
      const rate = await rateOf(subject);
      if (turn > 0) found[index] = (found[index] ?? 0) + rate / turns;
    }
  }
  return found;
}
