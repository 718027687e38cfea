export type Direction = "in" | "out";

/** One command on its way through the emulator. `in` and `out` are the device's: in = from the host. */
export interface Exchange {
  readonly command: Uint8Array;
  readonly names: readonly string[];
  /** Executes the command once; later calls return the same answer. Null when the power failed meanwhile. */
  act(): Uint8Array | null;
  /** Hands the answer to the link; null = none. Does nothing when the power failed in between. */
  answer(bytes: Uint8Array | null): void;
}

/** Something that may step in between host and device. Asked in the order they were added, before the device itself. */
export interface Behaviour {
  /** Called for a command. `handled`: this behaviour acts and answers itself. */
  onCommand?(exchange: Exchange): "handled" | "pass";
  /** Called before an answer frame leaves; what leaves instead, empty = nothing. Undefined: the frame. */
  onAnswer?(frame: Uint8Array): Uint8Array | undefined;
  /** Called before a byte passes and is counted; returns the bytes that pass instead. Undefined: the byte passes. */
  changeByte?(direction: Direction, byte: number): readonly number[] | undefined;
  /** Called after so many bytes have passed, one at a time without `quietBytes`. */
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

  /** The bytes that leave instead of an answer frame; each behaviour changes the result of the one before. */
  changeAnswer(bytes: Uint8Array): Uint8Array {
    let frame = bytes;
    for (const behaviour of [...this.behaviours]) frame = behaviour.onAnswer?.(frame) ?? frame;
    return frame;
  }

  /** The bytes that pass instead of a byte: the first behaviour that changes it decides. */
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

  /** How many of the next bytes no behaviour checks before they have left. */
  quietBytes(): number {
    const watching = this.behaviours.filter(
      ({ afterBytes, changeByte }) => afterBytes !== undefined || changeByte !== undefined,
    );
    return Math.min(...watching.map((behaviour) => behaviour.quietBytes?.("out") ?? 0));
  }
}
