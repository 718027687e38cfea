/** Where a waiting job goes: to its own register, to another of the group, or nowhere yet. Pure. */
import type { RegisterId } from "@fiscald/shared/ids.js";

export interface RoutedRegister {
  readonly id: RegisterId;
  /** Ready, no job is on its way to it, and its shift is not about to be closed. */
  readonly free: boolean;
  /** The circuit breaker leaves it out. */
  readonly resting: boolean;
}

export interface RoutingQuestion {
  readonly own: RoutedRegister | null;
  /** Others of its group, in the order of the config. */
  readonly others: readonly RoutedRegister[];
  /** How long the job has waited in this run, and how long it waits for its own register. */
  readonly waitedMs: number;
  readonly moveAfterMs: number;
  /** Why the job cannot be printed by that other register; null = it can. */
  obstacle(other: RegisterId): string | null;
}

export type Route =
  | { readonly kind: "here" }
  | { readonly kind: "move"; readonly to: RegisterId }
  | { readonly kind: "wait" };

export function chooseRegister({ own, others, waitedMs, moveAfterMs, obstacle }: RoutingQuestion): Route {
  if (own?.free === true && !own.resting) return { kind: "here" };
  if (waitedMs >= moveAfterMs) {
    const other = others.find(({ id, free, resting }) => free && !resting && obstacle(id) === null);
    if (other !== undefined) return { kind: "move", to: other.id };
  }
  // Nobody else takes it: a register that keeps failing is better than none.
  return own?.free === true ? { kind: "here" } : { kind: "wait" };
}
