import type { FaultInput } from "@fiscald/emulators/faults/fault-spec.js";
import { type Emulator, openEmulator } from "@fiscald/emulators/open-emulator.js";
import { createFakeClock, type FakeClock } from "../../../support/fake-clock.js";
import { waitFor } from "../../../support/wait-for.js";
import { hex } from "../../vectors/hex.js";
import { connectHost, frame, type Host, type WireKind } from "../host.js";
import { closeCommand, itemCommand, le, OP, SYS } from "../shtrih/make-shtrih.js";

const BEEP = frame(`13 ${OP}`);
const BEEP_ANSWER = "02 03 13 00 01 11";
/** The beginning of a close's answer behind its ACK, and how long the two are. */
const CLOSED = /^06 02 10 FF 45 00/;
const CLOSED_BYTES = 1 + 19;
const close = frame(closeCommand({ 1: 1500 }));

/** What a document is closed with, and where in the bytes a fault waits. */
const atClose = { command: "close-receipt" } as const;
const atBeep = { command: "beep" } as const;
const out = (afterBytes: number) => ({ afterBytes, direction: "out" }) as const;
const into = (afterBytes: number) => ({ afterBytes, direction: "in" }) as const;

describe.each<WireKind>(["loopback", "tcp"])("faults over %s", (kind) => {
  let clock: FakeClock;
  let emulator: Emulator;
  let host: Host;

  beforeEach(async () => {
    clock = createFakeClock();
    const listen = kind === "tcp" ? { listen: "tcp:127.0.0.1:0" } : {};
    emulator = await openEmulator({ maker: "shtrih", clock, ...listen });
    host = await connectHost(emulator, kind);
  });

  afterEach(async () => {
    await host.close();
    await emulator.close();
  });

  const addFault = (fault: FaultInput) => void emulator.faults.add(fault);
  const receipts = () => emulator.core.documents.filter(({ type }) => type === "receipt").length;

  /** Writes, and expects these bytes: `""` = none so far. */
  async function says(bytes: Uint8Array | string, answer: string): Promise<void> {
    await host.write(bytes);
    await hears(answer);
  }
  async function hears(answer: string): Promise<void> {
    if (answer === "") expect(host.left).toBe("");
    else expect(await host.take(hex(answer).length)).toBe(answer);
  }
  async function hearsClosed(bytes: Uint8Array | string = ""): Promise<void> {
    await host.write(bytes);
    expect(await host.take(CLOSED_BYTES)).toMatch(CLOSED);
  }
  /** A command and its whole answer, acknowledged. */
  async function ask(command: string): Promise<string> {
    await host.write(frame(command));
    // ACK, STX and length tell how much more there is.
    const head = await host.take(3);
    const answer = await host.take(Number.parseInt(head.slice(6), 16) + 1);
    await acknowledge();
    return answer;
  }
  async function acknowledge(): Promise<void> {
    await host.write("06");
    if (kind === "tcp") await host.take(1);
  }
  /** A receipt that waits for its close, with this fault ahead. */
  async function openReceipt(fault?: FaultInput): Promise<void> {
    await ask(`8D ${OP} 00`);
    await ask(itemCommand({ price: 1500 }));
    if (fault !== undefined) addFault(fault);
  }
  async function reconnect(): Promise<void> {
    await host.close();
    await waitFor("the emulator has noticed", () => !emulator.device.connected);
    host = await connectHost(emulator, kind);
  }

  test("the emulated fault `silent` hears and says nothing until it is cleared, and keeps the connection", async () => {
    addFault({ effect: "silent", when: "now" });
    await host.write("05 05");
    const heard = () => emulator.device.wire.last(10).map(({ direction, hex: bytes }) => `${direction} ${bytes}`);
    await waitFor("the bytes have come", () => heard().join() === "in 0505");
    emulator.faults.clear();
    await says(BEEP, `06 ${BEEP_ANSWER}`);
    expect(host.isOpen).toBe(true);
  });

  test("the emulated fault `silent` for a command leaves the command undone and unanswered, and the next one is answered", async () => {
    await openReceipt({ effect: "silent", when: atClose });
    await says(close, "06");
    await says("05", "15");
    expect(receipts()).toBe(0);
    await hearsClosed(close);
  });

  test("the emulated fault `late` executes a command at once and answers later, with a wait byte for ENQ meanwhile", async () => {
    await openReceipt({ effect: "late", ms: 5000, when: { command: "FF45" } });
    await says(close, "06");
    expect(receipts()).toBe(1);
    await says("05", "06");
    await clock.advance(4999);
    await hears("");
    await clock.advance(1);
    expect(await host.take(19)).toMatch(/^02 10 FF 45 00/);
  });

  test("the emulated fault `late` after n bytes out stops the wire in the middle of an answer", async () => {
    addFault({ effect: "late", ms: 700, when: out(3) });
    await says(BEEP, "06 02 03");
    await clock.advance(699);
    await hears("");
    await clock.advance(1);
    await hears("13 00 01 11");
  });

  test("the emulated fault `corrupt` makes the answer's last byte wrong once, and the repeated answer is right", async () => {
    addFault({ effect: "corrupt", when: atBeep });
    await says(BEEP, "06 02 03 13 00 01 4B");
    await says("15 05", `06 ${BEEP_ANSWER}`);
  });

  test("the emulated fault `corrupt` after n bytes makes the next byte wrong, in either direction", async () => {
    addFault({ effect: "corrupt", when: out(2) });
    await says(BEEP, "06 02 59 13 00 01 11");
    await acknowledge();
    emulator.faults.clear();
    addFault({ effect: "corrupt", when: into(3) });
    await says(BEEP, "15");
  });

  test("the emulated fault `noise` comes before the answer, or at its place in either direction", async () => {
    addFault({ effect: "noise", hex: "0102ff", when: atBeep });
    await says(BEEP, `06 01 02 FF ${BEEP_ANSWER}`);
    await acknowledge();
    addFault({ effect: "noise", hex: "aabb", when: out(4) });
    await says(BEEP, "06 02 03 13 AA BB 00 01 11");
    await acknowledge();
    addFault({ effect: "noise", hex: "00", when: into(0) });
    await says("05", "15 15");
  });

  test("the emulated fault `unplug` executes the command, refuses hosts until time is up, and keeps the answer", async () => {
    await openReceipt({ effect: "unplug", ms: 3000, when: atClose });
    await says(close, "06");
    await host.closed;
    expect([receipts(), host.left]).toEqual([1, ""]);
    if (kind === "loopback")
      await expect(connectHost(emulator, kind)).rejects.toMatchObject({ code: "link.not-found" });
    else {
      // The reset may be there before the connection is, or after it.
      await connectHost(emulator, kind).then(
        (refused) => refused.closed,
        (error: unknown) => expect(error).toMatchObject({ code: "ECONNRESET" }),
      );
    }
    await clock.advance(3000);
    host = await connectHost(emulator, kind);
    await hearsClosed("05");
  });

  test("an emulator with two outages is back when the later one has ended", async () => {
    addFault({ effect: "unplug", ms: 1000 });
    await host.closed;
    addFault({ effect: "power-cut", ms: 5000 });
    await clock.advance(4999);
    expect(emulator.device.isPlugged).toBe(false);
    await clock.advance(1);
    expect(emulator.device.isPlugged).toBe(true);
  });

  test("the emulated fault `power-cut` for a command signs the document and forgets the answer", async () => {
    await openReceipt({ effect: "power-cut", ms: 3000, when: atClose });
    await says(close, "06");
    await host.closed;
    await hears("");
    await clock.advance(3000);
    host = await connectHost(emulator, kind);
    await says("05", "15");
    expect(receipts()).toBe(1);
  });

  test("the emulated fault `paper-out` for a command signs the document and stops its print until paper is loaded", async () => {
    await openReceipt({ effect: "paper-out", when: atClose });
    await hearsClosed(close);
    const { printer } = emulator.core;
    expect([printer.status, printer.paperPresent]).toEqual(["halted", false]);
    emulator.faults.clear();
    expect([printer.status, printer.paperPresent]).toEqual(["halted", true]);
  });

  test("the emulated faults `paper-out` and `cover-open` that are set now refuse a close before anything is signed", async () => {
    await openReceipt({ effect: "paper-out", when: "now" });
    addFault({ effect: "cover-open", when: "now" });
    await says(close, "06 02 03 FF 45 6B D2");
    emulator.faults.clear();
    expect(emulator.core.printer.coverOpen).toBe(false);
    await acknowledge();
    await hearsClosed(close);
  });

  test("the emulated fault `drop-answer` executes the command, loses the answer on the wire, and sends it when asked again", async () => {
    await openReceipt({ effect: "drop-answer", when: atClose });
    await says(close, "06");
    await waitFor("the answer was dropped", () => emulator.faults.list()[0]?.struck === 1);
    expect(receipts()).toBe(1);
    await hears("");
    await hearsClosed("05");
  });

  test("the emulated fault `drop-answer` after n bytes out loses the rest of the answer and nothing after that", async () => {
    addFault({ effect: "drop-answer", when: out(3) });
    await says(BEEP, "06 02 03");
    await says("05", `06 ${BEEP_ANSWER}`);
  });

  test("the emulated fault `drop-answer` for two times loses the answer twice, and the third answer is heard", async () => {
    addFault({ effect: "drop-answer", times: 2 });
    await host.write(BEEP);
    await says("05 05", `06 06 06 ${BEEP_ANSWER}`);
  });

  test("the emulated fault `stale-answer` executes the command and sends the previous answer again", async () => {
    await openReceipt({ effect: "stale-answer", when: atClose });
    await says(close, "06 02 03 FF 46 00 BA");
    expect(receipts()).toBe(1);
  });

  test("the emulated fault `late-execution` accepts a command, is busy for all hosts, and executes the command in the end", async () => {
    await openReceipt({ effect: "late-execution", ms: 60_000, when: atClose });
    await says(close, "06");
    await reconnect();
    await says("05", "06");
    // A status request out of turn is not even looked at.
    await host.write(frame(`10 ${OP}`));
    await clock.advance(59_999);
    expect([receipts(), host.left]).toEqual([0, ""]);
    await clock.advance(1);
    expect(receipts()).toBe(1);
    expect(await host.take(19)).toMatch(/^02 10 FF 45 00/);
  });

  test("a power cut ends a late execution before it begins, and nothing is registered", async () => {
    await openReceipt({ effect: "late-execution", ms: 60_000, when: atClose });
    await says(close, "06");
    addFault({ effect: "power-cut", ms: 0, when: "now" });
    await host.closed;
    await clock.advance(60_000);
    expect(receipts()).toBe(0);
  });

  test("the emulated fault `documents-unreadable` refuses only the reading of documents, until it is cleared", async () => {
    const find = `FF0A ${SYS} ${le(1, 4)}`;
    addFault({ effect: "documents-unreadable" });
    for (const _time of [1, 2]) expect(await ask(find)).toBe("FF 0A 30 C6");
    expect(await ask(`FF01 ${SYS}`)).toMatch(/^FF 01 00/);
    emulator.faults.clear();
    expect(await ask(find)).toMatch(/^FF 0A 00/);
  });

  test("the emulated fault `pause` lets no byte pass until it is cleared, and the device executes what it had heard", async () => {
    await openReceipt({ effect: "pause", when: into(close.length) });
    await host.write(close);
    await host.write("05 05");
    await waitFor("it stands", () => emulator.device.isPaused);
    expect([receipts(), host.left]).toEqual([1, ""]);
    emulator.faults.clear();
    await hearsClosed();
    // The two ENQ were held back too: each gets the answer again.
    expect(await host.take(2 * CLOSED_BYTES)).toMatch(/^06 02 10/);
  });

  test("the emulated fault `pause` loses what a dead host had not sent or not read", async () => {
    await openReceipt({ effect: "pause", when: into(close.length - 1) });
    await host.write(close);
    await waitFor("it stands", () => emulator.device.isPaused);
    await reconnect();
    emulator.faults.clear();
    await says("05", "15");
    expect(receipts()).toBe(0);
  });

  test("the emulated fault `pause` after n bytes out lets exactly these bytes leave", async () => {
    addFault({ effect: "pause", when: out(4) });
    await says(BEEP, "06 02 03 13");
    await hears("");
    emulator.faults.clear();
    await hears("00 01 11");
  });

  test("the emulated fault `error` answers with its number and executes nothing, from the k-th time and as often as asked", async () => {
    addFault({ effect: "error", code: 0x37, when: { command: "beep", nth: 2 }, times: 2 });
    const answers: string[] = [];
    for (let time = 0; time < 4; time++) answers.push(await ask(`13 ${OP}`));
    expect(answers).toEqual(["13 00 01 11", "13 37 26", "13 37 26", "13 00 01 11"]);
  });

  test("two faults of one command both act, in the sequence in which they were added", async () => {
    addFault({ effect: "late", ms: 50, when: atBeep });
    addFault({ effect: "corrupt", when: out(6) });
    await says(BEEP, "06");
    await clock.advance(50);
    await hears("02 03 13 00 01 4B");
    expect(emulator.faults.list().map(({ effect, struck, state }) => [effect, struck, state])).toEqual([
      ["late", 1, "spent"],
      ["corrupt", 1, "spent"],
    ]);
  });

  test("a test can wait until a fault of the emulator acts", async () => {
    addFault({ effect: "drop-answer", when: atBeep });
    const struck = emulator.faults.struck(({ effect }) => effect === "drop-answer", AbortSignal.timeout(5000));
    await host.write(BEEP);
    expect(await struck).toMatchObject({ effect: "drop-answer", struck: 1 });
    const never = emulator.faults.struck(({ effect }) => effect === "pause", AbortSignal.abort("enough"));
    await expect(never).rejects.toBe("enough");
  });
});
