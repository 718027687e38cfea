import { documentItemsOf, isWholeDocument, markOf, operationOf } from "@fiscald/drivers/codec/document-tags.js";
import { byteTag, containerTag, decodeTlvs, encodeTlv, stringTag } from "@fiscald/drivers/codec/tlv.js";
import { kopecks } from "@fiscald/shared/amounts.js";

const item = (name: string, sum: number) =>
  containerTag(1059, [
    stringTag(1030, name, 128),
    encodeTlv(1079, [sum, 0]),
    encodeTlv(1023, [0, 1]),
    encodeTlv(1043, [sum, 0]),
  ]);
const tagsOf = (...parts: readonly Uint8Array[]) => decodeTlvs(Buffer.concat(parts));

test("items and the order mark of a document are read from their containers", () => {
  const tags = tagsOf(item("Чай", 100), item("Сок", 50), containerTag(1084, [stringTag(1086, "order 7", 256)]));
  expect(documentItemsOf(tags)).toEqual([
    { name: "Чай", price: 100, quantity: 1_000_000, sum: 100 },
    { name: "Сок", price: 50, quantity: 1_000_000, sum: 50 },
  ]);
  expect(markOf(tags)).toBe("order 7");
  expect(markOf(tagsOf(item("Чай", 100)))).toBeNull();
});

const FD = byteTag(1040, 7);
test.each<[string, number, readonly Uint8Array[], boolean]>([
  ["two equal items", 200, [FD, item("Чай", 100), item("Чай", 100), byteTag(1054, 1)], true],
  ["another number of the document", 199, [byteTag(1040, 8), item("Чай", 199)], false],
  ["a tag twice", 199, [FD, item("Чай", 199), byteTag(1054, 1), byteTag(1054, 1)], false],
  ["a kopeck less than a rouble rounded off", 100, [FD, item("Чай", 199)], true],
  ["a whole rouble rounded off", 99, [FD, item("Чай", 199)], false],
  ["less in its items than in its total", 200, [FD, item("Чай", 199)], false],
])(
  "the check of a document with %s and the total %j for completeness has the result in the table",
  (_what, total, parts, isWhole) => {
    const document = { fd: 7, type: "receipt", total: kopecks(total) } as const;
    expect(isWholeDocument(document, tagsOf(...parts))).toBe(isWhole);
  },
);

test.each([
  [1, "sale"],
  [2, "return"],
  [3, "other"],
  [null, null],
])("tag 1054 with the value %j is the direction %j", (code, operation) => {
  expect(operationOf(code)).toBe(operation);
});
