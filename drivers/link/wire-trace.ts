import type { Clock } from "@fiscald/shared/clock.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { WireFrame } from "../fiscal-driver.js";

export type WireTrace = ReturnType<typeof createWireTrace>;

const STORED_FRAMES = 60;

interface Kept extends Omit<WireFrame, "hex"> {
  /** In the order in which they came; formatted only when somebody reads them. */
  readonly pieces: Uint8Array[];
}

/** Records the wire: a `wire` log line for each piece, and the last frames for fault details. */
export function createWireTrace({ clock, logger }: { readonly clock: Clock; readonly logger: Logger }) {
  const kept: Kept[] = [];
  let command: string | null = null;

  function note(direction: "out" | "in", bytes: Uint8Array): void {
    const last = kept.at(-1);
    if (direction === "in" && last?.direction === "in" && last.command === command) last.pieces.push(bytes);
    else kept.push({ at: clock.now(), direction, command, pieces: [bytes] });
    if (kept.length > STORED_FRAMES) kept.shift();
    logger.wire(() => `${direction === "out" ? "->" : "<-"} ${hexOf(bytes)}`, { command: command ?? undefined });
  }

  return {
    out: (bytes: Uint8Array) => note("out", bytes),
    in: (bytes: Uint8Array) => note("in", bytes),
    command(name: string | null): void {
      command = name;
    },
    frames: (): readonly WireFrame[] =>
      kept.map(({ pieces, ...frame }) => ({ ...frame, hex: pieces.map(hexOf).join(" ") })),
  };
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ");
}
