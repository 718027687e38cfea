/**
 * One request over the PIRIT link (PIRIT protocol, 1, 2 and 12).
 *
 *   greeting   ENQ was sent: is a device there?
 *   sent       the request was sent with a packet id of its own; only an answer with this id and command counts.
 *   checking   no answer came, or a damaged one. ENQ asks whether the device is off (silence) or on (ACK). Then a
 *              repeatable request is sent again with a new id; the answer to any other request is awaited once more,
 *              since an ACK may come from a device that is still busy. After that the request has failed.
 *
 * Every frame has another id than the frame before, even across connections, so that a late answer to an earlier
 * request can never be taken for the present answer.
 */
import { Fault } from "@fiscald/shared/fault.js";
import type { FramingTrouble } from "../../framing/framing.js";
import { ACK, ENQ } from "../../framing/framing.js";
import { createStxEtxDecoder, encodeStxEtx, type StxEtxEvent } from "../../framing/stx-etx-crc.js";
import type {
  ExchangeMachine,
  LinkProtocol,
  LinkRequest,
  LinkTimeouts,
  MachineInput,
  MachineOutput,
} from "../../link/exchange-machine.js";

const FIRST_ID = 0x20;
const LAST_ID = 0xf0;
const MAX_ENQUIRIES = 5;
const MAX_SENDS = 3;

const enquiry = Uint8Array.of(ENQ);

/** Packet ids in turn; the driver keeps them longer than its connections. */
export class PacketIds {
  private last: number;

  /** `start`: where to begin, 0 to 1, because another process may have used this device just before. */
  constructor(start: number) {
    this.last = FIRST_ID + Math.floor(start * (LAST_ID - FIRST_ID));
  }

  next(): number {
    this.last = this.last >= LAST_ID ? FIRST_ID : this.last + 1;
    return this.last;
  }
}

export interface PacketProtocolOptions {
  readonly password: string;
  readonly ids: PacketIds;
  readonly timeouts: LinkTimeouts;
}

/** A request has command code and fields; an answer has the error code between them. */
export function createPacketProtocol(options: PacketProtocolOptions): LinkProtocol<StxEtxEvent> {
  return {
    createDecoder: createStxEtxDecoder,
    greet: () => new PacketMachine(null, options),
    begin: (request) => new PacketMachine(request, options),
  };
}

/** Without a request the machine only asks whether a device is there. */
class PacketMachine implements ExchangeMachine<StxEtxEvent> {
  private phase: "greeting" | "sent" | "checking" = "greeting";
  private id = 0;
  private sends = 0;
  private enquiries = 0;
  private waitedLonger = false;
  private damage: string | null = null;
  private strange = 0;
  private familiar = false;

  constructor(
    private readonly request: LinkRequest | null,
    private readonly options: PacketProtocolOptions,
  ) {}

  on(input: MachineInput<StxEtxEvent>): MachineOutput {
    if (input.kind === "begin") return this.request === null ? this.ask() : this.send(this.request);
    if (input.kind === "timeout") return this.ask();
    return this.onEvent(input.event);
  }

  private onEvent(event: StxEtxEvent | FramingTrouble): MachineOutput {
    switch (event.kind) {
      case "noise":
        this.strange += event.bytes.length;
        return {};
      case "control":
        return event.byte === ACK ? this.onAck() : {};
      case "frame":
        this.familiar = true;
        return this.onFrame(event.payload);
      case "damaged":
        this.damage = event.reason;
        return this.phase === "sent" ? this.ask() : {};
    }
  }

  private onFrame(packet: Uint8Array): MachineOutput {
    const payload = packet.slice(1);
    const answers = this.sends > 0 && packet[0] === this.id && this.request?.isAnswer(payload) === true;
    // Anything else is the answer to an earlier request that timed out.
    return answers ? { end: { kind: "answer", payload } } : {};
  }

  private onAck(): MachineOutput {
    if (this.phase === "greeting") return { end: { kind: "ready" } };
    if (this.phase === "sent") return {};
    const { request } = this;
    if (request?.repeatable === true && this.sends < MAX_SENDS) return this.send(request);
    if (this.damage !== null) return this.fail("link.corrupt", `damaged frame: ${this.damage}`);
    if (request !== null && !request.repeatable && !this.waitedLonger) return this.waitLonger(request);
    return this.fail("link.timeout", "the device is there, but has no answer to the request");
  }

  private send(request: LinkRequest): MachineOutput {
    this.phase = "sent";
    this.sends += 1;
    this.enquiries = 0;
    this.id = this.options.ids.next();
    const password = Buffer.from(this.options.password, "latin1");
    const body = Uint8Array.from([...password, this.id, ...request.payload]);
    return { write: [encodeStxEtx(body)], waitMs: request.answerMs };
  }

  private waitLonger({ answerMs }: LinkRequest): MachineOutput {
    this.phase = "sent";
    this.waitedLonger = true;
    this.enquiries = 0;
    return { waitMs: answerMs };
  }

  private ask(): MachineOutput {
    this.enquiries += 1;
    if (this.enquiries > MAX_ENQUIRIES) return this.failSilent();
    if (this.phase === "sent") this.phase = "checking";
    return { write: [enquiry], waitMs: this.options.timeouts.reactMs };
  }

  private failSilent(): MachineOutput {
    const foreign = this.strange > 0 && !this.familiar && this.sends === 0;
    return foreign
      ? this.fail("link.foreign", "the device answers, but not by this protocol")
      : this.fail("link.timeout", "the device does not answer");
  }

  private fail(code: "link.timeout" | "link.corrupt" | "link.foreign", message: string): MachineOutput {
    const details = { command: this.request?.name ?? "enquiry", phase: this.phase, requestSent: this.sends > 0 };
    return { end: { kind: "failed", fault: new Fault(code, { message, details }) } };
  }
}
