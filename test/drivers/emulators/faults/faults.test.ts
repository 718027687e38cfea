/** Faults of an emulator: dialogues of a host with an emulated Shtrih-M, in one process and over TCP. */
import type { FaultInput } from "@fiscald/emulators/faults/fault-spec.js";
import { type Emulator, openEmulator } from "@fiscald/emulators/open-emulator.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { waitFor } from "../../../support/wait-for.js";
import { hex } from "../../vectors/hex.js";
import { type Talker, talk } from "../dialogue.js";
import { connectHost, frame, type WireKind } from "../host.js";
import { closeCommand, itemCommand, le, OP, SYS } from "../shtrih/make-shtrih.js";

const commands: Readonly<Record<string, string>> = {
  BEEP: `13 ${OP}`,
  STATUS: `10 ${OP}`,
  OPEN: `8D ${OP} 00`,
  ITEM: itemCommand({ price: 1500 }),
  CLOSE: closeCommand({ 1: 1500 }),
  FIND: `FF0A ${SYS} ${le(1, 4)}`,
  DRIVE: `FF01 ${SYS}`,
};
const closeBytes = frame(closeCommand({ 1: 1500 })).length;

/** Commands at which a fault waits. */
const atClose = { command: "close-receipt" } as const;
const atBeep = { command: "beep" } as const;
const out = (afterBytes: number) => ({ afterBytes, direction: "out" }) as const;
const into = (afterBytes: number) => ({ afterBytes, direction: "in" }) as const;

/** Facts that a dialogue can look at. */
const looks: Readonly<Record<string, (emulator: Emulator) => unknown>> = {
  receipts: ({ core }) => core.documents.filter(({ type }) => type === "receipt").length,
  paper: ({ core: { printer } }) => `${printer.status}, ${printer.paperPresent ? "present" : "out"}`,
  cover: ({ core: { printer } }) => (printer.coverOpen ? "open" : "closed"),
  cable: ({ device }) => (device.isPlugged ? "in" : "out"),
  faults: ({ faults }) =>
    faults
      .list()
      .map(({ effect, struck, state }) => `${effect} ${struck} ${state}`)
      .join(", "),
};

/** Conditions that a dialogue can wait for. */
const waits: Readonly<Record<string, (emulator: Emulator) => unknown>> = {
  "05 05 has come": ({ device: { wire } }) =>
    wire
      .last(10)
      .map(({ direction, hex: bytes }) => `${direction} ${bytes}`)
      .join() === "in 0505",
  "the device stands": ({ device }) => device.isPaused,
  "the fault has acted": ({ faults }) => faults.list()[0]?.struck === 1,
};

/** A host: `CLOSE` sends this command, `05` these bytes; the answer is all that comes. `ask` also acknowledges it. */
async function openTalker(kind: WireKind, ahead: readonly FaultInput[]) {
  const clock = createFakeClock();
  const listen = kind === "tcp" ? { listen: "tcp:127.0.0.1:0" } : {};
  const emulator = await openEmulator({ maker: "shtrih", clock, ...listen });
  let host = await connectHost(emulator, kind);
  const next = [...ahead];

  /** As many bytes as are wanted; where only the beginning is named, the whole answer, by its length. */
  async function hear(wanted = "nothing"): Promise<string> {
    if (wanted === "nothing") return host.left;
    const bytes = hex(wanted.replace("...", ""));
    const stx = bytes.indexOf(2);
    return host.take(wanted.endsWith("...") ? stx + 3 + (bytes[stx + 1] ?? 0) : bytes.length);
  }
  async function acknowledge(): Promise<void> {
    await host.write("06");
    if (kind === "tcp") await host.take(1);
  }
  async function ask(command: string): Promise<string> {
    await host.write(frame(command));
    // ACK, STX and length tell how many more bytes there are.
    const [, , length = 0] = hex(await host.take(3));
    const answer = await host.take(length + 1);
    await acknowledge();
    return answer;
  }
  async function connect(): Promise<void> {
    host = await connectHost(emulator, kind);
  }
  async function expectRefused(): Promise<void> {
    const attempt = connectHost(emulator, kind);
    if (kind === "loopback") return expect(attempt).rejects.toMatchObject({ code: "link.not-found" });
    // The reset may come before the connection is open, or after.
    await attempt.then(
      (refused) => refused.closed,
      (error: unknown) => expect(error).toMatchObject({ code: "ECONNRESET" }),
    );
  }
  const events: Readonly<Record<string, () => unknown>> = {
    receipt: async () => {
      for (const name of ["OPEN", "ITEM"]) await ask(commands[name] ?? "");
    },
    fault: () => {
      const fault = next.shift();
      if (fault !== undefined) emulator.faults.add(fault);
    },
    cleared: () => emulator.faults.clear(),
    acknowledged: acknowledge,
    "cut off": () => host.closed,
    "no host gets through": expectRefused,
    "a host connects": connect,
    "another host": async () => {
      await host.close();
      await waitFor("the emulator has noticed", () => !emulator.device.connected);
      await connect();
    },
  };
  const talker: Talker = {
    async answerTo(command, wanted) {
      const [, asked, name = ""] = /^(ask )?(.*)$/.exec(command) ?? [];
      const known = commands[name];
      if (asked !== undefined) return ask(known ?? name);
      await host.write(known === undefined ? name : frame(known));
      return hear(wanted);
    },
    async meet(event, wanted) {
      const [, ms] = /^(\d+) ms later$/.exec(event) ?? [];
      const [look, condition, act] = [looks[event], waits[event], events[event]];
      if (event === "hears") return hear(wanted);
      if (event === "host") return host.isOpen ? "connected" : "cut off";
      if (look !== undefined) return String(look(emulator));
      if (condition !== undefined) await waitFor(event, () => condition(emulator));
      else if (ms !== undefined) await clock.advance(Number(ms));
      else if (act === undefined) throw new Error(`no event: ${event}`);
      else await act();
      return "";
    },
  };
  const close = async () => {
    await host.close();
    await emulator.close();
  };
  return { ...talker, emulator, close };
}

