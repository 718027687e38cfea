/**
 * One request over the Shtrih-M link protocol 2 (Shtrih-M protocol, 3). The device executes a request only when its
 * number follows the last one, and keeps the last reply.
 *
 * After an unknown outcome a sync request asks for that stored reply; the request is not written again. A device that
 * lost its power in between has forgotten the number, and would execute the same bytes a second time. Only a repeatable
 * request is written again, and only when the stored reply shows that the request never arrived.
 */
import { Fault } from "@fiscald/shared/fault.js";
import type { FramingTrouble } from "../framing/framing.js";
import { createStxCrcDecoder, encodeStxCrc, encodeStxCrcSync, type StxCrcEvent } from "../framing/stx-crc-stuffed.js";
import type {
  ExchangeMachine,
  LinkProtocol,
  LinkRequest,
  LinkTimeouts,
  MachineInput,
  MachineOutput,
} from "./exchange-machine.js";

const MAX_SYNCS = 3;
const MAX_SENDS = 3;
const NUMBERS = 0x10000;

/** The number of the last reply, as far as this connection knows it. */
interface Numbering {
  last: number;
}

export function createNumberedProtocol(timeouts: LinkTimeouts): LinkProtocol<StxCrcEvent> {
  const numbering: Numbering = { last: 0 };
  return {
    createDecoder: createStxCrcDecoder,
    greet: () => new SyncMachine(numbering, timeouts),
    begin: (request) => new NumberedMachine(request, numbering, timeouts),
  };
}

class SyncMachine implements ExchangeMachine<StxCrcEvent> {
  private syncs = 0;

  constructor(
    private readonly numbering: Numbering,
    private readonly timeouts: LinkTimeouts,
  ) {}

  on(input: MachineInput<StxCrcEvent>): MachineOutput {
    if (input.kind === "event") {
      if (input.event.kind === "noise") return {};
      if (input.event.kind === "frame") {
        this.numbering.last = input.event.number;
        return { end: { kind: "ready" } };
      }
    }
    this.syncs += 1;
    if (this.syncs > MAX_SYNCS) return failed("link.timeout", "the device does not answer", "sync");
    return { write: [encodeStxCrcSync()], waitMs: this.timeouts.reactMs };
  }
}

class NumberedMachine implements ExchangeMachine<StxCrcEvent> {
  private readonly number: number;
  private sends = 0;
  private syncs = 0;
  private phase: "answering" | "syncing" = "answering";

  constructor(
    private readonly request: LinkRequest,
    private readonly numbering: Numbering,
    private readonly timeouts: LinkTimeouts,
  ) {
    this.number = (numbering.last + 1) % NUMBERS;
  }

  on(input: MachineInput<StxCrcEvent>): MachineOutput {
    if (input.kind === "begin") return this.send();
    if (input.kind === "timeout") return this.sync();
    return this.onEvent(input.event);
  }

  private onEvent(event: StxCrcEvent | FramingTrouble): MachineOutput {
    switch (event.kind) {
      case "frame":
        return event.number === this.number ? this.onOurNumber(event.payload) : this.onOtherNumber();
      case "damaged":
        return this.sync();
      default:
        return {};
    }
  }

  private onOurNumber(payload: Uint8Array): MachineOutput {
    this.numbering.last = this.number;
    if (this.request.isAnswer(payload)) return { end: { kind: "answer", payload } };
    return failed("link.corrupt", "our number came back with the answer to another request", this.request.name);
  }

  /**
   * The reply has another number: before a sync it is a late repeat, after a sync the proof that our request was not
   * executed.
   */
  private onOtherNumber(): MachineOutput {
    if (this.phase === "answering") return {};
    if (!this.request.repeatable || this.sends >= MAX_SENDS) {
      return failed("link.timeout", "the device has not executed the request", this.request.name);
    }
    return this.send();
  }

  private send(): MachineOutput {
    this.phase = "answering";
    this.sends += 1;
    return { write: [encodeStxCrc(this.number, this.request.payload)], waitMs: this.request.answerMs };
  }

  private sync(): MachineOutput {
    this.phase = "syncing";
    this.syncs += 1;
    if (this.syncs > MAX_SYNCS) return failed("link.timeout", "the device does not answer", this.request.name);
    return { write: [encodeStxCrcSync()], waitMs: this.timeouts.reactMs };
  }
}

function failed(code: "link.timeout" | "link.corrupt", message: string, command: string): MachineOutput {
  return { end: { kind: "failed", fault: new Fault(code, { message, details: { command } }) } };
}
