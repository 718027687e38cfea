import type { Clock } from "@fiscald/shared/clock.js";
import type { OtherClientDeed } from "../faults/fault-spec.js";

/** One maker's side of an emulator, by its own reading of the papers: link, commands, codes. */
export interface MakerProtocol {
  /** A link as it is after power-on. */
  createLink(port: LinkPort): DeviceLink;
  /** How faults call a command: the maker's code (`FF45`), then the name that makers share (`close-receipt`). */
  namesOf(command: Uint8Array): readonly string[];
  /** Carries the command out and makes its answer; never throws for bytes from the wire. */
  perform(command: Uint8Array): Uint8Array;
  refuse(command: Uint8Array, code: number): Uint8Array;
  /** The answer when the drive's documents cannot be read; null = this command reads none. */
  refuseReading(command: Uint8Array): Uint8Array | null;
  /** How long a real device takes, for `realistic` timing. */
  durationMs(command: Uint8Array): number;
  /** What another client of the maker's print service does; absent: the maker has none. */
  actAsOtherClient?(deed: OtherClientDeed): void;
  /** Forgets everything outside lasting memory when the power fails. The link is created again by the emulator. */
  powerCut(): void;
}

/** The device's end of the wire as a state machine over bytes; it knows frames, not commands. */
export interface DeviceLink {
  receive(byte: number): void;
  /** Another host has connected, or the same one again: a frame that came in half is dropped. */
  reconnected(): void;
}

export interface LinkPort {
  readonly clock: Clock;
  /** `answer`: the frame that answers a command, also when it is sent again. `control`: anything else. */
  send(bytes: Uint8Array, kind: "answer" | "control"): void;
  /** A whole command has come in. `done` is called once, perhaps much later; null = there will be no answer. */
  execute(command: Uint8Array, done: (answer: Uint8Array | null) => void): void;
  /** Calls back after `ms` unless the device is switched off before. For what the device does by itself. */
  later(ms: number, callback: () => void): void;
}
