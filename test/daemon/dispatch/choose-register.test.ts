import {
  chooseRegister,
  createCircuitBreaker,
  type RoutingQuestion,
} from "@fiscald/daemon/dispatch/choose-register.js";
import { type RegisterId, toRegisterId } from "@fiscald/shared/ids.js";

const id = (name: string): RegisterId => toRegisterId(name);
const never = { reason: "other taxpayer", unknown: false };
const unknown = { reason: "not seen", unknown: true };

interface Given {
  readonly own?: "free" | "busy" | "resting" | "gone";
  /** In the order of the config. */
  readonly others?: readonly ("free" | "busy" | "resting")[];
  readonly waited?: boolean;
  readonly lacks?: boolean;
  /** By the place in `others`; absent = no register has an obstacle. */
  readonly obstacles?: readonly (typeof never | null)[];
}

function choose({ own = "free", others = [], waited = false, lacks = false, obstacles = [] }: Given): string {
  const routed = (name: string, state: "free" | "busy" | "resting") => ({
    id: id(name),
    free: state !== "busy",
    resting: state === "resting",
  });
  const question: RoutingQuestion = {
    own: own === "gone" ? null : routed("own", own),
    others: others.map((state, index) => routed(`other-${index}`, state)),
    waitedMs: waited ? 30_000 : 29_999,
    moveAfterMs: 30_000,
    ownLack: lacks ? "internet receipts" : null,
    obstacle: (other) => obstacles[Number(other.split("-")[1])] ?? null,
  };
  const route = chooseRegister(question);
  return route.kind === "move" ? `to ${route.to}` : route.kind;
}

test.each<[string, Given, string]>([
  ["goes to its own free register", { others: ["free"], waited: true }, "here"],
  ["waits at first for its own busy register", { own: "busy", others: ["free"] }, "wait"],
  ["moves when its own register stays busy too long", { own: "busy", others: ["free"], waited: true }, "to other-0"],
  ["moves when its own register is not connected", { own: "gone", others: ["free"], waited: true }, "to other-0"],
  ["waits on while no other register is free", { own: "busy", others: ["busy"], waited: true }, "wait"],
  ["is not sent to a resting register", { own: "busy", others: ["resting", "free"], waited: true }, "to other-1"],
  ["leaves at once a register that keeps failing", { own: "resting", others: ["free"] }, "to other-0"],
  ["stays at a failing register while the others are busy", { own: "resting", others: ["busy"], waited: true }, "here"],
  [
    "is not sent to a register to which it may not move",
    { own: "busy", others: ["free", "free"], waited: true, obstacles: [never, null] },
    "to other-1",
  ],
  ["never goes where it is not allowed", { own: "busy", others: ["free"], waited: true, obstacles: [never] }, "wait"],
  ["goes at once to a register that can print it if its own cannot", { lacks: true, others: ["free"] }, "to other-0"],
  ["waits for a busy register that can print it", { lacks: true, others: ["busy"] }, "wait"],
  ["waits for a register that perhaps can print it", { lacks: true, others: ["free"], obstacles: [unknown] }, "wait"],
  ["goes to its own register if none can print it", { lacks: true, others: ["free"], obstacles: [never] }, "here"],
])("a job %s", (_what, given, route) => {
  expect(choose(given)).toBe(route);
});

const MINUTE = 60_000;

test("a register rests after three failures in a row, and not before", () => {
  const breaker = createCircuitBreaker();
  breaker.failed(0);
  breaker.failed(0);
  expect(breaker.isOpen(0)).toBe(false);
  breaker.failed(0);
  expect(breaker.isOpen(0)).toBe(true);
});

test("a resting register is tried again after a minute, and each further failure doubles its rest up to ten minutes", () => {
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

test("one success ends a register's rest and sets its count of failures to zero", () => {
  const breaker = createCircuitBreaker();
  for (let failure = 0; failure < 3; failure += 1) breaker.failed(0);
  breaker.succeeded();
  expect(breaker.isOpen(0)).toBe(false);
  breaker.failed(0);
  breaker.failed(0);
  expect(breaker.isOpen(0)).toBe(false);
});
