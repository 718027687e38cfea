/**
 * A link protocol for the link: a framing, and one pure state machine per exchange. The machine gets events and
 * returns actions; it has no clock, no pipe and no logger, so that every course of an exchange is a row of a test
 * table.
 */
import type { Fault } from "@fiscald/shared/fault.js";
import type { CreateDecoder, FramingTrouble } from "../framing/framing.js";

export interface LinkRequest {
  /** Name for logs and faults: "FF45 close receipt". */
  readonly name: string;
  /** The content of the frame. */
  readonly payload: Uint8Array;
  /** How long the device may take to answer. */
  readonly answerMs: number;
  /** False: the bytes of this request are written to the wire at most once. */
  readonly repeatable: boolean;
  /** Whether a payload can be the answer to this request; anything else is a stale answer. */
  readonly isAnswer: (payload: Uint8Array) => boolean;
}

export type MachineInput<Event> =
  | { readonly kind: "begin" }
  | { readonly kind: "event"; readonly event: Event | FramingTrouble }
  /** The wait that the machine asked for last is over. */
  | { readonly kind: "timeout" };

export interface MachineOutput {
  /** Bytes for the wire, in this order. */
  readonly write?: readonly Uint8Array[];
  /** Wait this long for the next event that means something; restarts the wait. Absent: the old wait goes on. */
  readonly waitMs?: number;
  readonly end?:
    | { readonly kind: "answer"; readonly payload: Uint8Array }
    /** The exchange that `greet` began succeeded. */
    | { readonly kind: "ready" }
    | { readonly kind: "failed"; readonly fault: Fault };
}

export interface ExchangeMachine<Event> {
  on(input: MachineInput<Event>): MachineOutput;
}

/** One connection's protocol: may keep what outlives one exchange (a frame number). */
export interface LinkProtocol<Event> {
  readonly createDecoder: CreateDecoder<Event | FramingTrouble>;
  /** Asks whether a device of this protocol is there, before the first request. Null: nothing to ask. */
  greet(): ExchangeMachine<Event> | null;
  begin(request: LinkRequest): ExchangeMachine<Event>;
}

/** The named waits of a link, in one place. A test or a fault campaign shortens them. */
export interface LinkTimeouts {
  /** Until a device reacts to ENQ, a sync request or a finished frame with its ACK. */
  readonly reactMs: number;
  /** Between two bytes of one frame. */
  readonly byteGapMs: number;
  /** Until a TCP connection is there or a port is open. */
  readonly openMs: number;
}

export const defaultLinkTimeouts: LinkTimeouts = { reactMs: 1000, byteGapMs: 1000, openMs: 5000 };
