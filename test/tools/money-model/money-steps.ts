/** The events of an order and their frequency: the random sequences of the money model. */
import fc from "fast-check";

/** An additional position beside two packets of tea and three breads. */
export type Extra = "none" | "tea at another rate" | "weighed cheese";

export interface MoneyStart {
  /** `all`: of the whole order. */
  readonly prePaymentSum: number | "all" | undefined;
  readonly statusId: number;
  readonly isInternetPayment: number;
  readonly extra: Extra;
  readonly printsPrepayment: boolean;
  /** True: a receipt that is due at once is printed at once. */
  readonly isPrinted: boolean;
  /** True: in the end the shop deletes the order. */
  readonly isDeleted: boolean;
}

export type Piece = "tea" | "bread" | "tea at another rate" | "weighed cheese";
export type CatalogChange = "tax" | "close type" | "name" | "item type" | "good's tax";
/**
 * A refund order names its sale by the courier's payment, by the shop's payment at the creation, or by the sale's id.
 */
export type RefundLink = "courier's payment" | "shop's payment" | "sale";
export type Outcome = "printed" | "failed" | "unknown";

/** `own`: with a receipt of the courier's own register. */
export type MoneyStep =
  | { readonly do: "poll"; readonly till: number }
  | { readonly do: "fail" | "touch" | "restart" }
  | { readonly do: "report"; readonly which: number; readonly outcome: Outcome }
  | { readonly do: "late"; readonly which: number; readonly outcome: "printed" | "unknown" }
  | { readonly do: "release"; readonly which: number }
  /** The till's operator returns a printed receipt: all that is left of it, or one piece of one position. */
  | { readonly do: "return at till"; readonly which: number; readonly position: number | null }
  | { readonly do: "status" | "paid" | "payment type"; readonly to: number }
  | { readonly do: "courier's status"; readonly to: number; readonly own: boolean }
  | { readonly do: "edit"; readonly teas: number; readonly breads: number; readonly extra: Extra }
  | { readonly do: "edit refund"; readonly which: number; readonly count: number; readonly price: number }
  | { readonly do: "cancel"; readonly piece: Piece }
  /** The shop says how the order was paid. */
  | { readonly do: "name payment"; readonly price: number | "prepaid"; readonly type: number }
  | { readonly do: "collect"; readonly price: number; readonly type: number; readonly own: boolean }
  | {
      readonly do: "refund" | "refund fails";
      readonly piece: Piece;
      readonly count: number;
      readonly type: number;
      readonly by: RefundLink;
      readonly statusId: number;
    }
  | { readonly do: "pay refund"; readonly which: number }
  | { readonly do: "bring back"; readonly piece: Piece; readonly count: number; readonly own: boolean }
  | { readonly do: "own receipt"; readonly operation: "sale" | "return" }
  | { readonly do: "own receipt of refund"; readonly which: number }
  | { readonly do: "own receipt again" }
  /** The till's operator prints a correction of the order's sale or return; it is no receipt of the order's account. */
  | { readonly do: "correct"; readonly of: "sell" | "sell_refund" }
  | { readonly do: "catalog"; readonly what: CatalogChange };

const extra = fc.constantFrom<Extra[]>("none", "none", "tea at another rate", "weighed cheese");
const piece = fc.constantFrom<Piece[]>("tea", "tea", "bread", "bread", "tea at another rate", "weighed cheese");
const paymentType = fc.constantFrom(1, 2);
const which = fc.nat(3);
/** Rarely, because one such receipt leaves little for the shop's own receipts. */
const own = fc.nat(3).map((number) => number === 0);
const returned = { piece, count: fc.integer({ min: 1, max: 3 }) };
const refunded = {
  ...returned,
  by: fc.constantFrom<RefundLink[]>("courier's payment", "shop's payment", "sale"),
  statusId: fc.constantFrom(1, 1, 1, 0),
};
const word = <T extends string>(text: T) => fc.constant(text);

