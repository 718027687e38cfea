import type { DeviceLink, LinkPort } from "../device/maker-protocol.js";

const LF = 0x0a;
const MAX_LINE_BYTES = 256 * 1024;

/**
 * Reads and writes lines with a checksum (drivers/reference/README.md). A damaged line is not answered. Commands run
 * one at a time: lines that come meanwhile wait, even those of a new connection, so that nothing overtakes a running
 * command.
 */
export class LineLink implements DeviceLink {
  private line: number[] = [];
  private waiting: Uint8Array[] = [];
  private atWork = false;

  constructor(private readonly port: LinkPort) {}

  reconnected(): void {
    this.line = [];
    this.waiting = [];
  }

  receive(byte: number): void {
    if (byte !== LF) {
      if (this.line.length < MAX_LINE_BYTES) this.line.push(byte);
      return;
    }
    const command = opened(Buffer.from(this.line).toString("utf8"));
    this.line = [];
    if (command === null) return;
    this.waiting.push(command);
    this.workOn();
  }

  private workOn(): void {
    if (this.atWork) return;
    const command = this.waiting.shift();
    if (command === undefined) return;
    this.atWork = true;
    this.port.execute(command, (answer) => {
      this.atWork = false;
      if (answer !== null) this.port.send(sealed(answer), "answer");
      this.workOn();
    });
  }
}

function opened(line: string): Uint8Array | null {
  const text = line.trimEnd();
  const end = text.lastIndexOf(" *");
  const command = Buffer.from(text.slice(0, Math.max(0, end)), "utf8");
  return end > 0 && text.slice(end + 2) === checksum(command) ? Uint8Array.from(command) : null;
}

function sealed(answer: Uint8Array): Uint8Array {
  return Uint8Array.from([...answer, ...Buffer.from(` *${checksum(answer)}\n`, "ascii")]);
}

/** CRC of the polynomial x^16 + x^12 + x^5 + 1 over the bytes, register preset to ones, as four hex digits. */
function checksum(bytes: Uint8Array): string {
  let register = 0xffff;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit -= 1) {
      const carry = (register >> 15) ^ ((byte >> bit) & 1);
      register = (register << 1) & 0xffff;
      if (carry === 1) register ^= 0x1021;
    }
  }
  return register.toString(16).toUpperCase().padStart(4, "0");
}
