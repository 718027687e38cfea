/** Recovery compares the order mark with the drive's: every register must store the mark as it was sent. */
import { spellIn } from "@fiscald/drivers/codec/code-pages.js";
import { spell } from "@fiscald/drivers/pirit/protocol/fields.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import { formatMark } from "@fiscald/shared/receipt/order-mark.js";
import fc from "fast-check";

const onTheWay = { "Shtrih-M and ATOL": (mark: string) => spellIn(mark, "cp866"), PIRIT: spell };

describe.each(Object.entries(onTheWay))("the mark of an order on %s", (_, spelt) => {
  test("the order mark is on the register's document unchanged, whatever characters the order's id has", () => {
    const ids = fc.string({
      minLength: 1,
      maxLength: 40,
      unit: fc.oneof(fc.constantFrom(..."Счёт№–Ёё5 -Їў°"), fc.string()),
    });
    fc.assert(
      fc.property(ids, (orderId) => {
        const mark = formatMark(toOrderId(orderId), { issuer: "89abcdef", digits: "0123abcd" });
        expect(spelt(mark)).toBe(mark);
      }),
    );
  });
});

test("the order mark of an order with Russian letters and special characters stays readable", () => {
  const mark = formatMark(toOrderId("Счёт Ё-5 №1"), { issuer: "89abcdef", digits: "0123abcd" });
  expect(mark).toBe("Счет Ё-5 ?1 89abcdef.0123abcd");
});
