/** Mistakes that the compiler finds: a line below that compiles breaks the build. */
import { onlineReceipt } from "#handlers/receipts/online-receipt-builder.js";
import { taskTable } from "#handlers/receipts/task-table-builder.js";

const tea = { name: "Чай", price: "120.00" };

/** The compiler reads these calls, and nothing runs them. */
const wrongCode: readonly (() => unknown)[] = [
  // @ts-expect-error a receipt needs an order number
  () => taskTable.sale({}),
  // @ts-expect-error a position needs a price
  () => taskTable.sale({ orderId: "A-1" }).item({ name: "Чай" }),
  // @ts-expect-error there is no such option
  () => taskTable.sale({ orderId: "A-1" }).item({ ...tea, qty: 2 }),
  // @ts-expect-error there is no such rate
  () => taskTable.sale({ orderId: "A-1" }).item({ ...tea, tax: "21 %" }),
  // @ts-expect-error there is no such subject
  () => taskTable.sale({ orderId: "A-1" }).item({ ...tea, subject: "thing" }),
  // @ts-expect-error there is no such method
  () => taskTable.sale({ orderId: "A-1" }).item({ ...tea, method: "later" }),
  // @ts-expect-error there is no such agent
  () => taskTable.sale({ orderId: "A-1" }).item({ ...tea, agent: { type: "friend" } }),
  // @ts-expect-error a discount is roubles or percent
  () => taskTable.sale({ orderId: "A-1" }).item({ ...tea, discount: { roubles: 1, percent: 1 } }),
  // @ts-expect-error of the whole receipt too
  () => onlineReceipt.sale({ orderId: "A-1" }).item(tea).discount({ roubles: 1, percent: 1 }),
  // @ts-expect-error a delivery has one piece
  () => taskTable.sale({ orderId: "A-1" }).delivery({ price: 300, quantity: 2 }),
  // @ts-expect-error card is no payment
  () => taskTable.sale({ orderId: "A-1" }).item(tea).payRest("card"),
  // @ts-expect-error card is no payment
  () => onlineReceipt.sale({ orderId: "A-1" }).item(tea).payment("card", 120),
  // @ts-expect-error a payment has a sum
  () => onlineReceipt.sale({ orderId: "A-1" }).item(tea).payment("cash"),
  // @ts-expect-error there is no such tax system
  () => onlineReceipt.sale({ orderId: "A-1", taxSystem: "simple" }),
  // @ts-expect-error the online format has no text
  () => onlineReceipt.sale({ orderId: "A-1" }).item(tea).text("Спасибо"),
  // @ts-expect-error a service job sells nothing
  () => taskTable.service().item(tea),
  // @ts-expect-error there is no such report
  () => taskTable.service().report("daily"),
];

test("the compiler finds each of the seventeen mistakes in a use of the builders", () => {
  expect(wrongCode).toHaveLength(17);
});
