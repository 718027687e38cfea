import type { Timer } from "@fiscald/shared/clock.js";
import type { DeviceLink, LinkPort } from "../device/maker-protocol.js";

const STX = 0x02;
const ETX = 0x03;
const ENQ = 0x05;
const ACK = 0x06;
/** Length of password, packet id and command code. */
const HEAD_BYTES = 7;
const BYTE_TIMEOUT_MS = 200;
const errors = { tornFrame: "05", badChecksum: "07" } as const;

type Work = { readonly kind: "enquiry" } | { readonly kind: "command" | "answer"; readonly bytes: Uint8Array };

export interface PiritLinkOptions {
  readonly enquiryWhileBusy: "after-answer" | "at-once";
}

/**
 * The device's side of the link. Everything is answered in the order in which it came: an ENQ that comes during a
 * command gets its ACK after that command's answer (or, by a switch, at once), even when another host has connected.
 */
export class PiritLink implements DeviceLink {
  /** The bytes after STX; null = outside a frame. */
  private frame: number[] | null = null;
  private gap: Timer | null = null;
  private readonly queue: Work[] = [];
  private atWork = false;

  constructor(
    private readonly port: LinkPort,
    private readonly options: PiritLinkOptions,
  ) {}

  receive(byte: number): void {
    if (byte === STX) this.frame = [];
    else if (this.frame !== null) this.collect(this.frame, byte);
    else if (byte === ENQ) this.onEnquiry();
    this.restartGap();
  }

  reconnected(): void {
    this.frame = null;
    this.restartGap();
  }

  private onEnquiry(): void {
    if (this.options.enquiryWhileBusy === "at-once") this.acknowledge();
    else this.enqueue({ kind: "enquiry" });
  }

  private acknowledge(): void {
    this.port.send(Uint8Array.of(ACK), "control");
  }

  private collect(frame: number[], byte: number): void {
    frame.push(byte);
    const end = frame.indexOf(ETX);
    if (end < 0 || frame.length < end + 3) return;
    this.frame = null;
    const command = Uint8Array.from(frame.slice(0, end));
    const sum = frame.slice(0, end + 1).reduce((check, value) => check ^ value, 0);
    const given = Buffer.from(frame.slice(end + 1)).toString("latin1");
    const good = given.toUpperCase() === hexPair(sum) && end >= HEAD_BYTES;
    this.enqueue(good ? { kind: "command", bytes: command } : refusal(command, errors.badChecksum));
  }

  private enqueue(work: Work): void {
    this.queue.push(work);
    this.goOn();
  }

  private goOn(): void {
    while (!this.atWork) {
      const work = this.queue.shift();
      if (work === undefined) return;
      if (work.kind === "enquiry") this.acknowledge();
      else if (work.kind === "answer") this.answer(work.bytes);
      else this.execute(work.bytes);
    }
  }

  private execute(command: Uint8Array): void {
    this.atWork = true;
    this.port.execute(command, (answer) => {
      this.atWork = false;
      if (answer !== null) this.answer(answer);
      this.goOn();
    });
  }

  private answer(answer: Uint8Array): void {
    const body = [...answer, ETX];
    const sum = body.reduce((check, value) => check ^ value, 0);
    this.port.send(Uint8Array.of(STX, ...body, ...Buffer.from(hexPair(sum), "latin1")), "answer");
  }

  private restartGap(): void {
    this.gap?.cancel();
    this.gap = this.frame === null ? null : this.port.clock.setTimer(BYTE_TIMEOUT_MS, () => this.giveUp());
  }

  private giveUp(): void {
    const torn = Uint8Array.from(this.frame ?? []);
    this.frame = null;
    this.enqueue(refusal(torn, errors.tornFrame));
  }
}

/** The answer to an incomplete frame: with its packet id and command if they came, else with the lowest id and 00. */
function refusal(command: Uint8Array, error: string): Work {
  const whole = command.length >= HEAD_BYTES;
  const head = whole ? Buffer.from(command.subarray(4, HEAD_BYTES)).toString("latin1") : " 00";
  return { kind: "answer", bytes: Buffer.from(head + error, "latin1") };
}

function hexPair(value: number): string {
  return value.toString(16).toUpperCase().padStart(2, "0");
}
