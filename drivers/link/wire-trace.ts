import type { Clock } from "@fiscald/shared/clock.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { WireFrame } from "../fiscal-driver.js";

/** What went over the wire: a `wire` log line for each piece, and the last frames for fault details. */
export interface WireTrace {
  out(bytes: Uint8Array): void;
  in(bytes: Uint8Array): void;
  /** The command that the following bytes belong to. */
  command(name: string | null): void;
  frames(): readonly WireFrame[];
}

export interface WireTraceOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Frames kept; default 60. */
  readonly keep?: number;
}

export function createWireTrace({ clock, logger, keep = 60 }: WireTraceOptions): WireTrace {
  const kept: WireFrame[] = [];
  let command: string | null = null;

  function note(direction: "out" | "in", bytes: Uint8Array): void {
    const hex = hexOf(bytes);
    const last = kept.at(-1);
    const joins = direction === "in" && last?.direction === "in" && last.command === command;
    if (joins) kept[kept.length - 1] = { ...last, hex: `${last.hex} ${hex}` };
    else kept.push({ at: clock.now(), direction, command, hex });
    if (kept.length > keep) kept.shift();
    logger.wire(() => `${direction === "out" ? "->" : "<-"} ${hex}`, { command: command ?? undefined });
  }

  return {
    out: (bytes) => note("out", bytes),
    in: (bytes) => note("in", bytes),
    command(name) {
      command = name;
    },
    frames: () => [...kept],
  };
}

/** `02 05 10`. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ");
}
