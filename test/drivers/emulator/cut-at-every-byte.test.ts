import { type Emulator, openEmulator } from "@fiscald/drivers/emulator/open-emulator.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { closeCommand, itemCommand, OP } from "../shtrih/emulator/make-shtrih.js";
import { hex } from "../vectors/hex.js";
import { connectHost, frame, type Host, type WireKind } from "./host.js";

interface Exchange {
  readonly send: Uint8Array;
  /** Bytes to wait for. */
  readonly wait: number;
}

/** A sale in the standard link. Over TCP the device adds an FF to the host's ACK. */
function dialogueOver(kind: WireKind): readonly Exchange[] {
  const afterAck = kind === "tcp" ? 1 : 0;
  return [`8D ${OP} 00`, itemCommand({ price: 1500 }), closeCommand({ 1: 1500 })].flatMap((command, index) => [
    { send: hex("05"), wait: 1 },
    { send: frame(command), wait: 1 + (index === 2 ? CLOSE_ANSWER : 6) },
    { send: hex("06"), wait: afterAck },
  ]);
}

const CLOSE_ANSWER = 19;

/** Plays until the end or until the wire is cut; what the host heard. */
async function play(host: Host, dialogue: readonly Exchange[]): Promise<string> {
  let heard = "";
  for (const { send, wait } of dialogue) {
    if (!host.isOpen) break;
    await host.write(send);
    heard += `${await host.take(wait)} `;
  }
  return heard.replaceAll(" ", "");
}

function takenIn(emulator: Emulator): number {
  return emulator.device.wire
    .last(1000)
    .filter(({ direction }) => direction === "in")
    .reduce((sum, { hex: text }) => sum + text.length / 2, 0);
}

async function open(kind: WireKind): Promise<Emulator> {
  // A clock that stands: the fiscal sign depends on the second.
  return openEmulator({
    maker: "shtrih",
    clock: createFakeClock(),
    ...(kind === "tcp" ? { listen: "tcp:127.0.0.1:0" } : {}),
  });
}

describe.each<WireKind>(["loopback", "tcp"])("a sale over %s, cut at every byte", (kind) => {
  const dialogue = dialogueOver(kind);
  const bytesIn = dialogue.reduce((sum, { send }) => sum + send.length, 0);
  const bytesOut = dialogue.reduce((sum, { wait }) => sum + wait, 0);
  const lastWait = dialogue.at(-1)?.wait ?? 0;
  /** The last byte of the closing command, and the ACK for it. */
  const closingIn = bytesIn - 1;
  const closingAck = bytesOut - lastWait - CLOSE_ANSWER;
  const hasReceipt = ({ core }: Emulator) => core.documents.some(({ type }) => type === "receipt");

  async function playWhole(): Promise<string> {
    const emulator = await open(kind);
    const host = await connectHost(emulator, kind);
    const heard = await play(host, dialogue);
    expect(hasReceipt(emulator)).toBe(true);
    expect(host.left).toBe("");
    await host.close();
    await emulator.close();
    return heard;
  }

  test.each(["unplug", "power-cut"] as const)("from device to host: exactly n bytes arrive (%s)", async (effect) => {
    const whole = await playWhole();
    expect(whole.length / 2).toBe(bytesOut);
    for (let count = 0; count < bytesOut; count++) {
      const emulator = await open(kind);
      const host = await connectHost(emulator, kind);
      emulator.faults.add({ effect, ms: 0, when: { afterBytes: count, direction: "out" } });
      const heard = await play(host, dialogue);
      await host.closed;
      expect(heard + host.left.replaceAll(" ", "")).toBe(whole.slice(0, count * 2));
      // The ACK leaves before the command is carried out: power that fails with it leaves nothing done.
      const done = effect === "unplug" ? count >= closingAck : count > closingAck;
      expect([count, hasReceipt(emulator)]).toEqual([count, done]);
      await emulator.close();
    }
  });

  test.each(["unplug", "power-cut"] as const)("from host to device: exactly n bytes are heard (%s)", async (effect) => {
    for (let count = 0; count < bytesIn; count++) {
      const emulator = await open(kind);
      const host = await connectHost(emulator, kind);
      emulator.faults.add({ effect, ms: 0, when: { afterBytes: count, direction: "in" } });
      await play(host, dialogue);
      await host.closed;
      expect(takenIn(emulator)).toBe(count);
      // Unplugged with the last byte the device has the whole command; without power it has nothing.
      const done = effect === "unplug" && count >= closingIn;
      expect([count, hasReceipt(emulator)]).toEqual([count, done]);
      await emulator.close();
    }
  });
});
