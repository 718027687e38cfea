import type { Direction } from "../faults/behaviour.js";

/** A wire that may stand still: what is on it then waits, in both directions, until it goes on. */
export class HeldWire {
  private waiting: Record<Direction, number[]> | null = null;

  get isHeld(): boolean {
    return this.waiting !== null;
  }

  hold(): void {
    this.waiting ??= { in: [], out: [] };
  }

  /** False: the wire is not held, the bytes go their way. */
  keep(direction: Direction, bytes: Uint8Array): boolean {
    this.waiting?.[direction].push(...bytes);
    return this.isHeld;
  }

  /** Nobody is there any more for what waits in this direction. */
  forget(direction: Direction): void {
    if (this.waiting !== null) this.waiting[direction] = [];
  }

  /** What has waited; from now on nothing does. */
  release(): Readonly<Record<Direction, Uint8Array>> {
    const { in: incoming, out: outgoing } = this.waiting ?? { in: [], out: [] };
    this.waiting = null;
    return { in: Uint8Array.from(incoming), out: Uint8Array.from(outgoing) };
  }
}
