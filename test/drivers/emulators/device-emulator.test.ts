import type { FaultInput } from "@fiscald/emulators/faults/fault-spec.js";
import { type Emulator, openEmulator } from "@fiscald/emulators/open-emulator.js";
import type { Behaviour } from "@fiscald/emulators/wire/behaviour.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { waitFor } from "../../support/wait-for.js";
import { toHex } from "../vectors/hex.js";
import { connectHost, frame, type Host, type WireKind } from "./host.js";
import { closeCommand, itemCommand, OP } from "./shtrih/make-shtrih.js";

const BEEP = frame(`13 ${OP}`);
const BEEP_ANSWER = "06 02 03 13 00 01 11";

let emulator: Emulator;
const clock = createFakeClock();

async function open(options: { readonly timing?: "realistic"; readonly baudRate?: number } = {}): Promise<void> {
  emulator = await openEmulator({ maker: "shtrih", clock, listen: "tcp:127.0.0.1:0", ...options });
}

const hosts: Host[] = [];
async function connect(kind: WireKind = "loopback"): Promise<Host> {
  const host = await connectHost(emulator, kind);
  hosts.push(host);
  return host;
}

afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
  await emulator.close();
});

describe.each<WireKind>(["loopback", "tcp"])("hosts of an emulated device over %s", (kind) => {
  test("a second host of an emulated device is answered after the first host has gone", async () => {
    await open();
    const first = await connect(kind);
    const second = await connect(kind);
    await second.write(BEEP);
    await first.write(BEEP);
    expect(await first.take(7)).toBe(BEEP_ANSWER);
    await first.write("06");
    if (kind === "tcp") expect(await first.take(1)).toBe("FF");
    expect(second.left).toBe("");
    await first.close();
    expect(await second.take(7)).toBe(BEEP_ANSWER);
  });

  test("a paused wire keeps 200,000 bytes until it is released", async () => {
    await open();
    const host = await connect(kind);
    emulator.device.setSilent(true);
    emulator.device.hold();
    await host.write("00".repeat(200_000));
    emulator.device.release();
    await waitFor("all of it has come", () => emulator.device.wire.counts.in === 200_000 || undefined);
  });

  test("a host of an emulated device that leaves while it waits is forgotten, and the next host is answered", async () => {
    await open();
    const [first, second, third] = [await connect(kind), await connect(kind), await connect(kind)];
    await second.close();
    await first.close();
    await third.write(BEEP);
    expect(await third.take(7)).toBe(BEEP_ANSWER);
  });

  test("all hosts of an emulated device are cut off when its cable is pulled, and a later host is answered", async () => {
    await open();
    const [first, second] = [await connect(kind), await connect(kind)];
    emulator.device.unplug(0);
    await Promise.all([first.closed, second.closed]);
    await waitFor("it is plugged in again", () => emulator.device.isPlugged);
    const third = await connect(kind);
    await third.write(BEEP);
    expect(await third.take(7)).toBe(BEEP_ANSWER);
  });
});

/** What leaves while the fault waits, piece by piece. */
async function piecesOf(fault: FaultInput): Promise<readonly string[]> {
  await open();
  const transport = emulator.transportFactory();
  const pieces: string[] = [];
  transport.onBytes((bytes) => pieces.push(toHex(bytes)));
  await transport.open(AbortSignal.timeout(60_000));
  emulator.faults.add(fault);
  await transport.write(BEEP);
  const length = fault.effect === "unplug" ? 4 : 7;
  await waitFor("all has come", () => pieces.join(" ").split(" ").length === length);
  await transport.close();
  return pieces;
}

test("an emulated device that is cut off after sending four bytes sends these bytes in whole pieces and nothing after them", async () => {
  const when = { afterBytes: 4, direction: "out" } as const;
  expect(await piecesOf({ effect: "unplug", ms: 0, when })).toEqual(["06", "02 03", "13"]);
});

test.each([
  ["unplug", 2],
  ["power-cut", 1],
] as const)("a fault after the ACK of a command (%s) leaves the command done or undone", async (effect, documents) => {
  await open();
  const host = await connect();
  emulator.faults.add({ effect, ms: 0, when: { afterBytes: 1, direction: "out" } });
  await host.write(frame(`E0 ${OP}`));
  await host.closed;
  expect([host.left, emulator.core.documents.length]).toEqual(["06", documents]);
});

