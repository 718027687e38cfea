import type { Timer } from "@fiscald/shared/clock.js";
import type { DeviceLink, LinkPort } from "../device/maker-protocol.js";

const START = 0x8f;
const ESCAPE = 0x9f;

/** The device's side of link protocol 2: frames are numbered, and the last answer is kept. */
export class LinkV2 implements DeviceLink {
  /** Number of the last answer; after power-on there is an empty answer with number 1. */
  private number = 1;
  private kept: Uint8Array = frameOf(1, new Uint8Array());
  private bytes: number[] | null = null;
  private escaped = false;
  private executing = false;
  private gap: Timer | null = null;

  constructor(
    private readonly port: LinkPort,
    private readonly options: { readonly byteTimeoutMs: number },
  ) {}

  receive(byte: number): void {
    if (byte === START) {
      this.bytes = [];
      this.escaped = false;
      this.restartGap();
      return;
    }
    if (this.bytes === null) return;
    this.restartGap();
    if (this.escaped) {
      this.escaped = false;
      if (byte !== 0x81 && byte !== 0x83) this.drop();
      else this.collect(this.bytes, byte === 0x81 ? START : ESCAPE);
    } else if (byte === ESCAPE) this.escaped = true;
    else this.collect(this.bytes, byte);
  }

  reconnected(): void {
    this.drop();
  }

  private collect(bytes: number[], byte: number): void {
    bytes.push(byte);
    if (bytes.length < 4) return;
    const length = word(bytes, 0);
    if (bytes.length < length + 4) return;
    this.drop();
    const body = bytes.slice(0, length + 2);
    if (crc16(body) !== word(bytes, length + 2) || length === 1 || this.executing) return;
    if (length === 0) this.port.send(this.kept, "answer");
    else this.take(word(body, 2), Uint8Array.from(body.slice(4)));
  }

  private take(number: number, command: Uint8Array): void {
    if (number !== (this.number + 1) % 0x10000) {
      this.port.send(this.kept, "answer");
      return;
    }
    this.executing = true;
    if (command.length === 0) this.answer(number, command);
    else this.port.execute(command, (answer) => this.answer(number, answer));
  }

  private answer(number: number, answer: Uint8Array | null): void {
    this.executing = false;
    if (answer === null) return;
    this.number = number;
    this.kept = frameOf(number, answer);
    this.port.send(this.kept, "answer");
  }

  private drop(): void {
    this.bytes = null;
    this.escaped = false;
    this.gap?.cancel();
    this.gap = null;
  }

  private restartGap(): void {
    this.gap?.cancel();
    this.gap = this.port.clock.setTimer(this.options.byteTimeoutMs, () => this.drop());
  }
}

function frameOf(number: number, data: Uint8Array): Uint8Array {
  const length = data.length + 2;
  const body = [length & 0xff, length >> 8, number & 0xff, number >> 8, ...data];
  const check = crc16(body);
  const stuffed = [...body, check & 0xff, check >> 8].flatMap((byte) =>
    byte === START ? [ESCAPE, 0x81] : byte === ESCAPE ? [ESCAPE, 0x83] : [byte],
  );
  return Uint8Array.of(START, ...stuffed);
}

/** CRC-16/CCITT: polynomial 1021, start FFFF, not reflected. */
function crc16(bytes: readonly number[]): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
    crc &= 0xffff;
  }
  return crc;
}

function word(bytes: readonly number[], at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
}
