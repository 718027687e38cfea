import type { Behaviour, Direction, Exchange } from "./behaviour.js";

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
