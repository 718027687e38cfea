/**
 * How registers of one maker are recognised on a line to an unknown device. Each maker's folder has one probe
 * (`<maker>/probe.ts`, a row in `registry.ts`); the code in `discover/` sends the requests.
 *
 * Three rules keep a probe from disturbing another maker's register:
 *
 * 1. **The mildest requests go first.** All makers' requests of a stage (`ProbeStage`) precede those of the next stage,
 * and a line that has answered anything gets no request of another protocol.
 * 2. **A request is no command of another maker**: it is no frame of another protocol with a good checksum, and it does
 * not end such a frame that had begun. Each request says in a comment why, by the section of the other maker's
 * protocol.
 * 3. **A register is identified in its own protocol only**: by the driver's `connect`, which sends nothing that writes.
 */
import type { TransportFactory } from "@fiscald/shared/byte-transport.js";
import type { Clock } from "@fiscald/shared/clock.js";
import type { Fault } from "@fiscald/shared/fault.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import type { Logger } from "@fiscald/shared/logger.js";

export interface DriverProbe {
  /** Speeds that registers of this maker use, the most usual first. Empty: none of them is on a serial port. */
  readonly baudRates: readonly number[];
  /** USB devices that surely or probably are this maker's. */
  readonly usb: readonly UsbModel[];
  /** TCP ports of this maker's registers, or of the maker's own program in front of its registers. */
  readonly tcpPorts: readonly number[];
  /** True: `tcpPorts` are ports of a program, which probably runs on this machine. */
  readonly isProgram?: boolean;
  /** Address of a register that is a USB network device. Absent: this maker has no such registers. */
  readonly usbNetworkHost?: string;
  /** Empty: the maker is not probed, and is known by its USB ids only. */
  readonly requests: readonly ProbeRequest[];
  /** One line of advice for people who found none of this maker's registers, beside the general advice. */
  readonly advice?: FaultText;
  /** The registers behind one connection. Absent: one. Rejects with `link.*` where this maker has none there. */
  readonly registersBehind?: (line: BehindLine, signal: AbortSignal) => Promise<readonly RegisterBehind[]>;
}

export interface UsbModel {
  /** Four hex digits, lower case. */
  readonly vendorId: string;
  /** Null: any product of this vendor. */
  readonly productId: string | null;
  /** Present: the device must not get bytes; the text says what a person does instead. */
  readonly instead?: string;
}

/**
 * `control`: one control byte that no maker takes for the beginning of a command. `frame`: bytes without STX and
 * without a line end, so that no frame begins and no paper moves. `text`: lines. A line end moves the paper of some
 * makers, so lines go only where nothing else was answered, and only to a port that a person named or that is this
 * maker's own.
 */
export type ProbeStage = "control" | "frame" | "text";
export const probeStages = ["control", "frame", "text"] as const satisfies readonly ProbeStage[];

export interface ProbeRequest {
  readonly stage: ProbeStage;
  /** Makers with the same bytes share one request; each maker reads the answer. */
  readonly bytes: Uint8Array;
  /** Bytes that are written when no maker knew the answer, for a device that now waits for more bytes. */
  readonly farewell?: Uint8Array;
  /** True: an answer to another maker's probe shows that this probe is worth trying. */
  readonly hintedBy?: (answer: Uint8Array) => boolean;
  /** Judges the bytes that have come so far (at least one). `ended`: no more will come. */
  read(answer: Uint8Array, ended: boolean): ProbeVerdict;
}

export type ProbeVerdict =
  /** The register is this maker's. `options`: driver options that follow from the answer. */
  | { readonly kind: "mine"; readonly options: Readonly<Record<string, unknown>> }
  /** Several makers give this answer, and the answer to `next` decides. Only when `ended`. */
  | { readonly kind: "ask"; readonly next: ProbeRequest }
  /** The answer is not this maker's, or is still incomplete. */
  | { readonly kind: "open" };

export interface BehindLine {
  readonly openTransport: TransportFactory;
  readonly logger: Logger;
  readonly clock: Clock;
}

export interface RegisterBehind {
  /** Tells people which register this is of several behind one connection. Absent: there is only one. */
  readonly name?: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Why the register is not worth identifying. Null: it can be identified. */
  readonly fault: Fault | null;
}
