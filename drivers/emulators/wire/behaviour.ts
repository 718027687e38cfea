export type Direction = "in" | "out";

/** One command on its way through the emulator. Directions are the device's: `in` comes from the host. */
export interface Exchange {
  readonly command: Uint8Array;
  readonly names: readonly string[];
  /** Carries the command out once; later calls return the same answer. Null when the power failed meanwhile. */
  act(): Uint8Array | null;
  /** Passes the answer to the link; null = no answer. Does nothing when the power failed in between. */
  answer(bytes: Uint8Array | null): void;
}

/** Steps in between host and device. The behaviour that was added first acts first. */
export interface Behaviour {
  onCommand?(exchange: Exchange): "handled" | "pass";
  /** Returns what leaves instead of an answer frame; empty = nothing. Undefined: the frame itself leaves. */
  onAnswer?(frame: Uint8Array): Uint8Array | undefined;
  /** Returns the bytes that pass instead of a byte that is not counted yet. Undefined: the byte itself passes. */
  changeByte?(direction: Direction, byte: number): readonly number[] | undefined;
  /** `count` bytes have passed: always 1 without `quietBytes`. */
  afterBytes?(direction: Direction, count: number): void;
  /** How many of the next bytes this behaviour neither changes nor acts after. Absent: it checks each byte. */
  quietBytes?(direction: Direction): number;
}

export class BehaviourChain {
  private readonly behaviours: Behaviour[] = [];

  add(behaviour: Behaviour): void {
    this.behaviours.push(behaviour);
  }

  remove(behaviour: Behaviour): void {
    const place = this.behaviours.indexOf(behaviour);
    if (place >= 0) this.behaviours.splice(place, 1);
  }

  handles(exchange: Exchange): boolean {
    return [...this.behaviours].some((behaviour) => behaviour.onCommand?.(exchange) === "handled");
  }

  changeAnswer(bytes: Uint8Array): Uint8Array {
    let frame = bytes;
    for (const behaviour of [...this.behaviours]) frame = behaviour.onAnswer?.(frame) ?? frame;
    return frame;
  }

  changeByte(direction: Direction, byte: number): readonly number[] {
    for (const behaviour of this.behaviours) {
      const changed = behaviour.changeByte?.(direction, byte);
      if (changed !== undefined) return changed;
    }
    return [byte];
  }

  afterBytes(direction: Direction, count: number): void {
    for (const behaviour of [...this.behaviours]) behaviour.afterBytes?.(direction, count);
  }

  quietBytes(): number {
    const watching = this.behaviours.filter(
      ({ afterBytes, changeByte }) => afterBytes !== undefined || changeByte !== undefined,
    );
    return Math.min(...watching.map((behaviour) => behaviour.quietBytes?.("out") ?? 0));
  }
}
