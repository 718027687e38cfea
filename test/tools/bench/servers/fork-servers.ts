/** Runs servers in processes of their own, and measures their rates in turns. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Figure } from "../measuring/figure.js";

export interface ForkOptions<Servers extends object> {
  /** A file of this folder; it sends the addresses that it serves to its parent. */
  readonly script: string;
  /** The arguments of each process. `folder`: a folder of this run, which is deleted at the end. */
  readonly processes: (folder: string) => { readonly [Name in keyof Servers]: readonly string[] };
  /** `servers`: the addresses that each process has sent. */
  measure(servers: Servers): Promise<readonly Figure[]>;
}

export async function withServers<Servers extends object>({ script, processes, measure }: ForkOptions<Servers>) {
  const folder = await mkdtemp(join(tmpdir(), "fiscald-bench-"));
  const path = fileURLToPath(new URL(`./${script}`, import.meta.url));
  const forks = Object.entries<readonly string[]>({ ...processes(folder) }).map(([name, args]) => ({
    name,
    child: fork(path, [name, ...args]),
  }));
  try {
    const sent = forks.map(async ({ name, child }) => [name, ...(await once(child, "message"))] as const);
    return await measure(Object.fromEntries(await Promise.all(sent)));
  } finally {
    await Promise.all(forks.map(({ child }) => end(child)));
    await rm(folder, { recursive: true, force: true });
  }
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill();
  await ended;
}

/**
 * The mean rate of each server over all turns; the first turn only warms up. They take turns so that a busy machine
 * slows all of them alike.
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
