/**
 * One request over the Shtrih-M link protocol 1 (Shtrih-M protocol, 2).
 *
 *   asking     only ENQ was sent. NAK: the device is idle, send the request. ACK: an earlier reply follows.
 *   draining   the earlier reply is read, acknowledged and dropped; then ENQ is sent again.
 *   sent       the request was sent. ACK: it is being executed. NAK: it arrived damaged.
 *   answering  waiting for the reply.
 *   checking   something was lost after the request was sent, and ENQ asks for its outcome. ACK: the reply follows.
 *              NAK: no reply waits, so a repeatable request is sent again, and any other request has failed.
 *
 * An exchange begins with ENQ, so a reply whose ACK was lost can never be taken for the answer to the next request of
 * the same code. A reply with another code is stale. So after an exchange without trouble the next request is sent
 * without ENQ if it has another code (Shtrih-M protocol, 2.2: ENQ before a command is optional).
 */
import { Fault } from "@fiscald/shared/fault.js";
import type { FramingTrouble } from "../framing/framing.js";
import { ACK, ENQ, NAK } from "../framing/framing.js";
import { createStxLrcDecoder, encodeStxLrc, type StxLrcEvent } from "../framing/stx-lrc.js";
import type {
  ExchangeMachine,
  LinkProtocol,
  LinkRequest,
  LinkTimeouts,
  MachineInput,
  MachineOutput,
} from "./exchange-machine.js";

const MAX_ENQUIRIES = 5;
const MAX_SENDS = 3;
const MAX_DAMAGED = 3;
/** A device stores one reply, so a device with more stale replies than this has another protocol. */
const MAX_STALE = 3;
/** How often the device may announce a reply that then does not come. */
const MAX_PROMISES = 3;

const enquiry = Uint8Array.of(ENQ);
const acknowledge = Uint8Array.of(ACK);
const refuse = Uint8Array.of(NAK);

export interface EnquiryOptions {
  /** `always`: ENQ before each request. `needed`: none after a good exchange, unless its answer might be mistaken. */
  readonly enquiry: "always" | "needed";
}

interface Predecessor {
  /** The last answer, if its exchange had no trouble. Null: the next request begins with ENQ. */
  answer: Uint8Array | null;
}

type Phase = "asking" | "draining" | "sent" | "answering" | "checking";

export function createEnquiryProtocol(
  timeouts: LinkTimeouts,
  { enquiry: mode }: EnquiryOptions = { enquiry: "needed" },
): LinkProtocol<StxLrcEvent> {
  const before: Predecessor = { answer: null };
  return {
    createDecoder: createStxLrcDecoder,
    greet: () => new EnquiryMachine(null, false, before, timeouts),
    begin(request) {
      const maySend = mode === "needed" && before.answer !== null && !request.isAnswer(before.answer);
      before.answer = null;
      return new EnquiryMachine(request, maySend, before, timeouts);
    },
  };
}

/** Without a request the machine only asks whether the device is there and idle. */
class EnquiryMachine implements ExchangeMachine<StxLrcEvent> {
  private phase: Phase = "asking";
  private enquiries = 0;
  /** ENQs whose ACK or NAK has not come yet; it may come when the request is already out. */
  private unansweredEnquiries = 0;
  private sends = 0;
  private damaged = 0;
  private stale = 0;
  private promises = 0;
  private noise = 0;
  /** True: something unexpected happened, so the next request begins with ENQ. */
  private troubled = false;

  constructor(
    private readonly request: LinkRequest | null,
    private readonly maySend: boolean,
    private readonly before: Predecessor,
    private readonly timeouts: LinkTimeouts,
  ) {}

  on(input: MachineInput<StxLrcEvent>): MachineOutput {
    if (input.kind === "begin") return this.maySend && this.request !== null ? this.send(this.request) : this.ask();
    const expected = input.kind === "event" && this.isExpected(input.event);
    if (!expected) this.troubled = true;
    return input.kind === "timeout" ? this.onTimeout() : this.onEvent(input.event);
  }

  /** True for the events of an exchange without trouble: NAK to ENQ, ACK to the request, the answer. */
  private isExpected(event: StxLrcEvent | FramingTrouble): boolean {
    if (event.kind === "frame") return this.phase === "answering";
    if (event.kind !== "control") return false;
    return event.byte === (this.phase === "asking" ? NAK : ACK) && (this.phase === "asking" || this.phase === "sent");
  }