test("an emulated device that is cut off after receiving four bytes has received exactly these bytes", async () => {
  await open();
  const host = await connect();
  emulator.faults.add({ effect: "unplug", ms: 0, when: { afterBytes: 4, direction: "in" } });
  await host.write(BEEP);
  await host.closed;
  expect(emulator.device.wire.last(10).map(({ direction, hex }) => `${direction} ${hex}`)).toEqual([
    `in ${Buffer.from(BEEP.slice(0, 4)).toString("hex")}`,
  ]);
});

test("an emulated fault that waits for received bytes does not split the sent bytes", async () => {
  const when = { afterBytes: 40, direction: "in" } as const;
  expect(await piecesOf({ effect: "stale-answer", when })).toEqual(["06", "02 03 13 00 01 11"]);
});

test("the emulated fault `byte-by-byte` sends an answer in single bytes", async () => {
  expect(await piecesOf({ effect: "byte-by-byte", when: "now" })).toEqual(BEEP_ANSWER.split(" "));
});

test("in realistic timing a command takes as long as on a real device, and bytes travel at the line's speed", async () => {
  await open({ timing: "realistic", baudRate: 9600 });
  const host = await connect();
  await host.write(BEEP);
  expect(await host.take(1)).toBe("06");
  // The line carries 5 + 4 bytes in and 3 + 4 bytes out at 9600 baud, with 8 ms of work between them.
  const expected = (9 * 10_000) / 9600 + 8 + (7 * 10_000) / 9600;
  await clock.advance(expected - 0.1);
  expect(host.left).toBe("");
  await clock.advance(0.2);
  expect(await host.take(6)).toBe(BEEP_ANSWER.slice(3));
  // A benchmark subtracts the register's own time, from the command's last byte to the answer.
  expect(emulator.device.answeringMs).toBeCloseTo(expected, 0);
});

test("in realistic timing a receipt is registered before the slow print of its paper", async () => {
  await open({ timing: "realistic" });
  emulator.core.openShift({ paper: true });
  await clock.advance(10_000);
  const host = await connect();
  for (const [command, answer] of [
    [`8D ${OP} 00`, 6],
    [itemCommand({ price: 100 }), 6],
    [closeCommand({ 1: 100 }), 19],
  ] as const) {
    await host.write(frame(command));
    await host.take(1);
    await clock.advance(400);
    await host.take(answer);
    await host.write("06");
  }
  expect([emulator.core.lastFd, emulator.core.printer.status]).toEqual([3, "printing"]);
  await clock.advance(10_000);
  expect(emulator.core.printer.status).toBe("idle");
});

test("behaviours of an emulated device are called in turn until one has handled the command", async () => {
  await open();
  const asked: string[] = [];
  const behaviour = (name: string, verdict: "handled" | "pass"): Behaviour => ({
    onCommand(exchange) {
      asked.push(`${name} ${exchange.names.join("/")} ${toHex(exchange.command)}`);
      if (verdict === "handled") exchange.answer(Uint8Array.of(0x13, 0x99));
      return verdict;
    },
  });
  const last = behaviour("last", "handled");
  emulator.device.addBehaviour(behaviour("first", "pass"));
  emulator.device.addBehaviour(behaviour("second", "handled"));
  emulator.device.addBehaviour(last);
  const host = await connect();
  await host.write(BEEP);
  expect(await host.take(6)).toBe("06 02 02 13 99 88");
  expect(asked).toEqual(["first 13/beep 13 01 00 00 00", "second 13/beep 13 01 00 00 00"]);
});

test("a behaviour of an emulated device may carry a command out and withhold the answer from the host", async () => {
  await open();
  emulator.device.addBehaviour({
    onCommand(exchange) {
      if (!exchange.names.includes("open-shift")) return "pass";
      exchange.act();
      exchange.act();
      exchange.answer(null);
      return "handled";
    },
  });
  const host = await connect();
  await host.write(frame(`E0 ${OP}`));
  expect(await host.take(1)).toBe("06");
  await host.write("05");
  expect(await host.take(1)).toBe("15");
  expect(emulator.core.documents.map(({ type }) => type)).toEqual(["registration", "shift-open"]);
});