const beeped = "02 03 13 00 01 11";
const closed = "02 10 FF 45 00...";

/** The dialogue, and the faults that each `(fault)` in it sets, one after the other. */
const dialogues: Readonly<Record<string, readonly [string, ...FaultInput[]]>> = {
  "the emulated fault `silent` keeps the connection and answers nothing until it is cleared": [
    `(fault); 05 05; (05 05 has come); (hears) -> nothing; (cleared); BEEP -> 06 ${beeped}; (host) -> connected`,
    { effect: "silent", when: "now" },
  ],
  "the emulated fault `silent` for a command leaves this command undone and unanswered, and the next one is answered": [
    `(receipt); (fault); CLOSE -> 06; 05 -> 15; (receipts) -> 0; CLOSE -> 06 ${closed}`,
    { effect: "silent", when: atClose },
  ],
  "the emulated fault `late` carries a command out at once, answers later, and answers ENQ meanwhile": [
    `(receipt); (fault); CLOSE -> 06; (receipts) -> 1; 05 -> 06
     (4999 ms later); (hears) -> nothing; (1 ms later); (hears) -> ${closed}`,
    { effect: "late", ms: 5000, when: { command: "FF45" } },
  ],
  "the emulated fault `late` after n sent bytes stops the wire in the middle of an answer": [
    "(fault); BEEP -> 06 02 03; (699 ms later); (hears) -> nothing; (1 ms later); (hears) -> 13 00 01 11",
    { effect: "late", ms: 700, when: out(3) },
  ],
  "the emulated fault `corrupt` makes the answer's last byte wrong once, and the repeated answer is right": [
    `(fault); BEEP -> 06 02 03 13 00 01 4B; 15 05 -> 06 ${beeped}`,
    { effect: "corrupt", when: atBeep },
  ],
  "the emulated fault `corrupt` after n bytes makes the next byte wrong, in either direction": [
    "(fault); BEEP -> 06 02 59 13 00 01 11; (acknowledged); (cleared); (fault); BEEP -> 15",
    { effect: "corrupt", when: out(2) },
    { effect: "corrupt", when: into(3) },
  ],
  "the emulated fault `noise` comes before the answer, or at its place in either direction": [
    `(fault); BEEP -> 06 01 02 FF ${beeped}; (acknowledged)
     (fault); BEEP -> 06 02 03 13 AA BB 00 01 11; (acknowledged); (fault); 05 -> 15 15`,
    { effect: "noise", hex: "0102ff", when: atBeep },
    { effect: "noise", hex: "aabb", when: out(4) },
    { effect: "noise", hex: "00", when: into(0) },
  ],
  "the emulated fault `unplug` carries the command out, refuses hosts for its time, and keeps the answer": [
    `(receipt); (fault); CLOSE -> 06; (cut off); (receipts) -> 1; (hears) -> nothing; (no host gets through)
     (3000 ms later); (a host connects); 05 -> 06 ${closed}`,
    { effect: "unplug", ms: 3000, when: atClose },
  ],
  "an emulator with two outages is connected again when the later outage is over": [
    "(fault); (cut off); (fault); (4999 ms later); (cable) -> out; (1 ms later); (cable) -> in",
    { effect: "unplug", ms: 1000 },
    { effect: "power-cut", ms: 5000 },
  ],
  "the emulated fault `power-cut` for a command signs the document and forgets the answer": [
    `(receipt); (fault); CLOSE -> 06; (cut off); (hears) -> nothing
     (3000 ms later); (a host connects); 05 -> 15; (receipts) -> 1`,
    { effect: "power-cut", ms: 3000, when: atClose },
  ],
  "the emulated fault `paper-out` for a command signs the document and stops its print until paper is loaded": [
    `(receipt); (fault); CLOSE -> 06 ${closed}; (paper) -> halted, out; (cleared); (paper) -> halted, present`,
    { effect: "paper-out", when: atClose },
  ],
  "the emulated faults `paper-out` and `cover-open` that are set now refuse a close before anything is signed": [
    `(receipt); (fault); (fault); CLOSE -> 06 02 03 FF 45 6B D2
     (cleared); (cover) -> closed; (acknowledged); CLOSE -> 06 ${closed}`,
    { effect: "paper-out", when: "now" },
    { effect: "cover-open", when: "now" },
  ],
  "the emulated fault `drop-answer` carries the command out, loses the answer, and sends it when the host asks again": [
    `(receipt); (fault); CLOSE -> 06; (the fault has acted); (receipts) -> 1; (hears) -> nothing; 05 -> 06 ${closed}`,
    { effect: "drop-answer", when: atClose },
  ],
  "the emulated fault `drop-answer` after n sent bytes loses the rest of the answer and nothing after that": [
    `(fault); BEEP -> 06 02 03; 05 -> 06 ${beeped}`,
    { effect: "drop-answer", when: out(3) },
  ],
  "the emulated fault `drop-answer` with two times loses the answer twice, and the third answer arrives": [
    `(fault); BEEP; 05 05 -> 06 06 06 ${beeped}`,
    { effect: "drop-answer", times: 2 },
  ],
  "the emulated fault `stale-answer` carries the command out and sends the previous answer again": [
    "(receipt); (fault); CLOSE -> 06 02 03 FF 46 00 BA; (receipts) -> 1",
    { effect: "stale-answer", when: atClose },
  ],
  // A status request out of turn is ignored.
  "the emulated fault `late-execution` accepts a command, is busy for all hosts, and carries the command out later": [
    `(receipt); (fault); CLOSE -> 06; (another host); 05 -> 06; STATUS; (59999 ms later); (receipts) -> 0
     (hears) -> nothing; (1 ms later); (receipts) -> 1; (hears) -> ${closed}`,
    { effect: "late-execution", ms: 60_000, when: atClose },
  ],
  "a power cut prevents a late execution that has not begun, and nothing is registered": [
    "(receipt); (fault); CLOSE -> 06; (fault); (cut off); (60000 ms later); (receipts) -> 0",
    { effect: "late-execution", ms: 60_000, when: atClose },
    { effect: "power-cut", ms: 0, when: "now" },
  ],
  "the emulated fault `documents-unreadable` refuses only the reading of documents, until it is cleared": [
    `(fault); ask FIND -> FF 0A 30 C6; ask FIND -> FF 0A 30 C6; ask DRIVE -> FF 01 00...
     (cleared); ask FIND -> FF 0A 00...`,
    { effect: "documents-unreadable" },
  ],
  // The two ENQ are held back too: each gets the answer again.
  "the emulated fault `pause` stops all bytes until it is cleared, and the device carries out the commands it had received":
    [
      `(receipt); (fault); CLOSE; 05 05; (the device stands); (receipts) -> 1; (hears) -> nothing
     (cleared); (hears) -> 06 ${closed}; (hears) -> 06 ${closed}; (hears) -> 06 ${closed}`,
      { effect: "pause", when: into(closeBytes) },
    ],
  "the emulated fault `pause` loses the bytes that a host which has gone had not sent or not read": [
    "(receipt); (fault); CLOSE; (the device stands); (another host); (cleared); 05 -> 15; (receipts) -> 0",
    { effect: "pause", when: into(closeBytes - 1) },
  ],
  "the emulated fault `pause` after n sent bytes lets exactly these bytes pass": [
    "(fault); BEEP -> 06 02 03 13; (hears) -> nothing; (cleared); (hears) -> 00 01 11",
    { effect: "pause", when: out(4) },
  ],
  "the emulated fault `error` answers with its number and carries nothing out, from the k-th time on and as often as set":
    [
      `(fault); ask BEEP -> 13 00 01 11; ask BEEP -> 13 37 26
     ask BEEP -> 13 37 26; ask BEEP -> 13 00 01 11`,
      { effect: "error", code: 0x37, when: { command: "beep", nth: 2 }, times: 2 },
    ],
  "two faults of one command both act, in the sequence in which they were added": [
    `(fault); (fault); BEEP -> 06; (50 ms later); (hears) -> 02 03 13 00 01 4B
     (faults) -> late 1 spent, corrupt 1 spent`,
    { effect: "late", ms: 50, when: atBeep },
    { effect: "corrupt", when: out(6) },
  ],
};

describe.each<WireKind>(["loopback", "tcp"])("faults over %s", (kind) => {
  let talker: Awaited<ReturnType<typeof openTalker>>;
  afterEach(() => talker.close());

  test.each(Object.entries(dialogues))("%s", async (_title, [dialogue, ...faults]) => {
    talker = await openTalker(kind, faults);
    await talk(talker, dialogue);
  });
});
