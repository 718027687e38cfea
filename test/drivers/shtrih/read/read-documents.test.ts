import { byteTag, containerTag, encodeTlv, stringTag } from "@fiscald/drivers/codec/tlv.js";
import { documentsSince } from "@fiscald/drivers/shtrih/read/read-documents.js";
import { hex } from "../../vectors/hex.js";
import { talkTo } from "../scripted-device.js";

const signal = new AbortController().signal;
const u32 = (value: number) => [value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, (value >> 24) & 0xff];

const status = Uint8Array.of(
  0xff,
  0x01,
  0,
  3,
  0,
  0,
  1,
  0,
  26,
  11,
  20,
  14,
  5,
  ...Buffer.from("9999078900000001"),
  ...u32(7),
);
/** Document 7: a sale of 100.00, 20.11.2026 14:05. */
const header = (fd = 7) =>
  Uint8Array.of(0xff, 0x0a, 0, 3, 0, 26, 11, 20, 14, 5, ...u32(fd), ...u32(606_787_182), 1, 0x10, 0x27, 0, 0, 0);

const item = (sum: number) =>
  containerTag(1059, [
    stringTag(1030, "Чай", 128),
    encodeTlv(1079, u32(sum)),
    encodeTlv(1023, [0, 1]),
    encodeTlv(1043, u32(sum)),
  ]);
const fdTag = encodeTlv(1040, u32(7));
const receiptTag = encodeTlv(1042, u32(3));
const shiftTag = encodeTlv(1038, u32(2));
const markTag = containerTag(1084, [stringTag(1085, "Заказ", 64), stringTag(1086, "A-1 0badcafe", 256)]);
const whole = [fdTag, shiftTag, receiptTag, stringTag(1008, "a@b.ru", 64), markTag, item(4_000), item(6_000)];

interface Script {
  readonly pieces?: readonly Uint8Array[];
  /** The error that ends the pieces before their announced length. */
  readonly end?: number;
  readonly announced?: number;
  readonly header?: Uint8Array;
  /** How often FF3Ah is refused first. */
  readonly refusals?: number;
}

async function read({ pieces = whole, end = 0x08, announced, header: told = header(), refusals = 0 }: Script = {}) {
  let next = 0;
  let refused = 0;
  const length = announced ?? pieces.reduce((sum, piece) => sum + piece.length, 0);
  const talk = await talkTo((request) => {
    const code = request.slice(0, 5);
    if (code === "FF 01") return status;
    if (code === "FF 0A") return told;
    if (code === "FF 3A") {
      refused += 1;
      next = 0;
      return refused <= refusals ? hex("FF 3A 73") : Uint8Array.of(0xff, 0x3a, 0, 3, 0, length & 0xff, length >> 8);
    }
    if (code === "FF 3B") {
      const piece = pieces[next];
      next += 1;
      return piece === undefined ? Uint8Array.of(0xff, 0x3b, end) : Uint8Array.of(0xff, 0x3b, 0, ...piece);
    }
    return hex("10 00 1E 92 02 02 00 00 A1 DE 01 C0 00 1D 08 00");
  });
  const [document] = await documentsSince(talk, 6, signal);
  return document;
}

describe("a document of a Shtrih-M's drive", () => {
  test("a document of a Shtrih-M's drive is reported with its lines, order mark and numbers", async () => {
    expect(await read()).toEqual({
      fd: 7,
      type: "receipt",
      operation: "sale",
      total: 10_000,
      fiscalSign: "0606787182",
      time: "2026-11-20T14:05:00",
      shift: 2,
      receiptNumber: 3,
      mark: "A-1 0badcafe",
      body: "full",
      items: [
        { name: "Чай", price: 4_000, quantity: 1_000_000, sum: 4_000 },
        { name: "Чай", price: 6_000, quantity: 1_000_000, sum: 6_000 },
      ],
      contact: "a@b.ru",
      tags: {
        head: { 1008: "a@b.ru", 1085: "Заказ", 1086: "A-1 0badcafe" },
        items: [
          { 1030: "Чай", 1079: 4_000, 1023: 1_000_000, 1043: 4_000 },
          { 1030: "Чай", 1079: 6_000, 1023: 1_000_000, 1043: 6_000 },
        ],
      },
    });
  });

  test.each([0x08, 0x34])(
    "a Shtrih-M document that ends with error %i before its announced length is read whole",
    async (end) => {
      expect(await read({ announced: 4_000, end })).toMatchObject({ body: "full", mark: "A-1 0badcafe" });
    },
  );

  test("a Shtrih-M document is read at a later try when the register is not ready at first", async () => {
    expect(await read({ refusals: 2 })).toMatchObject({ body: "full" });
  });

  test.each<[string, Script]>([
    ["the register refuses three times", { refusals: 3 }],
    ["the reading stops early", { pieces: whole.slice(0, 2), announced: 4_000, end: 0x30 }],
    ["an item is missing", { pieces: whole.slice(0, -1) }],
    ["a piece is read twice", { pieces: [fdTag, fdTag, ...whole.slice(1)] }],
    ["an item is read twice", { pieces: [...whole, item(6_000)] }],
    ["its number tag names another document", { pieces: [encodeTlv(1040, u32(6)), ...whole.slice(1)] }],
    ["its number tag is missing", { pieces: whole.slice(1) }],
    ["a tag is cut off", { pieces: [...whole.slice(0, -1), item(6_000).slice(0, -1)] }],
    [
      "a requisite is no container of tags",
      { pieces: whole.map((tag) => (tag === markTag ? encodeTlv(1084, [65, 66, 67]) : tag)) },
    ],
    [
      "a number has another length",
      { pieces: whole.map((tag) => (tag === receiptTag ? encodeTlv(1042, [...u32(0), ...u32(-1)]) : tag)) },
    ],
    ["there is no tag", { pieces: [] }],
  ])("a Shtrih-M document is unreadable, and never a receipt without an order mark, when %s", async (_, script) => {
    expect(await read(script)).toMatchObject({
      type: "receipt",
      total: 10_000,
      body: "unreadable",
      mark: null,
      items: [],
    });
  });

  test.each([
    ["cannot be read", hex("FF 0A 30")],
    ["has another number", header(6)],
  ])("a Shtrih-M document whose header %s is of unknown type", async (_, told) => {
    expect(await read({ header: told })).toMatchObject({ fd: 7, type: "unknown", body: "unreadable", total: null });
  });

  test("a Shtrih-M document rounded down by less than a rouble is whole, and one rounded down by a rouble is unreadable", async () => {
    const pieces = [...whole.slice(0, -1), item(6_099)];
    expect(await read({ pieces })).toMatchObject({ body: "full" });
    expect(await read({ pieces: [...whole.slice(0, -1), item(6_100)] })).toMatchObject({ body: "unreadable" });
  });

  test("a Shtrih-M document that closes a shift is reported with the shift's number", async () => {
    const told = Uint8Array.of(0xff, 0x0a, 0, 5, 0, 26, 11, 20, 14, 5, ...u32(7), ...u32(1), 9, 0);
    const document = await read({ header: told, pieces: [fdTag, byteTag(1, 1)] });
    expect(document).toMatchObject({ type: "shift-close", shift: 9, operation: null, total: null, body: "full" });
  });
});
