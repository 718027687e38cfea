import { spellIn } from "@fiscald/drivers/codec/code-pages.js";
import { requireExactAddresses, warnOfLostLetters } from "@fiscald/drivers/compile/fiscal-texts.js";
import { makeItem, makeReceipt } from "../../support/make-job.js";

const inCp866 = (text: string) => spellIn(text, "cp866");

test.each([
  ["müller@example.com", null, "contact"],
  ["o’neil@example.com", null, "contact"],
  [null, "https://shop.example/käse", "internet.url"],
])("an address that would become another one is refused: %s %s", (contact, url, place) => {
  const receipt = makeReceipt({ contact, internet: url === null ? null : { url } });
  expect(() => requireExactAddresses(receipt, inCp866)).toThrow(
    expect.objectContaining({ code: "receipt.unsupported", place }),
  );
});

test("addresses in Latin and Russian letters pass", () => {
  const receipt = makeReceipt({ contact: "иван@магазин.рф", internet: { url: "https://магазин.рф/чек" } });
  expect(() => requireExactAddresses(receipt, inCp866)).not.toThrow();
});

test("a name that loses letters is warned of, a look-alike is not", () => {
  const lines = [makeItem({ name: "Кофе «Арабика»" }), makeItem({ name: "Crème brûlée" })];
  expect(warnOfLostLetters(makeReceipt({ lines }), "cp866")).toEqual([
    '"Crème brûlée": the register has no èûé and writes ? instead',
  ]);
});
