import { spellIn } from "@fiscald/drivers/codec/code-pages.js";
import { requireExactAddresses, warnOfLostLetters } from "@fiscald/drivers/compile/fiscal-texts.js";
import { makeItem, makeReceipt } from "../../support/make-job.js";

const inCp866 = (text: string) => spellIn(text, "cp866");

test.each([
  ["müller@example.com", null, "contact"],
  ["o’neil@example.com", null, "contact"],
  [null, "https://shop.example/käse", "internet.url"],
])("a receipt whose address would be written as another address is refused: %s %s", (contact, url, place) => {
  const receipt = makeReceipt({ contact, internet: url === null ? null : { url } });
  expect(() => requireExactAddresses(receipt, inCp866)).toThrow(
    expect.objectContaining({ code: "receipt.unsupported", place }),
  );
});

test("a receipt with addresses in Latin and Russian letters is accepted", () => {
  const receipt = makeReceipt({ contact: "иван@магазин.рф", internet: { url: "https://магазин.рф/чек" } });
  expect(() => requireExactAddresses(receipt, inCp866)).not.toThrow();
});

const nobody = { mark: null, cashier: null };

test("letters that a register lacks give one warning with every place, and letters replaced by similar ones give no warning", () => {
  const receipt = makeReceipt({
    lines: [
      makeItem({ name: "Кофе «Арабика»" }),
      makeItem({
        name: "Crème brûlée?",
        agent: { type: 64, supplierName: "Ärzte", supplierPhones: ["+79990000001"], supplierInn: null },
        requisites: {
          additional: "né",
          industry: { authority: "030", date: "21.11.2023", number: "1944", value: "é" },
        },
      }),
    ],
    settlementPlace: "Café",
    requisites: { buyer: { name: "Müller", address: "Straße 1" } },
  });
  const cashier = { name: "Zoë", inn: null };
  expect(warnOfLostLetters(receipt, { mark: "ö-1", cashier }, inCp866)).toEqual([
    "the register cannot hold éëöüßèûÄ: another sign stands instead in settlementPlace, cashier.name, the order mark, requisites.buyer, items[1].name, items[1].agent.supplierName, items[1].requisites.additional, items[1].requisites.industry",
  ]);
  expect(warnOfLostLetters(makeReceipt(), nobody, inCp866)).toEqual([]);
});
