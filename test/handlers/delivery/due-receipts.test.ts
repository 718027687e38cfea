/** Parts of a position in money: exact, half up. */
import { portionOf } from "@fiscald/handlers/delivery/due-receipts.js";
import { buildOrder } from "@fiscald/handlers/delivery/order-build.js";
import { orderCreateIn } from "@fiscald/handlers/delivery/order-schema.js";
import { newOrder } from "./delivery-world.js";

test("half of 0.6 kg for 0.31 is 0.16, not the 0.15 of doubles", () => {
  const goods = [{ count: 0.6, price: 0.52, total: 0.31, discountTotal: -0.31 }];
  const [item] = buildOrder(orderCreateIn.parse(newOrder({ goods })), false, new Map()).goods;
  if (item === undefined) throw new Error("the order has no position");
  expect(portionOf(item, 0.3)).toMatchObject({ count: 0.3, total: 0.16, discountTotal: -0.15 });
});
