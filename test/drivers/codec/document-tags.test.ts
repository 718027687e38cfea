import {
  hasNoRepeatedTag,
  itemsMakeTotal,
  itemsOf,
  markOf,
  operationOf,
} from "@fiscald/drivers/codec/document-tags.js";
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

test("items and the order's mark of a document are read from their containers", () => {
  const tags = tagsOf(item("Чай", 100), item("Сок", 50), containerTag(1084, [stringTag(1086, "order 7", 256)]));
  expect(itemsOf(tags)).toEqual([
    { name: "Чай", price: 100, quantity: 1_000_000, sum: 100 },
    { name: "Сок", price: 50, quantity: 1_000_000, sum: 50 },
  ]);
  expect(markOf(tags)).toBe("order 7");
  expect(markOf(tagsOf(item("Чай", 100)))).toBeNull();
});

test("a body with a tag twice or an item missing is noticed, and kopecks that were rounded off are not", () => {
  expect(hasNoRepeatedTag(tagsOf(item("Чай", 100), item("Чай", 100), byteTag(1054, 1)))).toBe(true);
  expect(hasNoRepeatedTag(tagsOf(byteTag(1054, 1), byteTag(1054, 1)))).toBe(false);
  const whole = tagsOf(item("Чай", 199));
  expect(itemsMakeTotal(kopecks(100), whole)).toBe(true);
  expect(itemsMakeTotal(kopecks(99), whole)).toBe(false);
  expect(itemsMakeTotal(kopecks(200), whole)).toBe(false);
});

test.each([
  [1, "sale"],
  [2, "return"],
  [3, "other"],
  [null, null],
])("tag 1054 with the value %j is the direction %j", (code, operation) => {
  expect(operationOf(code)).toBe(operation);
});
