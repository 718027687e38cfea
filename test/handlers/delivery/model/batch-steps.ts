/** What may happen to six orders of a shop, several of them in one request: the random sequences of the model of batches. */
import fc from "fast-check";
import { tea } from "./money-world.js";

const goods: readonly (readonly ReturnType<typeof tea>[])[] = [
  [tea(2)],
  [tea(2)],
  [tea(2)],
  [tea(1)],
  [tea(3, { discountTotal: -0.01 })],
  [tea(2, { discountTotal: -501 })],
  [tea(1), tea(0.5, { goodId: 502, price: 60, total: 30, discountTotal: -1.5, taxId: 2 })],
  [tea(1, { markValue: "0104600000000001" }), tea(1)],
  [tea(1, { countryCode: "RU" })],
  [],
];
const some = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const anyFields = fc.record(
  {
    statusId: some(0, 1, 1),
    deliveryStatusId: some(0, 0, 0, 2, 3, 3, 4, 5, 6),
    returnReasonId: some(1),
    isInternetPayment: some(0, 1, 1),
    internetPaymentUrl: some("https://shop.example"),
    prePaymentSum: some(0, 0, 100, 501),
    goods: some(...goods),
    amountToPay: some(501, 501, 10, 0),
    client: some({ email: "anna@mail.example" }, { email: "anna@mail.example" }, null),
    phone: some(null, "+79991234567"),
    paymentId: some(1, 2),
    supplierId: some(null, null, 4, 5),
    description: some("a", "b"),
  },
  {
    requiredKeys: ["statusId", "isInternetPayment", "internetPaymentUrl", "client", "returnReasonId"],
  },
);
/** No more is prepaid than the order costs. */
const orderFields = anyFields.map((fields) => {
  const items = fields.goods ?? [tea(2)];
  const sum = items.length === 0 ? 0 : items.reduce((all, { total, discountTotal }) => all + total + discountTotal, 0);
  return fields.prePaymentSum === undefined
    ? fields
    : { ...fields, prePaymentSum: Math.min(fields.prePaymentSum, sum) };
});
const id = fc.integer({ min: 1, max: 6 });
const ids = fc.uniqueArray(id, { minLength: 2, maxLength: 6 });
const word = <T extends string>(text: T) => fc.constant(text);
const outcomes = some(
  "printed" as const,
  "printed" as const,
  "printed" as const,
  "failed" as const,
  "unknown" as const,
);

export const batchStep = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: word("replace"),
      orders: fc
        .uniqueArray(fc.tuple(id, orderFields), { minLength: 2, maxLength: 6, selector: ([orderId]) => orderId })
        .map((all) => all.map(([orderId, fields]) => ({ orderId, ...fields }))),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: word("create"),
      orders: fc
        .uniqueArray(fc.tuple(id, orderFields), { minLength: 2, maxLength: 6, selector: ([orderId]) => orderId })
        .map((all) => all.map(([orderId, fields]) => ({ orderId, ...fields }))),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: word("multi"),
      ids: fc.array(id, { minLength: 2, maxLength: 7 }),
      attributes: some(
        { statusId: 1 },
        { statusId: 0 },
        { deliveryStatusId: 3 },
        { deliveryStatusId: 3, statusId: 1 },
        { deliveryStatusId: 6, returnReasonId: 1 },
        { deliveryStatusId: 2 },
        { addressTo: "Moscow" },
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: word("print"), outcomes: fc.array(outcomes, { minLength: 6, maxLength: 6 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: word("hold") }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: word("report"), outcomes: fc.array(outcomes, { minLength: 6, maxLength: 6 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: word("delete"), id }) },
  // What was sold stays the same.
  { weight: 3, arbitrary: fc.record({ do: word("contact"), ids, email: some("anna@mail.example", "b@mail.example") }) },
  { weight: 1, arbitrary: fc.record({ do: word("refund"), ids, count: some(1, 2) }) },
  { weight: 1, arbitrary: fc.record({ do: word("catalog"), what: some("tax", "closeType", "settings", "supplier") }) },
  { weight: 1, arbitrary: fc.record({ do: word("site"), id, count: some(1, 2) }) },
  { weight: 1, arbitrary: fc.record({ do: word("own"), id, operation: some("sale", "return") }) },
  { weight: 1, arbitrary: fc.record({ do: word("cancel"), id }) },
  { weight: 1, arbitrary: fc.record({ do: word("collect"), id, price: some(100, 501) }) },
);
export type BatchStep = typeof batchStep extends fc.Arbitrary<infer Step> ? Step : never;

/** All six, so that most of what follows finds its order. */
export const firstOrders = fc
  .tuple(
    ...[1, 2, 3, 4, 5, 6].map((orderId) => orderFields.map((fields) => ({ orderId, ...fields, deliveryStatusId: 0 }))),
  )
  .map((orders): BatchStep => ({ do: "replace", orders }));
