import type { Program } from "@fiscald/drivers/program.js";
import type { FaultInput } from "@fiscald/emulators/faults/fault-spec.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { makeService } from "../../support/make-job.js";
import { expectSeen } from "./expect-seen.js";
import { sale } from "./receipts.js";
import { LONG_MS, reconnect } from "./reconnect.js";
import type { ContractSubject } from "./subject.js";
import { type ContractWorld, inWorld } from "./world.js";

interface Effect {
  readonly title: string;
  /** The name of the job's fiscal step in faults. */
  readonly command: string;
  readonly prepare: (world: ContractWorld) => Promise<Program | undefined>;
  /** How often the job took effect, by the fiscal memory. */
  readonly happened: (world: ContractWorld) => number;
}

const CASH = kopecks(700);

const effects: readonly Effect[] = [
  {
    title: "cash in",
    command: "cash-in",
    prepare: async (world) => {
      await world.openShift();
      return (await world.compile(makeService([{ type: "cash", direction: "in", sum: CASH }])))[0];
    },
    happened: (world) => world.register.core.shiftRecord.cashIn / CASH,
  },
  {
    title: "a shift opening",
    command: "open-shift",
    prepare: async (world) => (await world.compile(sale()))[0],
    happened: (world) => countOf(world, "shift-open"),
  },
  {
    title: "a Z report",
    command: "close-shift",
    prepare: async (world) => {
      await world.openShift();
      return (await world.compile(makeService([{ type: "report", report: "z" }])))[0];
    },
    happened: (world) => countOf(world, "shift-close"),
  },
];

/** Jobs have other witnesses than receipts, and the register alone must settle their unknown outcomes too. */
export function describeServiceFaults(subject: ContractSubject): void {
  for (const effect of effects) {
    const when = { command: effect.command, nth: 1 };
    const faults: readonly FaultInput[] = [
      { effect: "silent", when },
      { effect: "late", ms: LONG_MS, when },
      { effect: "drop-answer", when },
      { effect: "stale-answer", when },
      { effect: "unplug", ms: 5_000, when },
      { effect: "power-cut", ms: 5_000, when },
      { effect: "late-execution", ms: LONG_MS, when },
      { effect: "error", code: 115, when },
    ];
    describe(`a fault at ${effect.title}`, () => {
      test.each(faults)(
        `the fault $effect at ${effect.title} is never reported as not printed, because the register's counters decide`,
        (fault) => inWorld(subject, (world) => survive(world, effect, fault)),
      );
    });
  }
}

async function survive(world: ContractWorld, effect: Effect, fault: FaultInput): Promise<void> {
  const program = await effect.prepare(world);
  if (program === undefined) throw new Error("no program");
  const baseline = await world.baseline();
  const { lastFd } = world.register.core;
  const added = world.register.addFault(fault);
  const outcome = await world.live(world.driver.run(program, baseline, world.signal));
  expect(added.struck).toBe(1);
  expect(fault.effect === "error" ? ["unsure"] : ["printed", "unsure"]).toContain(outcome.kind);
  if (outcome.kind === "printed") expect(effect.happened(world)).toBe(1);

  world.register.clearFaults();
  await reconnect(world);
  const state = await world.fence();
  const seen = await world.live(world.driver.documentsSince(lastFd, world.signal));
  const told = () => {
    const { core } = world.register;
    expectSeen(
      seen,
      core.documents.filter(({ fd }) => fd > lastFd),
      world.driver.capabilities.documentBodies,
    );
    expect(state.shift).toEqual({ number: core.shiftRecord.number, state: core.shift });
    if (state.drawer !== null) {
      const { cashIn, cashOut } = core.shiftRecord;
      expect(state.drawer).toEqual({ cash: core.cash, cashIn, cashOut });
    }
  };
  told();
  // No earlier command may take effect after the fence.
  await world.clock.advance(2 * LONG_MS);
  told();
  expect(effect.happened(world)).toBeLessThanOrEqual(1);
}

function countOf(world: ContractWorld, type: string): number {
  return world.register.core.documents.filter((document) => document.type === type).length;
}
