/** Dialogues with an emulated register, or with its link, as text: `8D OP 00; ITEM 900; PAY 2=901 -> FF 45 4D`. */
import type { FiscalCore } from "@fiscald/emulators/memory/fiscal-core.js";
import type { FakeClock } from "../../support/fake-clock.js";
import { hex, toHex } from "../vectors/hex.js";

export interface Talker {
  /** Sends a command and returns its answer. `wanted` tells a talker on a wire how many bytes to wait for. */
  answerTo(command: string, wanted?: string): string | Promise<string>;
  /** Makes an event happen between two commands, and returns what the device sends then. */
  meet(event: string, wanted?: string): Promise<string>;
}

/**
 * Runs a dialogue. `...` after an answer: only its beginning is compared. `nothing`: no answer. A command without an
 * answer is only sent. Text in brackets is an event: `(86400 seconds later)`. A semicolon or a line end separates the
 * parts.
 */
export async function talk(talker: Talker, dialogue: string): Promise<void> {
  const wanted = dialogue.trim().split(/;?\s*\n\s*|; /);
  const heard: string[] = [];
  for (const line of wanted) {
    const [command = "", answer] = line.split(" -> ");
    const isEvent = command.startsWith("(");
    const said = isEvent ? talker.meet(command.slice(1, -1), answer) : talker.answerTo(command, answer);
    const words = (await said) || "nothing";
    const isSo = answer === undefined || (answer.endsWith("...") && words.startsWith(answer.slice(0, -3)));
    heard.push(isSo ? line : `${command} -> ${words}`);
  }
  expect(heard).toEqual(wanted);
}

/** By title: the dialogue, options of the talker, and an expectation `after` the dialogue. */
export type Dialogues<T extends Talker, Options> = Readonly<
  Record<string, readonly [string, (Options & { readonly after?: (talker: T) => void })?]>
>;

export function testDialogues<T extends Talker, Options>(
  make: (options?: Options) => T,
  dialogues: Dialogues<T, Options>,
): void {
  test.each(Object.entries(dialogues))("%s", async (_title, [dialogue, setting]) => {
    const talker = make(setting);
    await talk(talker, dialogue);
    setting?.after?.(talker);
  });
}

const events: Readonly<Record<string, (core: FiscalCore, amount: number) => unknown>> = {
  "paper out": ({ printer }) => printer.removePaper(),
  "paper out in the next print": ({ printer }) => printer.removePaperInNextPrint(),
  "paper in": ({ printer }) => printer.loadPaper(),
  "cover open": ({ printer }) => printer.setCover(true),
  "cover closed": ({ printer }) => printer.setCover(false),
  "seconds later": (core, seconds) => core.advanceClock(seconds),
};

/** Events of a register: an event of the list, or `10000 ms of printing`. */
export function meetingOf(core: FiscalCore, clock: FakeClock): Talker["meet"] {
  return async (event) => {
    const [, amount = "0", name = ""] = /^(-?\d*) ?(.*)$/.exec(event) ?? [];
    if (name === "ms of printing") await clock.advance(Number(amount));
    else if (events[name] === undefined) throw new Error(`no event: ${event}`);
    else events[name](core, Number(amount));
    return "";
  };
}

/** A device's side of a link: bytes in, bytes out, and the commands that it would carry out. */
interface DeviceLink {
  receive(byte: number): void;
  reconnected(): void;
}

interface LinkParts {
  readonly send: (bytes: Uint8Array) => void;
  readonly execute: (command: Uint8Array, done: (answer: Uint8Array | null) => void) => void;
}

/**
 * A link that talks in hex. Its events: `answer FC 37` and `no answer` to the present command, `99 ms later`, `another
 * host`.
 */
export function linkTalker(clock: FakeClock, create: (parts: LinkParts) => DeviceLink) {
  const sent: string[] = [];
  const executed: string[] = [];
  const atWork: ((answer: Uint8Array | null) => void)[] = [];
  const link = create({
    send: (bytes) => sent.push(toHex(bytes)),
    execute: (command, done) => {
      executed.push(toHex(command));
      atWork.push(done);
    },
  });
  const said = () => sent.splice(0).join(" | ");
  const hear = (bytes: Uint8Array) => {
    for (const byte of bytes) link.receive(byte);
    return said();
  };
  const answer = (data: Uint8Array | null) => {
    atWork.shift()?.(data);
    return said();
  };
  return {
    ...{ executed, clock, hear, answer },
    answerTo: (command: string) => hear(hex(command)),
    async meet(event: string) {
      const [, ms] = /^(\d+) ms later$/.exec(event) ?? [];
      if (ms !== undefined) await clock.advance(Number(ms));
      else if (event === "another host") link.reconnected();
      else return answer(event === "no answer" ? null : hex(event.replace("answer ", "")));
      return said();
    },
  };
}
