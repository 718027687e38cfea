import type { Clock } from "@fiscald/shared/clock.js";
import type { OtherClientDeed } from "../faults/fault-spec.js";

/** One maker's part of an emulator, written from the maker's papers: link, commands, error codes. */
export interface MakerProtocol {
  createLink(port: LinkPort): DeviceLink;
  /** Names of a command in faults: the maker's code (`FF45`), then the name that all makers share (`close-receipt`). */
  namesOf(command: Uint8Array): readonly string[];
  perform(command: Uint8Array): Uint8Array;
  refuse(command: Uint8Array, code: number): Uint8Array;
  /** The answer when the drive's documents cannot be read. Null: this command reads no document. */
  refuseReading(command: Uint8Array): Uint8Array | null;
  durationMs(command: Uint8Array): number;
  /** Acts as another client of the maker's print service. Absent: the maker has no such service. */
  actAsOtherClient?(deed: OtherClientDeed): void;
  /** Forgets everything outside lasting memory. The emulator then creates the link again. */
  powerCut(): void;
}

/** The device's end of the wire as a state machine over bytes; it knows frames, not commands. */
export interface DeviceLink {
  receive(byte: number): void;
  /** Drops an unfinished frame. The new connection may come from another host or from the same one. */
  reconnected(): void;
}

export interface LinkPort {
  readonly clock: Clock;
  /** `answer`: the frame that answers a command, even when it is sent again. `control`: anything else. */
  send(bytes: Uint8Array, kind: "answer" | "control"): void;
  /** Passes a whole command on. `done` is called once, perhaps much later; null = there will be no answer. */
  execute(command: Uint8Array, done: (answer: Uint8Array | null) => void): void;
  /** Calls back after `ms` unless the device is switched off before. For what the device does by itself. */
  later(ms: number, callback: () => void): void;
}
