/** Decoder and state machine of one protocol on one connection. Hides the protocol's type of events from the link. */
import type { FramingTrouble } from "../framing/framing.js";
import type { ExchangeMachine, LinkProtocol, LinkRequest, MachineInput, MachineOutput } from "./exchange-machine.js";

export interface Session {
  /** Asks whether a device of this protocol is there. False: this protocol has nothing to ask. */
  greet(): boolean;
  begin(request: LinkRequest): void;
  /** Ends the exchange for the caller; whatever still arrives is ignored. */
  drop(): void;
  push(bytes: Uint8Array): void;
  timeout(): void;
  cutShort(): void;
  readonly midFrame: boolean;
}

export type OpenSession = (onOutput: (output: MachineOutput) => void) => Session;

export function sessionOf<Event>(createProtocol: () => LinkProtocol<Event>): OpenSession {
  return (onOutput) => {
    const protocol = createProtocol();
    let machine: ExchangeMachine<Event> | null = null;

    function feed(input: MachineInput<Event>): void {
      if (machine !== null) onOutput(machine.on(input));
    }
    function start(next: ExchangeMachine<Event>): void {
      machine = next;
      feed({ kind: "begin" });
    }
    const decoder = protocol.createDecoder((event: Event | FramingTrouble) => feed({ kind: "event", event }));

    return {
      greet() {
        const greeting = protocol.greet();
        if (greeting !== null) start(greeting);
        return greeting !== null;
      },
      begin: (request) => start(protocol.begin(request)),
      drop() {
        machine = null;
      },
      push: (bytes) => decoder.push(bytes),
      timeout() {
        decoder.reset();
        feed({ kind: "timeout" });
      },
      cutShort() {
        decoder.reset();
        feed({ kind: "event", event: { kind: "damaged", reason: "cut short" } });
      },
      get midFrame() {
        return decoder.midFrame;
      },
    };
  };
}
