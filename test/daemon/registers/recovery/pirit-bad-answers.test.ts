/**
 * A PIRIT, or its line, answers wrongly for a while: the queue stops with a fault that says why, no wrong answer is
 * believed, and afterwards each order is one document.
 */
import { inPiritTill } from "./pirit-till.js";

type Frame = Uint8Array;
/** Packet id, command code, error and fields of an answer. */
const bodyOf = (frame: Frame) => frame.slice(1, -3);
const idOf = (frame: Frame) => frame[1] ?? 0;
const codeOf = (frame: Frame) => Buffer.from(frame.slice(2, 4)).toString("latin1");

/** The sum is computed as the reference says, without the driver's or the emulator's code. */
function frameOf(id: number, body: Uint8Array): Frame {
  const inner = [id, ...body.slice(1), 0x03];
  const sum = inner.reduce((check, byte) => check ^ byte, 0);
  return Uint8Array.from([0x02, ...inner, ...Buffer.from(sum.toString(16).toUpperCase().padStart(2, "0"), "latin1")]);
}

const NO_ANSWER = /the device is there, but has no answer to the request/;

/** `said`: what the log says of the answer. `before`: the answer before this one. */
type Wrong = readonly [title: string, said: RegExp, answer: (frame: Frame, before: Frame) => Frame];

const wrongs: readonly Wrong[] = [
  ["with a wrong checksum", /damaged frame: checksum/, (frame) => frame.with(-1, frame.at(-1) === 0x30 ? 0x31 : 0x30)],
  [
    "under a foreign packet id",
    NO_ANSWER,
    (frame) => frameOf(idOf(frame) === 0xf0 ? 0x20 : idOf(frame) + 1, bodyOf(frame)),
  ],
  ["with the answer to the command before", NO_ANSWER, (_, before) => before],
  [
    "with the answer to the command before under the right packet id",
    NO_ANSWER,
    (frame, before) => frameOf(idOf(frame), bodyOf(codeOf(frame) === codeOf(before) ? frame : before)),
  ],
  ["with half a frame", /has no answer to the request|damaged frame/, (frame) => frame.slice(0, frame.length / 2)],
  [
    "with fields that cannot be read",
    /is no integer/,
    (frame) => frameOf(idOf(frame), Buffer.concat([bodyOf(frame).slice(0, 3), Buffer.from("0\x30Я\x1c")])),
  ],
];

/** From this command on all answers are wrong: at rest, on the way to the receipt, inside it, at its closing. */
const moments = ["00", "30", "42", "31"] as const;

const cases = moments.flatMap((from) => wrongs.map((wrong) => [from, ...wrong] as const));

test.each(cases)(
  "wrong answers from command %s on, %s, lead to one document for each order of a PIRIT",
  async (from, _title, said, answer) => {
    await inPiritTill(async (till) => {
      let isWrong = false;
      let lasts = true;
      let before: Frame = new Uint8Array();
      till.device.addBehaviour({
        onAnswer(frame) {
          isWrong ||= codeOf(frame) === from;
          const instead = isWrong && lasts ? answer(frame, before) : undefined;
          before = frame;
          return instead;
        },
      });
      const number = till.order();
      const job = () => till.bench.job(number);
      await till.until(() => isWrong);
      const since = till.bench.clock.monotonic();
      await till.until(() => till.bench.clock.monotonic() - since > 300_000);
      // Printed only if the drive itself could be read in between. The checks below show whether that was right.
      expect(["queued", "printing", "unsure", "printed"]).toContain(job().state);
      expect(till.bench.log.join("\n")).toMatch(said);
      const later = till.order();
      lasts = false;
      const [first, second] = [await till.end(number), await till.end(later)];
      expect(first).toEqual({ state: "printed", fault: null, told: first.told, fds: [first.told] });
      expect(second).toEqual({ state: "printed", fault: null, told: second.told, fds: [second.told] });
      expect(till.receipts()).toHaveLength(3);
    });
  },
);

test("the answer that closed an earlier receipt is not believed for the present receipt, although its packet id is right", async () => {
  await inPiritTill(async (till) => {
    let last: Frame | null = null;
    let forged = 0;
    till.device.addBehaviour({
      onAnswer(frame) {
        if (codeOf(frame) !== "31" || bodyOf(frame).length < 20) return undefined;
        const old = last;
        last = frame;
        if (old === null || forged > 0) return undefined;
        forged += 1;
        return frameOf(idOf(frame), bodyOf(old));
      },
    });
    const first = await till.printOne();
    const second = await till.printOne();
    expect(forged).toBe(1);
    expect(second).toEqual({ state: "printed", fault: null, told: second.told, fds: [second.told] });
    expect(second.told).not.toBe(first.told);
    expect(till.receipts()).toHaveLength(3);
  });
});
