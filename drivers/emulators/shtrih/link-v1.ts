import type { Timer } from "@fiscald/shared/clock.js";
import type { DeviceLink, LinkPort } from "../device/maker-protocol.js";
import type { ShtrihSettings } from "./settings.js";

const ENQ = 0x05;
const STX = 0x02;
const ACK = 0x06;
const NAK = 0x15;

export interface LinkV1Options
  extends Pick<ShtrihSettings, "garbage-in-idle" | "command-before-ack" | "answer-after-reconnect"> {
  /** In ms; after a longer gap between two bytes the unfinished frame is dropped. */
  readonly byteTimeoutMs: number;
  /** True: the device sends an extra FF after the host's ACK, as real ones do over TCP. */
  readonly extraFf: boolean;
}

type State =
  | { readonly kind: "idle" }
  | { readonly kind: "receiving"; readonly bytes: number[] }
  | { readonly kind: "executing" }
  /** The answer was sent and waits for its ACK; an ENQ makes the device send the answer again. */
  | { readonly kind: "answered"; readonly frame: Uint8Array };

export class LinkV1 implements DeviceLink {
  private state: State = { kind: "idle" };
  private gap: Timer | null = null;
  /** Bytes still to come of a frame that is ignored, because it came out of turn. Null: its length is unknown. */
  private unheard: number | null = 0;

  constructor(
    private readonly port: LinkPort,
    private readonly options: LinkV1Options,
  ) {}

  receive(byte: number): void {
    switch (this.state.kind) {
      case "idle":
        this.whileIdle(byte);
        break;
      case "receiving":
        this.collect(this.state.bytes, byte);
        break;
      case "executing":
        if (this.passesBy(byte)) return;
        if (byte === ENQ) this.control(ACK);
        break;
      case "answered":
        if (this.options["command-before-ack"] === "ignored" && this.passesBy(byte)) return;
        this.whileAnswered(byte, this.state.frame);
        break;
    }
  }

  /** True: the byte belongs to a frame that came out of turn. An ENQ byte inside such a frame is no ENQ. */
  private passesBy(byte: number): boolean {
    if (this.unheard === 0 && byte !== STX) return false;
    this.restartGap();
    if (this.unheard === 0) this.unheard = null;
    else if (this.unheard === null) this.unheard = byte + 1;
    else this.unheard -= 1;
    return true;
  }

  reconnected(): void {
    this.dropFrame();
    if (this.state.kind === "answered" && this.options["answer-after-reconnect"] === "forgotten")
      this.become({ kind: "idle" });
  }

  private whileIdle(byte: number): void {
    if (byte === STX) this.become({ kind: "receiving", bytes: [] });
    else if (byte === ENQ) this.control(NAK);
    else if (byte !== ACK && byte !== NAK && this.options["garbage-in-idle"] === "nak") this.control(NAK);
  }

  private collect(bytes: number[], byte: number): void {
    bytes.push(byte);
    this.restartGap();
    const [length = 0] = bytes;
    if (bytes.length < length + 2) return;
    const sum = bytes.reduce((check, value) => check ^ value, 0);
    if (sum !== 0 || length === 0) {
      this.become({ kind: "idle" });
      this.control(NAK);
      return;
    }
    this.become({ kind: "executing" });
    this.control(ACK);
    this.port.execute(Uint8Array.from(bytes.slice(1, -1)), (answer) => this.answer(answer));
  }

  private answer(answer: Uint8Array | null): void {
    if (answer === null) {
      this.become({ kind: "idle" });
      return;
    }
    const frame = frameOf(answer);
    this.become({ kind: "answered", frame });
    this.port.send(frame, "answer");
  }

  private whileAnswered(byte: number, frame: Uint8Array): void {
    if (byte === ACK) {
      this.become({ kind: "idle" });
      if (this.options.extraFf) this.control(0xff);
    } else if (byte === ENQ) {
      this.control(ACK);
      this.port.send(frame, "answer");
    } else if (byte === STX) {
      this.become({ kind: "receiving", bytes: [] });
    }
  }

  private control(byte: number): void {
    this.port.send(Uint8Array.of(byte), "control");
  }

  private become(state: State): void {
    this.state = state;
    this.unheard = 0;
    this.gap?.cancel();
    this.gap = null;
    if (state.kind === "receiving") this.restartGap();
  }

  private restartGap(): void {
    this.gap?.cancel();
    this.gap = this.port.clock.setTimer(this.options.byteTimeoutMs, () => this.dropFrame());
  }

  private dropFrame(): void {
    this.gap?.cancel();
    this.gap = null;
    this.unheard = 0;
    if (this.state.kind === "receiving") this.become({ kind: "idle" });
  }
}

function frameOf(data: Uint8Array): Uint8Array {
  const body = [data.length, ...data];
  return Uint8Array.of(
    STX,
    ...body,
    body.reduce((check, value) => check ^ value, 0),
  );
}
