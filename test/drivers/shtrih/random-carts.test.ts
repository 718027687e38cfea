/**
 * From an order's JSON to the document in the register: random carts through parser, driver and emulator. The expected
 * sums are computed here with integers of any size, without the product's own arithmetic.
 */
import { MAX_SUM } from "@fiscald/shared/amounts.js";
import fc from "fast-check";
import { saleFrom } from "../../support/order-samples.js";
import { shtrihSubject } from "../contract/shtrih-subject.js";
import { type ContractWorld, inWorld } from "../contract/world.js";

const RUNS = 40;

const subject = shtrihSubject({ model: "smartpos", link: "v2" });

interface CartLine {
  readonly price: bigint;
  readonly thousandths: bigint;
  /** Hundredths of a percent, or kopecks as a part of ten thousand of the line. */
  readonly off: { readonly kind: "none" | "percent" | "roubles"; readonly part: bigint };
  readonly tax: number;
}

interface Cart {
  readonly lines: readonly CartLine[];
  /** Hundredths of the total that types 1 and 2 pay; the rest is cash. */
  readonly electronic: bigint;
  readonly prepaid: bigint;
  readonly change: bigint;
  readonly isReturn: boolean;
}

const big = (min: number, max: number) => fc.integer({ min, max }).map((value) => BigInt(value));

const cartLine: fc.Arbitrary<CartLine> = fc.record({
  price: fc.oneof(big(10, 999), big(10, 1_000_000)),
  thousandths: fc.oneof(
    big(1, 30).map((units) => units * 1000n),
    big(100, 20_000),
  ),
  off: fc.record({ kind: fc.constantFrom("none", "percent", "roubles"), part: big(1, 9_999) }),
  tax: fc.integer({ min: 1, max: 12 }),
});

const anyCart: fc.Arbitrary<Cart> = fc
  .record({
    lines: fc.array(cartLine, { minLength: 1, maxLength: 15 }),
    electronic: big(0, 100),
    prepaid: big(0, 100),
    change: fc.constantFrom(0n, 0n, 1n, 5000n),
    isReturn: fc.boolean(),
  })
  // The register refuses a receipt of 0.00.
  .filter(({ lines }) => sum(lines.map(totalOf)) > 0n);

function halfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

const grossOf = ({ price, thousandths }: CartLine) => halfUp(price * thousandths, 1000n);

/** Discount of the line in kopecks (54-fz 4): a percentage is rounded once, on the line. */
function offOf(line: CartLine): bigint {
  const { kind, part } = line.off;
  if (kind === "none") return 0n;
  const gross = grossOf(line);
  return kind === "percent" ? halfUp(gross * part, 10_000n) : (gross * part) / 10_000n;
}

const totalOf = (line: CartLine) => grossOf(line) - offOf(line);

function sum(values: readonly bigint[]): bigint {
  return values.reduce((all, value) => all + value, 0n);
}

/** 12345n, 2 decimals -> 123.45 as the JSON number that a site would write. */
function decimal(value: bigint, decimals: number): number {
  const digits = String(value).padStart(decimals + 1, "0");
  return Number(`${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`);
}

const roubles = (kopecks: bigint) => decimal(kopecks, 2);

function paymentsOf({ lines, electronic, prepaid, change }: Cart) {
  const total = sum(lines.map(totalOf));
  const byCard = (total * electronic) / 100n;
  const before = ((total - byCard) * prepaid) / 100n;
  const inCash = total - byCard - before;
  return [
    { type: 1, sum: byCard },
    { type: 2, sum: before },
    { type: 0, sum: inCash === 0n ? 0n : inCash + change },
  ].filter((payment) => payment.sum > 0n);
}

