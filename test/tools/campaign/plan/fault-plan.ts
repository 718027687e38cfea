import type { FaultInput } from "@fiscald/emulators/faults/fault-spec.js";
import type { Seeded } from "../../../support/seeded.js";

/** Longer than a receipt and the bytes before it on any wire. */
const DIALOGUE_BYTES = 1_500;

const effects = [
  "silent",
  "late",
  "corrupt",
  "noise",
  "byte-by-byte",
  "unplug",
  "paper-out",
  "cover-open",
  "drop-answer",
  "stale-answer",
  "late-execution",
  "power-cut",
  "pause",
  "documents-unreadable",
  "error",
] as const satisfies readonly FaultInput["effect"][];

export function planFault(random: Seeded): FaultInput {
  const when = { afterBytes: random.int(0, DIALOGUE_BYTES), direction: random.pick(["in", "out"]) } as const;
  const effect = random.pick(effects);
  switch (effect) {
    case "late":
    case "unplug":
    case "late-execution":
    case "power-cut":
      return { effect, ms: random.int(5, 350), when };
    case "error":
      return { effect, code: random.int(1, 255), when };
    case "documents-unreadable":
      return { effect, when: "now" };
    default:
      return { effect, when };
  }
}
