/**
 * A discount of the whole receipt is exact to the kopeck, is spread over all positions, and is the same in both
 * formats.
 */
import { formatRoubles, kopecks, sumKopecks } from "@fiscald/shared/amounts.js";
import { readOrder } from "@fiscald/shared/receipt/formats/read-order.js";
import { itemsOf, type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import fc from "fast-check";
import type { ItemInput } from "#handlers/receipts/item-input.js";
import { onlineReceipt } from "#handlers/receipts/online-receipt-builder.js";
import { taskTable } from "#handlers/receipts/task-table-builder.js";

const order = { orderId: "A-1" };

function read(body: object): SaleReceipt {
  const answer = readOrder(JSON.stringify(body), { format: "auto" });
  if (answer.kind !== "receipt" || answer.receipt.kind !== "receipt") throw new Error(`read as ${answer.kind}`);
  return answer.receipt;
}

const roubles = (sum: number) => formatRoubles(kopecks(sum));
/** The last position costs something, because a receipt of 0.00 is refused. */
const items: fc.Arbitrary<readonly ItemInput[]> = fc
  .array(
    fc.record({
      name: fc.constantFrom("Чай", "Кофе"),
      price: fc.integer({ min: 1, max: 1_000_000 }).map(roubles),
      quantity: fc.oneof(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 20_000 }).map((part) => part / 1000),
      ),
      discount: fc.integer({ min: 0, max: 9_999 }).map((percent) => ({ percent: percent / 100 })),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((cart) => [...cart, { name: "Сахар", price: "1.00", quantity: 1 }]);
/** The discount in thousandths of the total. */
const share = fc.integer({ min: 0, max: 1000 });

function built(cart: readonly ItemInput[], off: number, delivery: string) {
  const both = [taskTable.sale(order), onlineReceipt.sale(order)].map((builder) => {
    for (const item of cart) builder.item(item);
    return builder
      .discount({ roubles: roubles(off) })
      .delivery({ price: delivery })
      .payRest("electronic")
      .build();
  });
  return both.map(read);
}

function plain(cart: readonly ItemInput[]): SaleReceipt {
  const builder = taskTable.sale(order);
  for (const item of cart) builder.item(item);
  return read(builder.payRest("cash").build());
}

test("a discount is exact to the kopeck, takes no position below 0.00, and does not lower a later delivery", () => {
  fc.assert(
    fc.property(items, share, (cart, part) => {
      const before = itemsOf(plain(cart)).map(({ total }) => total);
      const sum = sumKopecks(before);
      const off = Math.trunc((sum * part) / 1000);
      const [table, online] = built(cart, off, "300.00");
      if (table === undefined || online === undefined) throw new Error("not built");
      const lines = itemsOf(table);
      const after = lines.slice(0, -1).map(({ total }) => total);
      expect(sumKopecks(after)).toBe(sum - off);
      for (const [position, total] of after.entries()) {
        const was = before[position] ?? 0;
        expect(total).toBeGreaterThanOrEqual(0);
        expect(total).toBeLessThanOrEqual(was);
        expect(Math.abs(was - total - (off * was) / Math.max(sum, 1))).toBeLessThan(1);
      }
      expect(lines.at(-1)).toMatchObject({ name: "Доставка", total: 30_000, subject: 4 });
      expect(sumKopecks(table.payments.map((payment) => payment.sum))).toBe(totalOf(table));
      expect({ ...online, format: "task-table" }).toEqual(table);
    }),
  );
});

test("a percent discount is rounded half up, and each further discount applies to what is left", () => {
  const builder = taskTable.sale(order).item({ name: "Чай", price: "0.33" }).item({ name: "Кофе", price: "0.34" });
  const receipt = read(builder.discount({ percent: 10 }).discount({ roubles: "0.10" }).payRest("cash").build());
  // 0.67 less 0.07 (10 %, rounded) is 0.60; less 0.10 is 0.50.
  expect(totalOf(receipt)).toBe(50);
});

test("a free delivery is a position of 0.00", () => {
  expect(
    itemsOf(read(taskTable.sale(order).item({ name: "Чай", price: 1 }).delivery({ price: 0 }).payRest("cash").build())),
  ).toMatchObject([{ total: 100 }, { name: "Доставка", total: 0 }]);
});
