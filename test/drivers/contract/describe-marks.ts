import { kopecks } from "@fiscald/shared/amounts.js";
import type { Skip } from "../skips.js";
import { item, sale } from "./receipts.js";
import type { ContractSubject } from "./subject.js";
import { inWorld } from "./world.js";

/** Keywords of `drivers/emulators/memory/marking-codes.ts`, the code's tag 2106, and whether there is a warning. */
const sold: readonly (readonly [title: string, words: string, result: number, warns: boolean])[] = [
  ["both checks accept", "GOOD", 0b1111, false],
  ["the drive cannot check and the marking system accepts", "NOKEY", 0b1100, false],
  ["the drive accepts and the marking system was not asked about", "OFFLINE", 0b0011, true],
  ["neither check could be made for", "NOKEY OFFLINE", 0, true],
];
const refused: readonly (readonly [title: string, words: string])[] = [
  ["both checks refuse", "REJECT"],
  ["the drive refuses and the marking system was not asked about", "REJECT OFFLINE"],
  ["the marking system alone refuses", "RECALL"],
  ["the drive cannot check and the marking system refuses", "NOKEY RECALL"],
];

/** A code that a check refuses is not sold; a code that could not be checked is sold with a warning. */
export function describeMarks(subject: ContractSubject, lacks: readonly Skip[]): void {
  if (lacks.some(({ feature }) => feature === "marking")) return;
  test.each(sold)(
    "a marking code that %s is sold with the code and the outcome of its check",
    (_title, words, result, warns) =>
      inWorld(subject, async (world) => {
        expect(await world.print(marked(words))).toMatchObject({
          kind: "printed",
          warnings: warns ? [{ code: "device.marking-unavailable" }] : [],
        });
        const [line] = world.lastReceipt.lines;
        expect(line?.mark).toBe(code(words).toString("hex"));
        expect(line?.tags).toContainEqual({ tag: 2106, number: result });
      }),
  );

  test.each(refused)(
    "a marking code that %s is not sold and leaves nothing open, and the next receipt is printed",
    (_title, words) =>
      inWorld(subject, async (world) => {
        await world.openShift();
        const { lastFd } = world.register.core;
        expect(await world.print(marked("GOOD", words))).toMatchObject({
          kind: "not-printed",
          fault: { code: "device.marking-refused" },
        });
        expect([world.register.core.lastFd, world.register.core.receipt]).toEqual([lastFd, null]);
        expect((await world.print(marked("GOOD"))).kind).toBe("printed");
        expect(world.receipts).toHaveLength(1);
      }),
  );

  test.each(unparsed)("a marking code that the register cannot parse, a %s, is not sold", (_title, text) =>
    inWorld(subject, async (world) => {
      await world.openShift();
      expect(await world.print(markedAs([Buffer.from(text, "latin1")]))).toMatchObject({
        kind: "not-printed",
        fault: { code: expect.stringMatching(/^device\.marking-(unparsed|refused)$/) },
      });
      expect([world.receipts.length, world.register.core.receipt]).toEqual([0, null]);
    }),
  );
}

/** Codes as sites distort them on the way to the register. */
const unparsed: readonly (readonly [title: string, code: string])[] = [
  ["bar code of the good", "4601234567893"],
  ["code in brackets", "(01)04601234567893(21)5abc"],
  ["code whose GS is written out", "0104601234567893215abcdefghijkl\\u001d93dGVz"],
  ["code with a line end", "0104601234567893215abc\u001d93dGVz\r\n"],
  ["code of other letters", "0104601234567893ABC"],
  ["code as base64 of base64", "MDEwNDYwMTIzNDU2Nzg5MzIxNWFiYx05M2RHVno="],
];

function code(words: string): Buffer {
  return Buffer.from(`0104601234567893215 ${words}\u001d93dGVz`, "latin1");
}

function marked(...words: readonly string[]) {
  return markedAs(words.map(code));
}

function markedAs(codes: readonly Buffer[]) {
  const lines = codes.map((bytes, at) =>
    item({ name: `Товар ${at + 1}`, subject: 33, markingCode: bytes.toString("base64") }),
  );
  const sum = lines.reduce((total, { total: line }) => total + line, 0);
  return sale({ lines, payments: [{ typeClose: 1, sum: kopecks(sum) }] });
}
