/**
 * The daemon is killed at each boundary between two steps of a receipt: when a request has gone out and when its answer
 * has come. Started again, it must leave exactly one document, reported with its numbers.
 */
import { join } from "node:path";
import { z } from "zod";
import { type CutCase, type DialogueLength, toWorldCase } from "../tools/campaign/cases/cut-cases.js";
import { measureDialogue, type PlacedCase, runKillRound, warmUp } from "../tools/campaign/cases/run-world-case.js";
import type { WorldCase } from "../tools/campaign/cases/world-case.js";
import { findMakers } from "../tools/campaign/processes/makers.js";
import { useCampaign } from "../tools/campaign/worlds/campaign-bench.js";
import { type CutWorld, openCutWorld } from "../tools/campaign/worlds/cut-world.js";

const bench = useCampaign();
/** Registers that one kill strikes, each at a step of its own. */
const TILLS = 8;

const wireSchema = z.array(z.object({ direction: z.enum(["in", "out"]), hex: z.string() }));

/** The ends of all frames of the dialogue that was the last on this wire. */
async function stepEnds(
  world: CutWorld,
  length: DialogueLength,
): Promise<readonly Pick<CutCase, "direction" | "afterBytes">[]> {
  const frames = wireSchema.parse(await world.emulator.get("/wire"));
  const left = { ...length };
  const ends: Pick<CutCase, "direction" | "afterBytes">[] = [];
  for (const { direction, hex } of frames.toReversed()) {
    if (left.in <= 0 && left.out <= 0) break;
    ends.unshift({ direction, afterBytes: left[direction] });
    left[direction] -= hex.length / 2;
  }
  return ends;
}

test("a daemon that is killed at any step of a receipt leaves one document, reported with its numbers", async () => {
  const [row] = findMakers("reference");
  if (row === undefined) throw new Error("no reference register");
  const { folder, pool, host } = bench();
  const world = await openCutWorld({ folder: join(folder, "world"), row, pool, host, tills: TILLS });
  try {
    await warmUp(world);
    const ends = await stepEnds(world, await measureDialogue(world, "sale"));
    expect(ends.length).toBeGreaterThan(10);
    const failures: string[] = [];
    const cases = ends.map((end): WorldCase => {
      return toWorldCase({ maker: row.name, operation: "sale", effect: "kill", ...end });
    });
    for (let number = 0; number < cases.length; number += TILLS) {
      const round = world.tills.flatMap((till, index): readonly PlacedCase[] => {
        const one = cases[number + index];
        return one === undefined ? [] : [{ till, one, number }];
      });
      for (const failure of await runKillRound(world, round)) {
        if (failure !== null) failures.push(`${failure.name} ${JSON.stringify(failure.verdict)}\n${failure.log}`);
      }
    }
    expect(failures).toEqual([]);
  } finally {
    await world.close();
  }
});
