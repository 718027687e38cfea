import { kopecks } from "@fiscald/shared/amounts.js";
import { compileFor, listing, service, text } from "./compile-bench.js";

const PASSWORD = "1E 00 00 00";

describe("a service job for Shtrih-M", () => {
  test("cash in and out of a service job are the Shtrih-M commands 50 and 51", () => {
    const [paidIn, paidOut] = compileFor(
      service(
        { type: "cash", direction: "in", sum: kopecks(12_345) },
        { type: "cash", direction: "out", sum: kopecks(1) },
      ),
    );
    expect(listing(paidIn)).toEqual(["await-printer", `cash-in: 50 ${PASSWORD} 39 30 00 00 00`]);
    expect(listing(paidOut)).toEqual(["await-printer", `cash-out: 51 ${PASSWORD} 01 00 00 00 00`]);
  });

  test.each([
    ["x", "40"],
    ["sections", "42"],
    ["cashiers", "44"],
    ["hours", "45"],
  ] as const)("the %s report is the Shtrih-M command %s", (report, code) => {
    expect(listing(compileFor(service({ type: "report", report }))[0])).toEqual([
      "await-printer",
      `${report}-report: ${code} ${PASSWORD}`,
    ]);
  });

  test("a Z report for Shtrih-M carries the cashier's tags between its beginning and itself", () => {
    const cashier = { name: "A", inn: null };
    const [program] = compileFor(service({ type: "report", report: "z" }), { context: { cashier } });
    expect(listing(program)).toEqual([
      "await-printer",
      `begin-z-report: FF 42 ${PASSWORD}`,
      `tag 1021: FF 0C ${PASSWORD} FD 03 01 00 41`,
      `z-report: 41 ${PASSWORD}`,
    ]);
    expect(program?.fiscalStep).toBe(3);
  });

  test("a Shtrih-M's clock is set date first, while the shift is closed", () => {
    const [program] = compileFor(service({ type: "sync-time" }), { context: { shift: "closed" } });
    expect(listing(program)).toEqual([
      "await-printer",
      `set-date: 22 ${PASSWORD} 14 0B 1A`,
      `confirm-date: 23 ${PASSWORD} 14 0B 1A`,
      `set-time: 21 ${PASSWORD} 0E 05 06`,
    ]);
  });

  test("a Shtrih-M's clock is refused in an open shift, and set behind a Z report of the same job", () => {
    expect(() => compileFor(service({ type: "sync-time" }))).toThrow(
      expect.objectContaining({ code: "device.shift-open" }),
    );
    expect(compileFor(service({ type: "report", report: "z" }, { type: "sync-time" }))).toHaveLength(2);
  });

  test("a Shtrih-M's paper that an electronic receipt left off is switched on before a service job prints", () => {
    const job = service(text("а"), { type: "report", report: "x" }, { type: "report", report: "z" });
    for (const program of compileFor(job, { printIsOff: true })) {
      expect(listing(program)[1]).toBe(`paper-on: 1E ${PASSWORD} 11 01 00 07 00`);
    }
  });
});
