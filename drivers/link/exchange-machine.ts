/**
 * A link protocol: a framing, and a pure state machine for each exchange. The machine gets events and returns actions.
 * It has no clock, no pipe and no logger, so that every course of an exchange is a row of a test table.
 */
import type { Fault } from "@fiscald/shared/fault.js";
import type { CreateDecoder, FramingTrouble } from "../framing/framing.js";

export interface LinkRequest {
  /** For logs and faults: "FF45 close receipt". */
  readonly name: string;
  readonly payload: Uint8Array;
  readonly answerMs: number;
  /** False: the bytes of this request are written to the wire at most once. */
  readonly repeatable: boolean;
  /** False: the payload is no answer to this request, so it is stale. */
  readonly isAnswer: (payload: Uint8Array) => boolean;
}

export type MachineInput<Event> =
  | { readonly kind: "begin" }
  | { readonly kind: "event"; readonly event: Event | FramingTrouble }
  | { readonly kind: "timeout" };

export interface MachineOutput {
  readonly write?: readonly Uint8Array[];
  /** Starts a new wait for the next event. Absent: the old wait goes on. */
  readonly waitMs?: number;
  readonly end?:
    | { readonly kind: "answer"; readonly payload: Uint8Array }
    | { readonly kind: "ready" }
    | { readonly kind: "failed"; readonly fault: Fault };
}

export interface ExchangeMachine<Event> {
  on(input: MachineInput<Event>): MachineOutput;
}

/** The protocol of one connection. It may keep facts between exchanges, such as a frame number. */
export interface LinkProtocol<Event> {
  readonly createDecoder: CreateDecoder<Event | FramingTrouble>;
  /** Asks whether a device of this protocol is there, before the first request. Null: nothing to ask. */
  greet(): ExchangeMachine<Event> | null;
  begin(request: LinkRequest): ExchangeMachine<Event>;
}

/** Waits of a link in ms; tests and fault campaigns shorten them. */
export interface LinkTimeouts {
  /** Until a device reacts to ENQ, a sync request or a finished frame with its ACK. */
  readonly reactMs: number;
  readonly byteGapMs: number;
  readonly openMs: number;
}

export const defaultLinkTimeouts: LinkTimeouts = { reactMs: 1000, byteGapMs: 1000, openMs: 5000 };