function tableOrder(cart: Cart): object {
  const itemType = cart.isReturn ? "Return" : "Registration";
  const items = cart.lines.map((line, at) => ({
    type: itemType,
    data: `Товар ${at}`,
    param: {
      price: roubles(line.price),
      quantity: decimal(line.thousandths, 3),
      tax: line.tax,
      ...(line.off.kind === "percent" ? { discountType: 1, discountValue: decimal(line.off.part, 2) } : {}),
      ...(line.off.kind === "roubles" ? { discountType: 0, discountValue: roubles(offOf(line)) } : {}),
    },
  }));
  // Another payment is added and taken back: only the remaining sum of each type counts.
  const payments = paymentsOf(cart).flatMap(({ type, sum: paid }) =>
    [roubles(paid), 7, -7].map((summ) => ({ type: "Payment", data: "", param: { summ, typeClose: type } })),
  );
  const open = { type: cart.isReturn ? "OpenCheckReturn" : "OpenCheckSell" };
  return { response: { orderId: "T-1", taskTable: [open, ...items, ...payments, { type: "CloseCheck" }] } };
}

function onlineOrder(cart: Cart): object {
  return {
    timestamp: "20.11.2026 14:05:00",
    external_id: "O-1",
    ...(cart.isReturn ? { operation: "sell_refund" } : {}),
    receipt: {
      attributes: { email: "buyer@example.com", phone: "" },
      items: cart.lines.map((line, at) => ({
        name: `Товар ${at}`,
        price: roubles(line.price),
        quantity: decimal(line.thousandths, 3),
        sum: roubles(totalOf(line)),
        tax: line.tax,
      })),
      total: roubles(sum(cart.lines.map(totalOf))),
      payments: paymentsOf(cart).map(({ type, sum: paid }) => ({ type, sum: roubles(paid) })),
    },
  };
}

/** Tag 1199 of the register's rows 1 to 12. */
const vatOfRow = [1, 2, 5, 6, 3, 4, 7, 8, 9, 10, 11, 12];

async function printAndCompare(world: ContractWorld, cart: Cart, order: object): Promise<void> {
  const outcome = await world.print(saleFrom(order));
  expect(outcome).toEqual({ kind: "printed", warnings: [], document: expect.anything() });
  const { operation, total, lines, payments, change } = world.lastReceipt;
  const wanted = sum(cart.lines.map(totalOf));
  expect([operation, BigInt(total ?? -1)]).toEqual([cart.isReturn ? "return" : "sale", wanted]);

  for (const line of lines) {
    expect(BigInt(line.sum)).toBe(halfUp(BigInt(line.price) * BigInt(line.quantity), 1_000_000n));
  }
  cart.lines.forEach((line, at) => {
    const parts = lines.filter(({ name }) => name === `Товар ${at}`);
    expect(sum(parts.map((part) => BigInt(part.sum)))).toBe(totalOf(line));
    expect(sum(parts.map((part) => BigInt(part.quantity)))).toBe(line.thousandths * 1000n);
    expect(new Set(parts.map(({ vat }) => vat))).toEqual(new Set([vatOfRow[line.tax - 1]]));
    if (offOf(line) === 0n) expect(parts.map(({ price }) => BigInt(price))).toEqual([line.price]);
  });
  expect(sum(lines.map((line) => BigInt(line.sum)))).toBe(wanted);
  expect(sum(payments.map(({ given }) => BigInt(given))) - BigInt(change)).toBe(wanted);
  expect(sum(payments.map((payment) => BigInt(payment.sum)))).toBe(wanted);
  expect(new Map(payments.map(({ typeClose, given }) => [typeClose, BigInt(given)]))).toEqual(
    new Map(paymentsOf(cart).map(({ type, sum: given }) => [type, given])),
  );
}

describe("a random cart in the fiscal memory of a Shtrih-M", () => {
  test.each([
    ["task-table", tableOrder],
    ["online", onlineOrder],
  ] as const)(
    "a random cart in the %s format is in the fiscal memory with the exact sums of the order's JSON",
    (_name, orderOf) =>
      inWorld(subject, async (world) => {
        await world.openShift();
        // The drawer has enough cash for any return.
        expect(world.register.core.moveCash("in", MAX_SUM).ok).toBe(true);
        const everyCart = fc.asyncProperty(anyCart, (cart) => printAndCompare(world, cart, orderOf(cart)));
        // One register serves all carts: only the first failure counts, and a smaller cart would find its leftovers.
        await fc.assert(everyCart, { numRuns: RUNS, endOnFailure: true });
      }),
  );
});