export const moneyStart: fc.Arbitrary<MoneyStart> = fc.record({
  prePaymentSum: fc.constantFrom(undefined, 200.01, 250.5, 601, "all" as const),
  statusId: fc.constantFrom(0, 1),
  isInternetPayment: fc.constantFrom(0, 1),
  extra,
  printsPrepayment: fc.constantFrom(true, true, false),
  isPrinted: fc.boolean(),
  isDeleted: fc.constantFrom(false, false, false, true),
});

const weighted: readonly (readonly [number, fc.Arbitrary<MoneyStep>])[] = [
  [5, fc.record({ do: word("poll"), till: fc.constantFrom(0, 0, 0, 1) })],
  [
    6,
    fc.record({
      do: word("report"),
      which,
      outcome: fc.constantFrom<Outcome[]>("printed", "printed", "failed", "unknown"),
    }),
  ],
  [3, fc.record({ do: word("fail") })],
  // A failed or released receipt is printed later, or its result is unknown.
  [3, fc.record({ do: word("late"), which, outcome: fc.constantFrom("printed" as const, "printed", "unknown") })],
  [1, fc.record({ do: word("release"), which })],
  [2, fc.record({ do: word("return at till"), which, position: fc.constantFrom(null, 1, 1, 2, 3) })],
  [6, fc.record({ do: word("status"), to: fc.constantFrom(2, 3, 3, 4, 4, 5, 6, 6) })],
  [2, fc.record({ do: word("courier's status"), to: fc.constantFrom(3, 4, 6), own })],
  [2, fc.record({ do: word("paid"), to: fc.constantFrom(0, 1, 1) })],
  [1, fc.record({ do: word("payment type"), to: paymentType })],
  [
    2,
    fc.record({
      do: word("edit"),
      teas: fc.integer({ min: 0, max: 3 }),
      breads: fc.constantFrom(0, 3),
      extra,
    }),
  ],
  [
    1,
    fc.record({
      do: word("edit refund"),
      which,
      count: fc.integer({ min: 1, max: 3 }),
      price: fc.constantFrom(1, 250.5),
    }),
  ],
  [1, fc.record({ do: word("touch") })],
  [3, fc.record({ do: word("cancel"), piece })],
  [2, fc.record({ do: word("collect"), price: fc.constantFrom(100, 250.5, 601), type: paymentType, own })],
  [2, fc.record({ do: word("name payment"), price: fc.constantFrom("prepaid" as const, 601), type: paymentType })],
  // The courier gives money back, of the sale and not of a refund order.
  [
    1,
    fc.record({
      do: word("collect"),
      price: fc.constantFrom(-100, -250.5),
      type: paymentType,
      own: fc.constant(false),
    }),
  ],
  [4, fc.record({ do: word("refund"), ...refunded, type: paymentType })],
  // With a late result this receipt is printed after those that were made meanwhile.
  [2, fc.record({ do: word("refund fails"), ...refunded, type: paymentType })],
  [1, fc.record({ do: word("pay refund"), which })],
  [2, fc.record({ do: word("bring back"), ...returned, own })],
  [1, fc.record({ do: word("own receipt"), operation: fc.constantFrom("sale" as const, "return" as const) })],
  [1, fc.record({ do: word("own receipt of refund"), which })],
  [1, fc.record({ do: word("own receipt again") })],
  [1, fc.record({ do: word("correct"), of: fc.constantFrom("sell" as const, "sell_refund" as const) })],
  [
    3,
    fc.record({
      do: word("catalog"),
      what: fc.constantFrom<CatalogChange[]>("tax", "close type", "name", "item type", "good's tax"),
    }),
  ],
  [1, fc.record({ do: word("restart") })],
];

const anySteps = fc.array(fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary }))), {
  minLength: 4,
  maxLength: 24,
});

/** Features that a sequence may lack: if every sequence had all of them, most combinations would be too rare. */
const features = {
  failures: ({ do: what }: MoneyStep) => what === "late" || what === "fail" || what === "refund fails",
  refunds: ({ do: what }: MoneyStep) => what.includes("refund") || what === "bring back",
  edits: ({ do: what }: MoneyStep) => what === "edit" || what === "edit refund",
  cancellations: ({ do: what }: MoneyStep) => what === "cancel",
  catalog: ({ do: what }: MoneyStep) => what === "catalog",
  till: ({ do: what }: MoneyStep) => what === "return at till",
  site: ({ do: what }: MoneyStep) => what === "release" || what === "restart",
  own: (step: MoneyStep) => step.do.startsWith("own receipt") || ("own" in step && step.own),
} satisfies Readonly<Record<string, (step: MoneyStep) => boolean>>;

