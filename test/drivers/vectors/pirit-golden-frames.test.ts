/**
 * Compares every literal frame of the maker's manual with the driver's own commands and link: what the driver writes,
 * byte by byte, and what it reads. (The framing and the emulated register have tests of their own with the same
 * frames.) The table names all frames: a new frame does not compile without its fact.
 */
import { commands } from "@fiscald/drivers/pirit/protocol/commands.js";
import { codeField } from "@fiscald/drivers/pirit/protocol/fields.js";
import { createPacketProtocol, PacketIds } from "@fiscald/drivers/pirit/protocol/packet-protocol.js";
import { kopecks, quantity } from "@fiscald/shared/amounts.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import { toHex } from "./hex.js";
import { bodyOf, piritFrames } from "./pirit-frames.js";

type FrameName = keyof typeof piritFrames;

interface Written {
  readonly name: string;
  readonly payload: Uint8Array;
}

/** The whole frame of a request as the link writes it with this packet id. */
function frameOf(request: Written, id: number): Uint8Array {
  const ids = new PacketIds(0);
  // Ids are used in turn, so the previous frame must have the previous id.
  for (let last = 0x20; last + 1 !== (id === 0x20 ? 0xf1 : id); last += 1) ids.next();
  const protocol = createPacketProtocol({ password: "PIRI", ids, timeouts: { openMs: 1, reactMs: 1, byteGapMs: 1 } });
  const machine = protocol.begin({ ...request, answerMs: 1, repeatable: false, isAnswer: () => true });
  const [frame, ...more] = machine.on({ kind: "begin" }).write ?? [];
  if (frame === undefined || more.length > 0) throw new Error(`${request.name} is not one frame`);
  return frame;
}

const item = commands.item.encode({
  name: "Сахар",
  quantity: quantity(1_000_000),
  price: kopecks(10_000),
  tax: 4,
  section: 0,
  unit: "",
  method: 4,
  subject: 1,
  country: "",
  customs: "",
});

function fieldsOf(frame: Uint8Array): string[] {
  return Buffer.from(bodyOf(frame)).subarray(7).toString("latin1").split("\x1c");
}

const facts: Readonly<Record<FrameName, () => void>> = {
  statusRequest: () => {
    expect(toHex(frameOf(commands.status.encode(null), 0x20))).toBe(toHex(piritFrames.statusRequest));
  },
  // Both forms occur in logs; the driver's form lacks the separator and has no other difference.
  statusRequestWithSeparator: () => {
    const ours = bodyOf(frameOf(commands.status.encode(null), 0x20));
    expect(`${toHex(ours)} 1C`).toBe(toHex(bodyOf(piritFrames.statusRequestWithSeparator)));
  },
  statusAnswer: () => {
    const payload = bodyOf(piritFrames.statusAnswer).slice(1);
    expect(commands.status.decode(payload)).toMatchObject({
      fatal: 0,
      started: true,
      shiftOpen: true,
      document: { type: 0, state: 0 },
    });
  },
  startWorkRequest: () => {
    const request = commands.startWork.encode("2026-01-20T10:15:00" as LocalTime);
    expect(toHex(frameOf(request, 0x21))).toBe(toHex(piritFrames.startWorkRequest));
  },
  openShiftRequest: () => {
    const request = commands.openShift.encode({ operator: "Иванов" });
    expect(toHex(frameOf(request, 0x22))).toBe(toHex(piritFrames.openShiftRequest));
  },
  // The maker's sample ends after the type of the discount and writes its sums without kopecks; the register reads
  // both.
  itemRequest: () => {
    const ours = frameOf(item, 0x2b);
    const head = (frame: Uint8Array) => toHex(frame.slice(0, 8));
    expect(head(ours)).toBe(head(piritFrames.itemRequest));
    const [name, article, count, price, ...rest] = fieldsOf(ours);
    const [sampleName, sampleArticle, sampleCount, samplePrice, ...sampleRest] = fieldsOf(piritFrames.itemRequest);
    expect([name, article, count, Number(price)]).toEqual([
      sampleName,
      sampleArticle,
      sampleCount,
      Number(samplePrice),
    ]);
    expect(price).toBe("100.00");
    expect(sampleRest).toEqual(["4", "", "", "", ""]);
    expect(rest).toEqual(["4", "", "", "", "", "", "4", "1", "", "", ""]);
  },
};

test.each(Object.entries(facts))("the PIRIT driver and the golden frames agree in %s", (_, check) => check());

test("a control character of a marking code is written for PIRIT as the manual says, with $1D for GS", () => {
  const code = Buffer.from("0104\u001d93", "latin1").toString("base64");
  expect(Buffer.from(codeField(code, { dollarInCodes: "refuse" })).toString("latin1")).toBe("0104$1D93");
});
