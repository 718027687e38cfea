import type { Direction } from "./behaviour.js";

/** A wire that can be paused: bytes in both directions wait until it goes on. */
export class PausableWire {
  private waiting: Record<Direction, Uint8Array[]> | null = null;

  get isPaused(): boolean {
    return this.waiting !== null;
  }

  hold(): void {
    this.waiting ??= { in: [], out: [] };
  }

  /** False: the wire is not paused, and the bytes pass. */
  keep(direction: Direction, bytes: Uint8Array): boolean {
    this.waiting?.[direction].push(bytes);
    return this.isPaused;
  }

  forget(direction: Direction): void {
    if (this.waiting !== null) this.waiting[direction] = [];
  }

  release(): Readonly<Record<Direction, Uint8Array>> {
    const { in: incoming, out: outgoing } = this.waiting ?? { in: [], out: [] };
    this.waiting = null;
    return { in: Buffer.concat(incoming), out: Buffer.concat(outgoing) };
  }
}
