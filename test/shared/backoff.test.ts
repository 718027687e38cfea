import { backoffDelayMs } from "@fiscald/shared/backoff.js";

const options = { firstMs: 1000, maxMs: 60_000, jitter: 0 };
const middle = () => 0.5;

test("doubles from the first delay up to the longest", () => {
  expect([1, 2, 3, 6, 7, 8].map((attempt) => backoffDelayMs(attempt, options, middle))).toEqual([
    1000, 2000, 4000, 32_000, 60_000, 60_000,
  ]);
});

test("stays at the longest delay after any number of attempts", () => {
  expect(backoffDelayMs(1_000_000, options, middle)).toBe(60_000);
});

test("grows by the given factor", () => {
  expect(backoffDelayMs(3, { ...options, factor: 3 }, middle)).toBe(9000);
});

test("spreads by the jitter to both sides", () => {
  const spread = { ...options, jitter: 0.2 };
  expect(backoffDelayMs(1, spread, () => 0)).toBe(800);
  expect(backoffDelayMs(1, spread, () => 0.999_999)).toBe(1200);
});

test("takes no attempt for the first one", () => {
  expect(backoffDelayMs(0, options, middle)).toBe(1000);
});
