/** Chooses where a waiting job goes: to its own register, to another of the group, or nowhere yet. Pure. */
import type { RegisterId } from "@fiscald/shared/ids.js";
import type { MoveObstacle } from "../registers/printing/move-obstacle.js";

export interface RoutedRegister {
  readonly id: RegisterId;
  /** The register is ready, accepts such jobs, has no job in hand, and its shift is not about to be closed. */
  readonly free: boolean;
  /** The circuit breaker leaves the register out, or the operator has paused it. */
  readonly resting: boolean;
}

export interface RoutingQuestion {
  readonly own: RoutedRegister | null;
  /** Other registers of its group, in the order of the config. */
  readonly others: readonly RoutedRegister[];
  /** How long the job has waited in this run, and for how long it waits for its own register. */
  readonly waitedMs: number;
  readonly moveAfterMs: number;
  /** A feature that the job needs and its own register lacks; null = no lack is known. */
  readonly ownLack: string | null;
  /** Null: the other register can print the job. */
  obstacle(other: RegisterId): MoveObstacle | null;
}

export type Route =
  | { readonly kind: "here" }
  | { readonly kind: "move"; readonly to: RegisterId }
  | { readonly kind: "wait" };

export function chooseRegister(question: RoutingQuestion): Route {
  const { own, others, waitedMs, moveAfterMs, ownLack, obstacle } = question;
  if (ownLack !== null) return chooseAble(question);
  if (own?.free === true && !own.resting) return { kind: "here" };
  // Another register is preferred to one that keeps failing.
  if (own?.resting === true || waitedMs >= moveAfterMs) {
    const other = others.find(({ id, free, resting }) => free && !resting && obstacle(id) === null);
    if (other !== undefined) return { kind: "move", to: other.id };
  }
  // No other register takes the job, and a register that keeps failing is better than none.
  return own?.free === true ? { kind: "here" } : { kind: "wait" };
}

/**
 * Routes a job that its own register would refuse for good. Another register that can print the job takes it, at once
 * or as soon as it is free. When no register can print the job, its own register reports what it lacks.
 */
function chooseAble({ own, others, obstacle }: RoutingQuestion): Route {
  const judged = others.map((other) => ({ ...other, obstacle: obstacle(other.id) }));
  const free = judged.filter((other) => other.obstacle === null && other.free);
  const taker = free.find(({ resting }) => !resting) ?? free[0];
  if (taker !== undefined) return { kind: "move", to: taker.id };
  const mayBeAble = judged.some((other) => other.obstacle === null || other.obstacle.unknown);
  return own?.free === true && !mayBeAble ? { kind: "here" } : { kind: "wait" };
}

export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>;

const FAILURES_IN_A_ROW = 3;
const FIRST_REST_MS = 60_000;
const LONGEST_REST_MS = 600_000;

/** Leaves a register that keeps failing out of routing for a while. Times are monotonic ms. */
export function createCircuitBreaker() {
  let failures = 0;
  let restsUntil = Number.NEGATIVE_INFINITY;
  return {
    succeeded(): void {
      failures = 0;
      restsUntil = Number.NEGATIVE_INFINITY;
    },
    failed(at: number): void {
      failures += 1;
      if (failures < FAILURES_IN_A_ROW) return;
      restsUntil = at + Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** (failures - FAILURES_IN_A_ROW));
    },
    isOpen: (at: number): boolean => at < restsUntil,
  };
}
