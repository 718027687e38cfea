/**
 * How registers of one maker are recognised on a line to an unknown device. Each maker's folder has one probe
 * (`<maker>/probe.ts`, a row in `registry.ts`); `discover/` does the asking.
 *
 * Three rules keep a probe from disturbing another maker's register:
 *
 * 1. **The mildest requests go first**, all makers' requests of a stage before those of the next, and a line that
 *    answered anything is never asked in another language. The stages are `ProbeStage`.
 * 2. **A request makes no command of another maker**: it is no frame of theirs with a good checksum, and it ends no
 *    frame of theirs that had begun. Each request says in a comment why, by the section of the other maker's protocol.
 * 3. **A register is identified in its own language only**: by the driver's `connect`, which sends nothing that writes.
 */
import type { TransportFactory } from "@fiscald/shared/byte-transport.js";
import type { Clock } from "@fiscald/shared/clock.js";
import type { Fault } from "@fiscald/shared/fault.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import type { Logger } from "@fiscald/shared/logger.js";

export interface DriverProbe {
  /** Speeds that registers of this maker are set to, the most usual first; empty: none of them is on a serial port. */
  readonly baudRates: readonly number[];
  /** USB devices that surely or likely are this maker's. */
  readonly usb: readonly UsbModel[];
  /** TCP ports of this maker's registers, or of the maker's own program that its registers are connected to. */
  readonly tcpPorts: readonly number[];
  /** True: `tcpPorts` are those of a program, which most likely runs on this very machine. */
  readonly isProgram?: boolean;
  /** Address of a register that is a USB network device; absent: this maker has no such registers. */
  readonly usbNetworkHost?: string;
  /** The probe bytes. Empty: the maker is not probed, only known by its USB ids. */
  readonly requests: readonly ProbeRequest[];
  /** One line of advice, beside the general advice, for people who found none of this maker's registers. */
  readonly advice?: FaultText;
  /** The registers behind one connection; absent: one. Rejects with `link.*` where this maker has none there. */
  readonly registersBehind?: (line: BehindLine, signal: AbortSignal) => Promise<readonly RegisterBehind[]>;
}

export interface UsbModel {
  /** Four hex digits, lower case. */
  readonly vendorId: string;
  /** Null: any of this vendor. */
  readonly productId: string | null;
  /** The device must not get bytes; the text says what a person does instead. */
  readonly instead?: string;
}

/**
 * `control`: one control byte that no maker takes for the beginning of a command. `frame`: bytes without STX and
 * without a line end, so that neither a frame begins nor paper moves. `text`: lines. A line end moves the paper of
 * some makers, so lines go only where nothing else answered, and only to a port that a person named or that is this
 * maker's own.
 */
export type ProbeStage = "control" | "frame" | "text";
export const probeStages = ["control", "frame", "text"] as const satisfies readonly ProbeStage[];

export interface ProbeRequest {
  readonly name: string;
  readonly stage: ProbeStage;
  /** Makers with the same bytes share one request: it is written once, and each maker reads the answer. */
  readonly bytes: Uint8Array;
  /** Bytes that are written when no maker knew the answer, for a device that now waits for more bytes. */
  readonly farewell?: Uint8Array;
  /** Whether an answer to another maker's probe shows that this probe is worth trying. */
  readonly hintedBy?: (answer: Uint8Array) => boolean;
  /** Reads all that has come so far, never nothing; `ended`: no more will come. */
  read(answer: Uint8Array, ended: boolean): ProbeVerdict;
}

export type ProbeVerdict =
  /** The register is this maker's. `options`: driver options that follow from the answer. */
  | { readonly kind: "mine"; readonly options: Readonly<Record<string, unknown>> }
  /** Several makers give this answer, and the next request decides. Only when `ended`. */
  | { readonly kind: "ask"; readonly next: ProbeRequest }
  /** The answer is not this maker's, or not yet. */
  | { readonly kind: "open" };

export interface BehindLine {
  readonly openTransport: TransportFactory;
  readonly logger: Logger;
  readonly clock: Clock;
}

export interface RegisterBehind {
  /** Distinguishes the register from the others behind the same connection, for people; absent: there is only one. */
  readonly name?: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Why the register is not worth identifying; null = it can be identified. */
  readonly fault: Fault | null;
}
