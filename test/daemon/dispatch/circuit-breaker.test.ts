import { createCircuitBreaker } from "@fiscald/daemon/dispatch/circuit-breaker.js";

const MINUTE = 60_000;

test("a register rests after three failures in a row, and not before", () => {
  const breaker = createCircuitBreaker();
  breaker.failed(0);
  breaker.failed(0);
  expect(breaker.isOpen(0)).toBe(false);
  breaker.failed(0);
  expect(breaker.isOpen(0)).toBe(true);
});

test("it is tried again after a minute; each further failure doubles its rest, up to ten minutes", () => {
  const breaker = createCircuitBreaker();
  let at = 0;
  breaker.failed(at);
  breaker.failed(at);
  for (const minutes of [1, 2, 4, 8, 10, 10]) {
    breaker.failed(at);
    expect(breaker.isOpen(at + minutes * MINUTE - 1)).toBe(true);
    at += minutes * MINUTE;
    expect(breaker.isOpen(at)).toBe(false);
  }
});

test("one success ends the rest and the count", () => {
  const breaker = createCircuitBreaker();
  for (let failure = 0; failure < 3; failure += 1) breaker.failed(0);
  breaker.succeeded();
  expect(breaker.isOpen(0)).toBe(false);
  breaker.failed(0);
  breaker.failed(0);
  expect(breaker.isOpen(0)).toBe(false);
});
