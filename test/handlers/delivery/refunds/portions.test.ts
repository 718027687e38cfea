/** Parts of a position are exact to the kopeck, rounded half up. */

import { buildOrder } from "#handlers/delivery/changes/build.js";
import { portionOf } from "#handlers/delivery/orders/receipt-policy.js";
import { itemSum } from "#handlers/delivery/orders/rules.js";
import { orderCreateIn } from "#handlers/delivery/orders/schema.js";
import { PositionsLeft } from "#handlers/delivery/refunds/return-portions.js";
import { newOrder } from "../delivery-world.js";

function positionOf(changes: object) {
  const goods = [{ count: 0.6, price: 0.52, total: 0.31, discountTotal: 0, ...changes }];
  const [item] = buildOrder(orderCreateIn.parse(newOrder({ goods })), false, new Map()).goods;
  if (item === undefined) throw new Error("the order has no position");
  return item;
}

test("half of a position of 0.6 kg for 0.31 costs 0.16, not 0.15 as floating point would say", () => {
  expect(portionOf(positionOf({}), 0.3)).toMatchObject({ count: 0.3, total: 0.16, discountTotal: 0 });
});

test("a part of a fully discounted position is free, because price and discount are rounded alike", () => {
  const item = positionOf({ discountTotal: -0.31 });
  expect(portionOf(item, 0.3)).toMatchObject({ total: 0.16, discountTotal: -0.16 });
});

test("returned parts of a fully discounted position are free, even the last part", () => {
  const order = buildOrder(orderCreateIn.parse(newOrder()), false, new Map());
  const left = new PositionsLeft({ ...order, goods: [positionOf({ discountTotal: -0.31 })] }, []);
  const parts = [0.3, 0.3].flatMap((count) => left.take({ goodId: null }, count) ?? []);
  expect(parts).toMatchObject([
    { total: 0.16, discountTotal: -0.16 },
    { total: 0.15, discountTotal: -0.15 },
  ]);
});

test("a piece is returned at its price even after another piece was returned below its price", () => {
  const order = buildOrder(orderCreateIn.parse(newOrder()), false, new Map());
  const sale = { ...order, goods: [positionOf({ count: 5, price: 100, total: 500 })] };
  const worn = { ...order, goods: [positionOf({ count: 1, price: 10, total: 10 })] };
  const left = new PositionsLeft(sale, [worn]);
  expect([1, 1, 1].map((count) => left.take({ goodId: null }, count)?.map(itemSum))).toEqual([
    [10000],
    [10000],
    [10000],
  ]);
});

test("an earlier refund is taken off the position that has enough left, in whatever sequence refunds are read", () => {
  const order = buildOrder(orderCreateIn.parse(newOrder()), false, new Map());
  const six = { count: 6, price: 100, total: 600, discountTotal: -200 };
  const one = { count: 1, price: 60, total: 60 };
  const sale = { ...order, goods: [positionOf(one), positionOf(six)] };
  // The last of six pieces costs a kopeck less than the others, so it has the price of no position.
  const refunds = [{ count: 1, price: 66.66, total: 66.66 }, one].map((item) => ({
    ...order,
    goods: [positionOf(item)],
  }));
  expect(new PositionsLeft(sale, refunds).take({ goodId: null }, 5)?.map(itemSum)).toEqual([33334]);
});
