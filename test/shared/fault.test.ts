import { runInNewContext } from "node:vm";
import { Fault, isFault, toFault } from "@fiscald/shared/fault.js";
import { faultCodes, isFaultCode } from "@fiscald/shared/fault-codes.js";

describe("a fault", () => {
  test("a fault without a message of its own has the table's message", () => {
    const fault = new Fault("device.paper-out");
    expect([fault.message, fault.retry, fault.resultCode]).toEqual(["The register is out of paper.", "after-help", 4]);
    expect(fault.hint.ru).toContain("бумагу");
    expect([fault.place, fault.details]).toEqual([null, {}]);
  });

  test("a fault keeps its place, details and cause", () => {
    const cause = new Error("ECONNRESET");
    const fault = new Fault("link.lost", { message: "gone", place: "till-1", details: { command: "STATE" }, cause });
    expect(fault).toMatchObject({ message: "gone", place: "till-1", details: { command: "STATE" }, cause });
  });

  test("a fault is recognised, and an error or an object with a fault's code does not count as one", () => {
    expect(isFault(new Fault("internal"))).toBe(true);
    expect([new Error("x"), { code: "internal" }, null, undefined, "internal"].map(isFault)).toEqual(
      Array.from({ length: 5 }, () => false),
    );
  });
});

describe("an error that becomes a fault", () => {
  test("a foreign error becomes a fault of the given code and is kept as the fault's cause", () => {
    const error = new Error("no such port");
    expect(toFault(error, "link.not-found", { place: "till-1" })).toMatchObject({
      code: "link.not-found",
      message: "no such port",
      place: "till-1",
      cause: error,
    });
  });

  test("a foreign error from another realm, and a thrown text, keep their message as a fault", () => {
    expect(toFault(runInNewContext("new Error('from afar')"), "internal").message).toBe("from afar");
    expect(toFault("just text", "internal").message).toBe("just text");
    expect(toFault(undefined, "internal").message).toBe("undefined");
  });

  test("an error that is a fault already stays the same fault", () => {
    const fault = new Fault("link.busy");
    expect(toFault(fault, "internal")).toBe(fault);
  });
});

describe("the table of fault codes", () => {
  const codes = Object.keys(faultCodes).filter(isFaultCode);

  test("the hint for a job that failed for good does not tell the reader to wait", () => {
    const retried = codes.filter((code) => ["repeat", "after-help"].includes(faultCodes[code].retry));
    const hints = retried.map((code) => new Fault(code, { givenUp: true }).hint);
    expect(
      hints.filter(({ en, ru }) => /by itself|automatically|is tried again/.test(en) || /сам[аои]?[ .,]/.test(ru)),
    ).toEqual([]);
    expect(new Fault("device.paper-out", { givenUp: true }).hint.en).toContain("`fiscald retry JOB`");
  });

  test("a code of the table is a fault code, and the name of a method that every object has is none", () => {
    expect(isFaultCode("link.timeout")).toBe(true);
    expect(isFaultCode("toString")).toBe(false);
  });
});
