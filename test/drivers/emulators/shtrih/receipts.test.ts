import { kopecks } from "@fiscald/shared/amounts.js";
import { toHex } from "../../vectors/hex.js";
import { dataOf, v1Frames } from "../../vectors/shtrih-frames.js";
import { talk, testDialogues } from "../dialogue.js";
import { closeCommand, itemCommand, le, makeShtrih, OP, SYS, sell } from "./make-shtrih.js";

const literal = (name: keyof typeof v1Frames) => toHex(dataOf(v1Frames[name]));
const none = (bytes: number) => "FF".repeat(bytes);

testDialogues(makeShtrih, {
  "the emulated Shtrih-M opens a receipt by the literal command and opens the shift by itself": [
    `${literal("openReceiptRequest")} -> ${literal("openReceiptAnswer")}`,
    {
      after: ({ core }) => {
        expect(core.documents.map(({ type }) => type)).toEqual(["registration", "shift-open"]);
        expect(core.receipt?.operation).toBe("sale");
      },
    },
  ],
  "the emulated Shtrih-M refuses payments that do not fit with the literal answer and keeps the receipt open": [
    `8D OP 00; ITEM 900; PAY 2=901 -> ${literal("closeRefused")}; PAY 1=899 -> FF 45 45;
     PAY 1=900 taxSystem=02 -> FF 45 33; PAY 1=900 round=100 -> FF 45 33; FF01 SYS -> FF 01 00 03 04 01 01...;
     89 OP -> 89 00 01 84 03 00 00 00; PAY 1=900 -> FF 45 00...`,
  ],
  "the emulated Shtrih-M rounds a total down to whole roubles when the close asks for it": [
    `8D OP 00; ITEM 999; PAY 2=900 round=99`,
    { after: ({ core }) => expect(core.find(3)).toMatchObject({ total: 900 }) },
  ],
  "the emulated Shtrih-M accepts a line sum that is one kopeck off, and refuses two kopecks": [
    `8D OP 00; ITEM 1000 quantity=333333 sum=334 -> FF 46 00; ITEM 1000 quantity=333333 sum=332 -> FF 46 00;
     ITEM 1000 quantity=333333 sum=335 -> FF 46 33; ITEM 1000 quantity=0 -> FF 46 33;
     FF46 OP 01 ${none(6)} ${none(5)} ${none(5)} ${none(5)} 01 01 04 01 C0 -> FF 46 33`,
  ],
  "the emulated Shtrih-M Nano has tax bytes of its own": [
    `8D OP 00; ITEM 1 tax=90 -> FF 46 00; ITEM 1 tax=CB -> FF 46 33`,
    { model: "nano", after: ({ core }) => expect(core.receipt?.lines[0]).toMatchObject({ vat: 11 }) },
  ],
  "the emulated Shtrih-M has another tax byte for 7/107 if its switch says so": [
    `8D OP 00; ITEM 1 tax=90 -> FF 46 00; ITEM 1 tax=88 -> FF 46 33`,
    {
      unconfirmed: { "vat-7-107": "90" },
      after: ({ core }) => expect(core.receipt?.lines[0]).toMatchObject({ vat: 10 }),
    },
  ],
  "the emulated Shtrih-M refuses an item whose operation is not the receipt's": [
    `8D OP 00; ITEM 1 operation=2 -> FF 46 49; ITEM 1 operation=5 -> FF 46 33`,
  ],
  "the emulated Shtrih-M accepts an item of another operation if its switch allows any": [
    `8D OP 00; ITEM 1 operation=2 -> FF 46 00`,
    { unconfirmed: { "item-operation": "any" } },
  ],
  "a refund in cash needs cash in the emulated Shtrih-M's drawer": [
    `8D OP 02; ITEM 1001 operation=2; PAY 1=1001 -> FF 45 46; PAY 2=1001 -> FF 45 00...`,
    { cash: kopecks(1000), after: ({ core }) => expect(core.cash).toBe(1000) },
  ],
  "a refund in cash needs no cash if the emulated Shtrih-M does not watch its drawer": [
    `8D OP 02; ITEM 1001 operation=2; PAY 1=1001 -> FF 45 00...`,
    { cash: kopecks(0), cashControl: false },
  ],
  "the emulated Shtrih-M needs 8Dh before FF46h": ["ITEM 1 -> FF 46 73"],
  "the emulated Shtrih-M opens a receipt by its item if its switch says so": [
    "ITEM 1 -> FF 46 00",
    { unconfirmed: { "item-opens-receipt": "yes" }, after: ({ core }) => expect(core.receipt?.lines).toHaveLength(1) },
  ],
  "the emulated Shtrih-M refuses commands of a receipt in the wrong sequence": [
    `PAY 1=1 -> FF 45 73; 88 OP -> 88 73; 89 OP -> 89 73; 8D OP 00;
     8D OP 00 -> 8D 4A; 41 SYS -> 41 73; E0 OP -> E0 73; 50 OP 5:1 -> 50 73; PAY 1=1 -> FF 45 8E;
     8D OP 04 -> 8D 4A`,
  ],
  // Service commands of the system administrator may go into another operator's receipt.
  "the emulated Shtrih-M's open receipt belongs to the operator who opened it": [
    `8D OP 00; ITEM 1 password=02000000 -> FF 46 59; 88 02000000 -> 88 59; 89 SYS -> 89 59;
     ITEM 1 password=SYS -> FF 46 00; 88 OP -> 88 00 01`,
  ],
  "the emulated Shtrih-M refuses to open and to close a receipt in a shift of 24 hours": [
    `8D OP 00; ITEM 100; (86400 seconds later); PAY 1=100 -> FF 45 16; 88 OP -> 88 00 01;
     10 OP -> 10 00 01 92 02 03...; 8D OP 00 -> 8D 4E; 41 SYS -> 41 00 1E;
     8D OP 00; ITEM 100; PAY 1=100 -> FF 45 00...`,
  ],
  "the emulated Shtrih-M needs paper to close a receipt, unless printing is switched off": [
    `8D OP 00; ITEM 100; (paper out); PAY 1=100 -> FF 45 6B; (paper in); 88 OP -> 88 00 01;
     1E SYS 11 0100 07 02 -> 1E 00; (paper out); 8D OP 00; ITEM 100; PAY 1=100 -> FF 45 00...`,
    { after: ({ core }) => expect(core.find(3)).toMatchObject({ printed: false }) },
  ],
  "table 17 field 7 = 1 of the emulated Shtrih-M keeps one document off the paper and then becomes 0": [
    `E0 OP; 1E SYS 11 0100 07 01`,
    {
      after: (shtrih) => {
        for (const price of [100, 200]) sell(shtrih, price);
        expect(shtrih.core.documents.slice(2).map(({ printed }) => printed)).toEqual([false, true]);
      },
    },
  ],
  "the emulated Shtrih-M refuses a receipt on a full drive": [
    `8D OP 00; ITEM 100; PAY 1=100 -> FF 45 06`,
    { driveCapacity: 2 },
  ],
  "the emulated Shtrih-M refuses a receipt on a drive that does not answer": [
    `(${471 * 86_400} seconds later); 8D OP 00 -> 8D 05`,
  ],
  "the emulated Shtrih-M refuses a receipt after 30 days without the OFD": [
    `(${31 * 86_400} seconds later); 8D OP 00 -> 8D 15`,
    { ofdConnected: false },
  ],
  "the emulated Shtrih-M refuses a receipt with a time before its last document": [
    `(-3600 seconds later); 8D OP 00 -> 8D 07`,
  ],
  "the emulated Shtrih-M refuses names and texts that are too long for their command": [
    `8D OP 00; ITEM 1 name=${"C0".repeat(129)} -> FF 46 7E; ITEM 1 name=${"C0".repeat(128)} -> FF 46 00;
     ${closeCommand({ 1: 1 })} ${"C0".repeat(65)} -> FF 45 7E;
     ${closeCommand({ 1: 1 })} ${"C0".repeat(64)} -> FF 45 00...`,
  ],
  "the emulated Shtrih-M's receipt has at most five hundred lines": [
    `8D OP 00; ${"ITEM 1 -> FF 46 00\n".repeat(500)}ITEM 1 -> FF 46 4B`,
  ],
  "the emulated Shtrih-M prefers the cashier sent with the receipt to the cashier of table 2": [
    `1E SYS 12 0100 17 "123456789012"; 8D OP 00; ITEM 100; FF0C SYS 2:1021 2:7 "Ivanova"; PAY 1=100`,
    {
      after: ({ core }) =>
        expect(core.find(3)?.tags).toEqual([
          { tag: 1021, text: "Ivanova" },
          { tag: 1203, text: "123456789012" },
        ]),
    },
  ],
  "the emulated Shtrih-M refuses broken TLV, tags that it makes itself, overlong values, and any tag without a document":
    [
      `FF0C SYS 2:1008 2:6 "a@b.ru" -> FF 0C 02; 8D OP 00; FF0C SYS 2:1008 2:6 61 -> FF 0C 09;
     FF0C SYS 2:1040 2:4 01000000 -> FF 0C 09; FF0C SYS 2:1008 2:65 ${"61".repeat(65)} -> FF 0C 10;
     FF0C SYS 2:1084 2:204 2:1086 2:200 ${"61".repeat(200)} -> FF 0C 00; FF4D OP 2:1226 2:1 31 -> FF 4D 02`,
    ],
});