const to = (status: number): MoneyStep => ({ do: "status", to: status });
const poll = (till: number): MoneyStep => ({ do: "poll", till });
const printed: readonly MoneyStep[] = [poll(0), { do: "report", which: 0, outcome: "printed" }];
const late: MoneyStep = { do: "late", which: 0, outcome: "printed" };
const sold = [to(3), ...printed];
const oneBack = { piece: "tea", count: 1, type: 1, by: "courier's payment", statusId: 1 } as const;
const refund: MoneyStep = { do: "refund", ...oneBack };
const ownReturn: MoneyStep = { do: "own receipt", operation: "return" };
const atTill = (position: number | null): MoneyStep => ({ do: "return at till", which: 0, position });
const broughtBack: MoneyStep = { do: "bring back", piece: "tea", count: 1, own: true };
const givenBack: MoneyStep = { do: "collect", price: -250.5, type: 2, own: false };
const editRefund = (price: number): MoneyStep => ({ do: "edit refund", which: 0, count: 1, price });

/** Beginnings that random sequences reach too rarely; the sequence then goes on at random. */
export const preludes: readonly (readonly MoneyStep[])[] = [
  [],
  [],
  [],
  // The order is delivered while the result of the prepayment is unknown.
  [{ do: "paid", to: 1 }, poll(0), to(3), poll(1)],
  // A share is being returned when the order is delivered.
  [refund, poll(0), to(3), poll(1)],
  // The courier's register returns a share before the settlement.
  [broughtBack, to(3)],
  // A return of that register comes before its refund order: before the sale, and after it.
  [ownReturn, ...sold, to(6)],
  [...sold, ownReturn],
  // Beside that return and the settlement, a share of the shop's is printed late: the prepayment is used twice.
  [{ do: "refund fails", ...oneBack }, broughtBack, ...sold, late],
  // The shop names the payment of a printed prepayment in cash.
  [{ do: "paid", to: 1 }, ...printed, { do: "name payment", price: "prepaid", type: 2 }],
  // The courier gives back a part of a printed sale that he had collected, and of an order that he took nothing for.
  [{ do: "collect", price: 601, type: 2, own: false }, ...sold, givenBack],
  [givenBack, ...sold],
  // The payments of a refund order still leave it paid.
  [...sold, refund, editRefund(250.5), editRefund(1)],
  // The order is cancelled after its sale, and refunded in cash by an order that is paid later.
  [...sold, to(5), { do: "refund", ...oneBack, type: 2, by: "sale", statusId: 0 }, { do: "pay refund", which: 0 }],
  // The return of the whole is printed late, beside a refund order's return.
  [...sold, to(6), { do: "fail" }, refund, ...printed, late],
  // A person at the till returns a part of the sale before the rest comes back, or while the rest is on its way.
  [...sold, atTill(1), { do: "report", which: 0, outcome: "printed" }, to(6)],
  [...sold, to(6), poll(0), atTill(1)],
  // A refund order's return has failed, and is tried again after a part of the sale was returned at the till.
  [...sold, { do: "refund fails", ...oneBack }, atTill(1), { do: "report", which: 0, outcome: "printed" }],
  // The same for a prepayment, before and after its settlement.
  [atTill(1), { do: "report", which: 0, outcome: "unknown" }, to(3), poll(0)],
  [...sold, { do: "return at till", which: 1, position: null }, { do: "report", which: 0, outcome: "printed" }],
];

export const moneySteps: fc.Arbitrary<readonly MoneyStep[]> = fc
  .tuple(fc.subarray(Object.values(features)), fc.constantFrom(...preludes), anySteps)
  .map(([without, prelude, steps]) => [...prelude, ...steps.filter((step) => !without.some((isOf) => isOf(step)))]);