  private onEvent(event: StxLrcEvent | FramingTrouble): MachineOutput {
    if (event.kind === "noise") {
      this.noise += event.bytes.length;
      return {};
    }
    if (event.kind === "frame") return this.onFrame(event.payload);
    if (event.kind === "damaged") return this.onDamaged(event.reason);
    if (event.byte === ACK) return this.onAck();
    if (event.byte === NAK) return this.onNak();
    return {};
  }

  private onAck(): MachineOutput {
    switch (this.phase) {
      case "asking":
        this.unansweredEnquiries -= 1;
        return this.expectReply("draining");
      case "checking":
        this.unansweredEnquiries -= 1;
        return this.expectReply("answering");
      case "sent":
        this.phase = "answering";
        return { waitMs: this.answerMs };
      default:
        return {};
    }
  }

  private onNak(): MachineOutput {
    switch (this.phase) {
      case "asking":
        this.unansweredEnquiries -= 1;
        return this.request === null ? { end: { kind: "ready" } } : this.send(this.request);
      case "sent":
        if (this.unansweredEnquiries > 0) {
          this.unansweredEnquiries -= 1;
          return {};
        }
        return this.sendAgain("link.corrupt", "the device refused the frame as damaged");
      case "checking":
        this.unansweredEnquiries -= 1;
        return this.sendAgain("link.timeout", "the device has no answer to the request");
      default:
        return {};
    }
  }

  private onFrame(payload: Uint8Array): MachineOutput {
    const waitsForAnswer = this.phase === "sent" || this.phase === "answering" || this.phase === "checking";
    if (waitsForAnswer && this.request?.isAnswer(payload)) {
      if (!this.troubled) this.before.answer = payload;
      return { write: [acknowledge], end: { kind: "answer", payload } };
    }
    this.stale += 1;
    if (this.stale > MAX_STALE) return this.fail("link.corrupt", "the device keeps sending answers to other requests");
    return withFirst(acknowledge, this.ask());
  }

  private onDamaged(reason: string): MachineOutput {
    this.damaged += 1;
    if (this.damaged > MAX_DAMAGED) return this.fail("link.corrupt", `damaged frame: ${reason}`);
    return withFirst(refuse, this.ask());
  }

  private onTimeout(): MachineOutput {
    if (this.phase === "draining" || this.phase === "answering") this.promises += 1;
    if (this.promises > MAX_PROMISES) return this.fail("link.timeout", "the device promises an answer but sends none");
    return this.ask();
  }

  /** Before the request is out ENQ asks for an idle device, afterwards for what became of the request. */
  private ask(): MachineOutput {
    this.enquiries += 1;
    if (this.enquiries > MAX_ENQUIRIES) return this.failSilent();
    this.unansweredEnquiries += 1;
    this.phase = this.sends === 0 ? "asking" : "checking";
    return { write: [enquiry], waitMs: this.timeouts.reactMs };
  }

  private expectReply(phase: "draining" | "answering"): MachineOutput {
    this.phase = phase;
    this.enquiries = 0;
    return { waitMs: this.answerMs };
  }

  private send(request: LinkRequest): MachineOutput {
    this.phase = "sent";
    this.sends += 1;
    this.enquiries = 0;
    return { write: [encodeStxLrc(request.payload)], waitMs: this.timeouts.reactMs };
  }

  private sendAgain(code: "link.corrupt" | "link.timeout", message: string): MachineOutput {
    const request = this.request;
    if (request === null || !request.repeatable || this.sends >= MAX_SENDS) return this.fail(code, message);
    return this.send(request);
  }

  private failSilent(): MachineOutput {
    const onlyNoise = this.noise > 0 && this.sends === 0 && this.stale === 0;
    return onlyNoise
      ? this.fail("link.foreign", "the device answers, but not by this protocol")
      : this.fail("link.timeout", "the device does not answer");
  }

  private fail(code: "link.corrupt" | "link.timeout" | "link.foreign", message: string): MachineOutput {
    const details = { command: this.request?.name ?? "enquiry", phase: this.phase, requestSent: this.sends > 0 };
    return { end: { kind: "failed", fault: new Fault(code, { message, details }) } };
  }

  private get answerMs(): number {
    return this.request?.answerMs ?? this.timeouts.reactMs;
  }
}

function withFirst(bytes: Uint8Array, output: MachineOutput): MachineOutput {
  return { ...output, write: [bytes, ...(output.write ?? [])] };
}
