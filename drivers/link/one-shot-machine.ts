/** One request and one answer: the exchange of protocols whose frames carry an id of their own. */
import { Fault } from "@fiscald/shared/fault.js";
import type { CreateDecoder, FramingTrouble } from "../framing/framing.js";
import type { ExchangeMachine, LinkProtocol, LinkRequest, MachineInput, MachineOutput } from "./exchange-machine.js";

const MAX_SENDS = 3;

export interface OneShotOptions<Event> {
  readonly createDecoder: CreateDecoder<Event | FramingTrouble>;
  readonly encode: (payload: Uint8Array) => Uint8Array;
}

/** Answers that `isAnswer` does not take are stale and dropped. A repeatable request is sent three times at most. */
export function createOneShotProtocol<Event extends { kind: "frame"; payload: Uint8Array } | FramingTrouble>({
  createDecoder,
  encode,
}: OneShotOptions<Event>): LinkProtocol<Event> {
  return {
    createDecoder,
    greet: () => null,
    begin: (request) => new OneShotMachine(request, encode),
  };
}

class OneShotMachine<Event extends { kind: "frame"; payload: Uint8Array } | FramingTrouble>
  implements ExchangeMachine<Event>
{
  private sends = 0;

  constructor(
    private readonly request: LinkRequest,
    private readonly encode: (payload: Uint8Array) => Uint8Array,
  ) {}

  on(input: MachineInput<Event>): MachineOutput {
    if (input.kind === "begin") return this.send();
    if (input.kind === "timeout") return this.sendAgain("link.timeout", "the device does not answer");
    const { event } = input;
    if (event.kind === "damaged") return this.sendAgain("link.corrupt", `damaged frame: ${event.reason}`);
    if (event.kind !== "frame" || !this.request.isAnswer(event.payload)) return {};
    return { end: { kind: "answer", payload: event.payload } };
  }

  private send(): MachineOutput {
    this.sends += 1;
    return { write: [this.encode(this.request.payload)], waitMs: this.request.answerMs };
  }

  private sendAgain(code: "link.timeout" | "link.corrupt", message: string): MachineOutput {
    if (this.request.repeatable && this.sends < MAX_SENDS) return this.send();
    const fault = new Fault(code, { message, details: { command: this.request.name } });
    return { end: { kind: "failed", fault } };
  }
}