test("the emulated Shtrih-M refuses every tax byte without a rate", () => {
  const { ask } = makeShtrih();
  ask(`8D ${OP} 00`);
  const known = new Set([0, 1, 2, 4, 8, 0x10, 0x20, 0x81, 0x82, 0x84, 0x88, 0xcb, 0xcc]);
  for (let byte = 0; byte < 256; byte++) {
    if (!known.has(byte)) expect(ask(itemCommand({ price: 1, tax: le(byte, 1) }))).toBe("FF 46 33");
  }
});

test.each([
  ["00", 1, "sale", 1500],
  ["01", 3, "purchase", -1500],
  ["02", 2, "return", -1500],
  ["03", 4, "purchase-return", 1500],
])(
  "type %s of command 8Dh (open receipt) and operation %i of FF46h (item) make a %s on the emulated Shtrih-M",
  async (type, operation, name, cash) => {
    const shtrih = makeShtrih();
    await talk(shtrih, `8D OP ${type}\nITEM 1500 operation=${operation} -> FF 46 00\nPAY 1=1500 -> FF 45 00...`);
    expect(shtrih.core.find(3)).toMatchObject({ operation: name });
    expect(shtrih.core.cash - 10_000_000).toBe(cash);
  },
);

test.each([
  [`88 ${OP}`, "88 00 01"],
  [`FF08 ${SYS}`, "FF 08 00"],
])("a receipt that is cancelled by %s leaves no trace in the emulated Shtrih-M", async (cancel, answer) => {
  const shtrih = makeShtrih();
  await talk(shtrih, `8D OP 00\nITEM 1\n${cancel} -> ${answer}`);
  expect([shtrih.core.lastFd, shtrih.core.receipt]).toEqual([2, null]);
});

test("the emulated Shtrih-M writes a name that begins with // to its drive and not onto its paper", () => {
  const shtrih = makeShtrih();
  sell(shtrih, 100, "2F2FD1E5EAF0E5F2");
  expect(shtrih.core.find(3)?.lines[0]?.name).toBe("Секрет");
  expect(JSON.stringify(shtrih.core.tape.rows)).not.toContain("Секрет");
});
