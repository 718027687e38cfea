/** From the start of the program that tills have to its first poll, beside a Node process that does nothing. */
import { rmSync } from "node:fs";
import { startChild } from "../../support/child-process.js";
import { startDaemon, writeConfig } from "../../support/daemon-process.js";
import { waitFor } from "../../support/wait-for.js";
import { type Figure, percentile, toFigure } from "./measuring/figure.js";
import { scaled } from "./measuring/scaled.js";
import { benchFolder, joinTillProgram, startTill, tillAt } from "./measuring/till.js";
import { startWireSite } from "./servers/wire-site.js";

const STARTS = scaled(15);

export async function run(): Promise<readonly Figure[]> {
  const program = joinTillProgram();
  const untilPoll: number[] = [];
  const bare: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    bare.push(await bareNodeMs());
    untilPoll.push(await firstPollMs(program));
  }
  return [
    toFigure({
      name: "start to the first poll p50",
      figure: percentile(untilPoll, 0.5),
      unit: "ms",
      beside: { "bare Node": percentile(bare, 0.5) },
      atMost: 800,
      note: "with a new database",
    }),
  ];
}

async function firstPollMs(program: string): Promise<number> {
  const folder = benchFolder();
  const emulator = await startTill({ folder });
  const site = await startWireSite();
  const config = writeConfig({ folder, siteUrl: site.url, registers: [tillAt(emulator.port)] });
  try {
    const startedAt = performance.now();
    const starting = startDaemon(config, {}, program);
    await waitFor("the daemon polls", () => site.isHeld());
    const ms = performance.now() - startedAt;
    const stopped = (await starting).stop();
    site.stopHolding();
    await stopped;
    return ms;
  } finally {
    await site.close();
    await emulator.stop();
    rmSync(folder, { recursive: true });
  }
}

async function bareNodeMs(): Promise<number> {
  const startedAt = performance.now();
  await startChild(["--eval", "0"]).ended;
  return performance.now() - startedAt;
}
