import type { FaultInput } from "@fiscald/emulators/faults/fault-spec.js";
import { type Emulator, openEmulator } from "@fiscald/emulators/open-emulator.js";
import { createFakeClock, type FakeClock } from "../../../support/fake-clock.js";
import { waitFor } from "../../../support/wait-for.js";
import { connectHost, frame, type Host, type WireKind } from "../host.js";
import { closeCommand, itemCommand, le, OP, SYS } from "../shtrih/make-shtrih.js";

const BEEP = frame(`13 ${OP}`);
const BEEP_ANSWER = "02 03 13 00 01 11";
const RECEIPT_BYTES = 1 + 19;

interface Bench {
  readonly clock: FakeClock;
  readonly emulator: Emulator;
  host: Host;
  /** A command and its whole answer, acknowledged. */
  ask(command: string): Promise<void>;
  addFault(fault: FaultInput): void;
  struck(): number;
}

describe.each<WireKind>(["loopback", "tcp"])("faults over %s", (kind) => {
  let bench: Bench;

  beforeEach(async () => {
    const clock = createFakeClock();
    const emulator = await openEmulator({
      maker: "shtrih",
      clock,
      ...(kind === "tcp" ? { listen: "tcp:127.0.0.1:0" } : {}),
    });
    const host = await connectHost(emulator, kind);
    bench = {
      clock,
      emulator,
      host,
      async ask(command) {
        await bench.host.write(frame(command));
        // ACK, STX and length tell how much more there is.
        const head = await bench.host.take(3);
        await bench.host.take(Number.parseInt(head.slice(6), 16) + 1);
        await bench.host.write("06");
        if (kind === "tcp") await bench.host.take(1);
      },
      addFault: (fault) => void emulator.faults.add(fault),
      struck: () => emulator.faults.list().reduce((sum, fault) => sum + fault.struck, 0),
    };
  });

  afterEach(async () => {
    await bench.host.close();
    await bench.emulator.close();
  });

  async function openReceipt(): Promise<void> {
    await bench.ask(`8D ${OP} 00`);
    await bench.ask(itemCommand({ price: 1500 }));
  }
  const close = frame(closeCommand({ 1: 1500 }));
  const receipts = () => bench.emulator.core.documents.filter(({ type }) => type === "receipt").length;
  const reconnect = async () => {
    await bench.host.close();
    await waitFor("the emulator has noticed", () => !bench.emulator.device.connected);
    bench.host = await connectHost(bench.emulator, kind);
  };

  test("the emulated fault silent hears nothing and says nothing until it is cleared, without hanging up", async () => {
    bench.addFault({ effect: "silent", when: "now" });
    await bench.host.write("05 05");
    const heard = () => bench.emulator.device.wire.last(10).map(({ direction, hex }) => `${direction} ${hex}`);
    await waitFor("the bytes have come", () => heard().join() === "in 0505");
    bench.emulator.faults.clear();
    await bench.host.write(BEEP);
    expect(await bench.host.take(7)).toBe(`06 ${BEEP_ANSWER}`);
    expect(bench.host.isOpen).toBe(true);
  });

  test("the emulated fault silent for a command leaves it undone and unanswered, and the next command is answered", async () => {
    await openReceipt();
    bench.addFault({ effect: "silent", when: { command: "close-receipt" } });
    await bench.host.write(close);
    expect(await bench.host.take(1)).toBe("06");
    await bench.host.write("05");
    expect(await bench.host.take(1)).toBe("15");
    expect(receipts()).toBe(0);
    await bench.host.write(close);
    expect(await bench.host.take(RECEIPT_BYTES)).toMatch(/^06 02 10 FF 45 00/);
  });

  test("the emulated fault late does a command at once and answers later, ENQ being answered with a wait byte meanwhile", async () => {
    await openReceipt();
    bench.addFault({ effect: "late", ms: 5000, when: { command: "FF45" } });
    await bench.host.write(close);
    expect(await bench.host.take(1)).toBe("06");
    expect(receipts()).toBe(1);
    await bench.host.write("05");
    expect(await bench.host.take(1)).toBe("06");
    await bench.clock.advance(4999);
    expect(bench.host.left).toBe("");
    await bench.clock.advance(1);
    expect(await bench.host.take(19)).toMatch(/^02 10 FF 45 00/);
  });

  test("the emulated fault late after n bytes out makes the wire stand still in the middle of an answer", async () => {
    bench.addFault({ effect: "late", ms: 700, when: { afterBytes: 3, direction: "out" } });
    await bench.host.write(BEEP);
    expect(await bench.host.take(3)).toBe("06 02 03");
    await bench.clock.advance(699);
    expect(bench.host.left).toBe("");
    await bench.clock.advance(1);
    expect(await bench.host.take(4)).toBe("13 00 01 11");
  });

  test("the emulated fault corrupt makes the answer's last byte wrong once, and right when it is asked for again", async () => {
    bench.addFault({ effect: "corrupt", when: { command: "beep" } });
    await bench.host.write(BEEP);
    expect(await bench.host.take(7)).toBe("06 02 03 13 00 01 4B");
    await bench.host.write("15 05");
    expect(await bench.host.take(7)).toBe(`06 ${BEEP_ANSWER}`);
  });

  test("the emulated fault corrupt after n bytes makes the next byte wrong, in either direction", async () => {
    bench.addFault({ effect: "corrupt", when: { afterBytes: 2, direction: "out" } });
    await bench.host.write(BEEP);
    expect(await bench.host.take(7)).toBe("06 02 59 13 00 01 11");
    await bench.host.write("06");
    bench.emulator.faults.clear();
    bench.addFault({ effect: "corrupt", when: { afterBytes: 3, direction: "in" } });
    if (kind === "tcp") await bench.host.take(1);
    await bench.host.write(BEEP);
    expect(await bench.host.take(1)).toBe("15");
  });

  test("the emulated fault noise comes before the answer, or at its place in either direction", async () => {
    bench.addFault({ effect: "noise", hex: "0102ff", when: { command: "beep" } });
    await bench.host.write(BEEP);
    expect(await bench.host.take(10)).toBe(`06 01 02 FF ${BEEP_ANSWER}`);
    await bench.host.write("06");
    if (kind === "tcp") await bench.host.take(1);
    bench.addFault({ effect: "noise", hex: "aabb", when: { afterBytes: 4, direction: "out" } });
    await bench.host.write(BEEP);
    expect(await bench.host.take(9)).toBe("06 02 03 13 AA BB 00 01 11");
    await bench.host.write("06");
    if (kind === "tcp") await bench.host.take(1);
    bench.addFault({ effect: "noise", hex: "00", when: { afterBytes: 0, direction: "in" } });
    await bench.host.write("05");
    expect(await bench.host.take(2)).toBe("15 15");
  });

  test("the emulated fault unplug for a command does the command, refuses hosts until time is up, and keeps the answer", async () => {
    await openReceipt();
    bench.addFault({ effect: "unplug", ms: 3000, when: { command: "close-receipt" } });
    await bench.host.write(close);
    expect(await bench.host.take(2)).toBe("06");
    await bench.host.closed;
    expect(receipts()).toBe(1);
    if (kind === "loopback") {
      await expect(connectHost(bench.emulator, kind)).rejects.toMatchObject({ code: "link.not-found" });
    } else {
      // The reset may be there before the connection is, or after it.
      await connectHost(bench.emulator, kind).then(
        (refused) => refused.closed,
        (error: unknown) => expect(error).toMatchObject({ code: "ECONNRESET" }),
      );
    }
    await bench.clock.advance(3000);
    bench.host = await connectHost(bench.emulator, kind);
    await bench.host.write("05");
    expect(await bench.host.take(RECEIPT_BYTES)).toMatch(/^06 02 10 FF 45 00/);
  });

  test("an emulator with two outages is back when the later one has ended", async () => {
    bench.addFault({ effect: "unplug", ms: 1000 });
    await bench.host.closed;
    bench.addFault({ effect: "power-cut", ms: 5000 });
    await bench.clock.advance(4999);
    expect(bench.emulator.device.isPlugged).toBe(false);
    await bench.clock.advance(1);
    expect(bench.emulator.device.isPlugged).toBe(true);
  });

  test("the emulated fault power-cut for a command signs the document and forgets the answer", async () => {
    await openReceipt();
    bench.addFault({ effect: "power-cut", ms: 3000, when: { command: "close-receipt" } });
    await bench.host.write(close);
    expect(await bench.host.take(2)).toBe("06");
    await bench.host.closed;
    await bench.clock.advance(3000);
    bench.host = await connectHost(bench.emulator, kind);
    await bench.host.write("05");
    expect(await bench.host.take(1)).toBe("15");
    expect(receipts()).toBe(1);
  });

  test("the emulated fault paper-out for a command signs the document and stops its print until paper is loaded", async () => {
    await openReceipt();
    bench.addFault({ effect: "paper-out", when: { command: "close-receipt" } });
    await bench.host.write(close);
    expect(await bench.host.take(RECEIPT_BYTES)).toMatch(/^06 02 10 FF 45 00/);
    const { printer } = bench.emulator.core;
    expect([printer.status, printer.paperPresent]).toEqual(["halted", false]);
    bench.emulator.faults.clear();
    expect([printer.status, printer.paperPresent]).toEqual(["halted", true]);
  });

  test("the emulated faults paper-out and cover-open that are set now refuse a close before anything is signed", async () => {
    await openReceipt();
    bench.addFault({ effect: "paper-out", when: "now" });
    bench.addFault({ effect: "cover-open", when: "now" });
    await bench.host.write(close);
    expect(await bench.host.take(7)).toBe("06 02 03 FF 45 6B D2");
    bench.emulator.faults.clear();
    expect(bench.emulator.core.printer.coverOpen).toBe(false);
    await bench.host.write("06");
    if (kind === "tcp") await bench.host.take(1);
    await bench.host.write(close);
    expect(await bench.host.take(RECEIPT_BYTES)).toMatch(/^06 02 10 FF 45 00/);
  });

  test("the emulated fault drop-answer does the command, loses the frame on the wire, and sends it when asked again", async () => {
    await openReceipt();
    bench.addFault({ effect: "drop-answer", when: { command: "close-receipt" } });
    await bench.host.write(close);
    expect(await bench.host.take(1)).toBe("06");
    await waitFor("the answer was dropped", () => bench.struck() === 1);
    expect(receipts()).toBe(1);
    expect(bench.host.left).toBe("");
    await bench.host.write("05");
    expect(await bench.host.take(RECEIPT_BYTES)).toMatch(/^06 02 10 FF 45 00/);
  });

  test("the emulated fault drop-answer after n bytes out loses the rest of the answer and not what follows", async () => {
    bench.addFault({ effect: "drop-answer", when: { afterBytes: 3, direction: "out" } });
    await bench.host.write(BEEP);
    expect(await bench.host.take(3)).toBe("06 02 03");
    await bench.host.write("05");
    expect(await bench.host.take(7)).toBe(`06 ${BEEP_ANSWER}`);
  });

  test("the emulated fault drop-answer for two times loses the answer twice, and the third is heard", async () => {
    bench.addFault({ effect: "drop-answer", times: 2 });
    await bench.host.write(BEEP);
    await bench.host.write("05 05");
    expect(await bench.host.take(9)).toBe(`06 06 06 ${BEEP_ANSWER}`);
  });

  test("the emulated fault stale-answer does the command, and the previous answer comes again", async () => {
    await openReceipt();
    bench.addFault({ effect: "stale-answer", when: { command: "close-receipt" } });
    await bench.host.write(close);
    expect(await bench.host.take(7)).toBe("06 02 03 FF 46 00 BA");
    expect(receipts()).toBe(1);
  });

  test("the emulated fault late-execution accepts a command, is busy for all hosts, and does it in the end", async () => {
    await openReceipt();
    bench.addFault({ effect: "late-execution", ms: 60_000, when: { command: "close-receipt" } });
    await bench.host.write(close);
    expect(await bench.host.take(1)).toBe("06");
    await reconnect();
    await bench.host.write("05");
    expect(await bench.host.take(1)).toBe("06");
    // A status request out of turn is not even looked at.
    await bench.host.write(frame(`10 ${OP}`));
    await bench.clock.advance(59_999);
    expect([receipts(), bench.host.left]).toEqual([0, ""]);
    await bench.clock.advance(1);
    expect(receipts()).toBe(1);
    expect(await bench.host.take(19)).toMatch(/^02 10 FF 45 00/);
  });

  test("a power cut ends a late execution before it begins, and nothing is registered", async () => {
    await openReceipt();
    bench.addFault({ effect: "late-execution", ms: 60_000, when: { command: "close-receipt" } });
    await bench.host.write(close);
    expect(await bench.host.take(1)).toBe("06");
    bench.addFault({ effect: "power-cut", ms: 0, when: "now" });
    await bench.host.closed;
    await bench.clock.advance(60_000);
    expect(receipts()).toBe(0);
  });

  test("the emulated fault documents-unreadable refuses the reading of documents alone, until it is cleared", async () => {
    const find = frame(`FF0A ${SYS} ${le(1, 4)}`);
    bench.addFault({ effect: "documents-unreadable" });
    for (let time = 0; time < 2; time++) {
      await bench.host.write(find);
      expect(await bench.host.take(7)).toBe("06 02 03 FF 0A 30 C6");
      await bench.host.write("06");
      if (kind === "tcp") await bench.host.take(1);
    }
    await bench.ask(`FF01 ${SYS}`);
    bench.emulator.faults.clear();
    await bench.host.write(find);
    expect(await bench.host.take(6)).toMatch(/^06 02 .. FF 0A 00/);
  });

  test("the emulated fault pause lets no byte pass until it is cleared, and the device does what it had heard", async () => {
    await openReceipt();
    bench.addFault({ effect: "pause", when: { afterBytes: close.length, direction: "in" } });
    await bench.host.write(close);
    await bench.host.write("05 05");
    await waitFor("it stands", () => bench.emulator.device.isPaused);
    expect([receipts(), bench.host.left]).toEqual([1, ""]);
    bench.emulator.faults.clear();
    expect(await bench.host.take(RECEIPT_BYTES)).toMatch(/^06 02 10 FF 45 00/);
    // The two ENQ were held back too: each gets the answer again.
    expect(await bench.host.take(2 * RECEIPT_BYTES)).toMatch(/^06 02 10/);
  });

  test("the emulated fault pause loses what a host that died had not sent or not read", async () => {
    await openReceipt();
    bench.addFault({ effect: "pause", when: { afterBytes: close.length - 1, direction: "in" } });
    await bench.host.write(close);
    await waitFor("it stands", () => bench.emulator.device.isPaused);
    await reconnect();
    bench.emulator.faults.clear();
    await bench.host.write("05");
    expect(await bench.host.take(1)).toBe("15");
    expect(receipts()).toBe(0);
  });

  test("the emulated fault pause after n bytes out lets exactly these bytes leave", async () => {
    bench.addFault({ effect: "pause", when: { afterBytes: 4, direction: "out" } });
    await bench.host.write(BEEP);
    expect(await bench.host.take(4)).toBe("06 02 03 13");
    expect(bench.host.left).toBe("");
    bench.emulator.faults.clear();
    expect(await bench.host.take(3)).toBe("00 01 11");
  });

  test("the emulated fault error answers with its number and does nothing, from the k-th time and as often as asked", async () => {
    bench.addFault({ effect: "error", code: 0x37, when: { command: "beep", nth: 2 }, times: 2 });
    const answers: string[] = [];
    for (let time = 0; time < 4; time++) {
      await bench.host.write(BEEP);
      const head = await bench.host.take(3);
      answers.push(await bench.host.take(Number.parseInt(head.slice(6), 16) + 1));
      await bench.host.write("06");
      if (kind === "tcp") await bench.host.take(1);
    }
    expect(answers).toEqual(["13 00 01 11", "13 37 26", "13 37 26", "13 00 01 11"]);
  });

  test("two faults of one command both strike, in the order they were added", async () => {
    bench.addFault({ effect: "late", ms: 50, when: { command: "beep" } });
    bench.addFault({ effect: "corrupt", when: { afterBytes: 6, direction: "out" } });
    await bench.host.write(BEEP);
    expect(await bench.host.take(1)).toBe("06");
    await bench.clock.advance(50);
    expect(await bench.host.take(6)).toBe("02 03 13 00 01 4B");
    expect(bench.emulator.faults.list().map(({ effect, struck, state }) => [effect, struck, state])).toEqual([
      ["late", 1, "spent"],
      ["corrupt", 1, "spent"],
    ]);
  });

  test("a test can wait until a fault of the emulator strikes", async () => {
    bench.addFault({ effect: "drop-answer", when: { command: "beep" } });
    const struck = bench.emulator.faults.struck(({ effect }) => effect === "drop-answer", AbortSignal.timeout(5000));
    await bench.host.write(BEEP);
    expect(await struck).toMatchObject({ effect: "drop-answer", struck: 1 });
    await expect(
      bench.emulator.faults.struck(({ effect }) => effect === "pause", AbortSignal.abort("enough")),
    ).rejects.toBe("enough");
  });
});
