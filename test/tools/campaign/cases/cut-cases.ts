import type { FaultInput } from "@fiscald/emulators/faults/fault-spec.js";
import { ANSWER_MS } from "../processes/answer-limits.js";
import { HURRY, HURRY_TOGETHER } from "../processes/hurried-clock.js";
import type { WorldCase } from "./world-case.js";

export const cutEffects = ["unplug", "drop-answer", "stale-answer", "late-execution", "power-cut", "kill"] as const;
export type CutEffect = (typeof cutEffects)[number];
export type Direction = "in" | "out";

/** The receipt of a case: a sale, a return, or a correction that a person has approved. */
export const stories = ["sale", "return", "correction"] as const;
export type Story = (typeof stories)[number];

export interface CutCase {
  readonly maker: string;
  readonly operation: Story;
  readonly effect: CutEffect;
  readonly direction: Direction;
  readonly afterBytes: number;
}

const AWAY_MS = 60;
/** A little longer than a driver waits at the pace of these parts: late bytes come after the driver's wait. */
const LATER_MS = 75;
export const LATE_MS = (ANSWER_MS * HURRY) / HURRY_TOGETHER + LATER_MS;

/** The fault for the emulator's control port that makes this cut. */
export function faultOf({ effect, direction, afterBytes }: CutCase): FaultInput {
  const when = { afterBytes, direction } as const;
  switch (effect) {
    case "unplug":
    case "power-cut":
      return { effect, ms: AWAY_MS, when };
    case "late-execution":
      return { effect, ms: LATE_MS, when };
    case "kill":
      return { effect: "pause", when };
    default:
      return { effect, when };
  }
}

export function caseName({ maker, operation, effect, direction, afterBytes }: CutCase): string {
  return `${maker} ${operation} ${effect} ${direction}@${afterBytes}`;
}

export function toWorldCase(cut: CutCase): WorldCase {
  const { operation, effect } = cut;
  return { name: caseName(cut), operation, faults: [faultOf(cut)], kills: effect === "kill" };
}

export interface DialogueLength {
  readonly in: number;
  readonly out: number;
}

export type DialogueLengths = Readonly<Record<Story, DialogueLength>>;

/** In a fixed order. */
export function* allCuts(maker: string, lengths: DialogueLengths): Generator<CutCase> {
  for (const operation of stories) {
    for (const direction of ["in", "out"] as const) {
      for (let afterBytes = 0; afterBytes < lengths[operation][direction]; afterBytes += 1) {
        for (const effect of cutEffects) yield { maker, operation, effect, direction, afterBytes };
      }
    }
  }
}

export interface CutSelection {
  readonly seed: number;
  /** Approximate number, spread over the whole dialogue. Null: all. */
  readonly cases: number | null;
  /** The part of the cases that is run, counted from 1. */
  readonly shard: { readonly number: number; readonly of: number };
}

/**
 * Every k-th cut, from a place that the seed chooses; k is coprime to the number of effects, so every effect occurs.
 */
export function selectCuts(cuts: readonly CutCase[], { seed, cases, shard }: CutSelection): readonly CutCase[] {
  let every = cases === null ? 1 : Math.max(1, Math.floor(cuts.length / cases));
  while (every > 1 && (every % 2 === 0 || every % 3 === 0)) every += 1;
  const chosen = cuts.filter((_, index) => index % every === seed % every);
  // A byte with all its effects is never divided, because some effects take longer than others.
  return chosen.filter((_, index) => Math.floor(index / cutEffects.length) % shard.of === shard.number - 1);
}
