import { runInNewContext } from "node:vm";
import { Fault, isFault, toFault } from "@fiscald/shared/fault.js";
import { faultCodes, isFaultCode } from "@fiscald/shared/fault-codes.js";

describe("a fault", () => {
  test("speaks the table's words where nothing more exact is said", () => {
    const fault = new Fault("device.paper-out");
    expect([fault.message, fault.retry, fault.resultCode]).toEqual(["The register is out of paper.", "after-help", 4]);
    expect(fault.hint.ru).toContain("бумагу");
    expect([fault.place, fault.details]).toEqual([null, {}]);
  });

  test("keeps place, details and cause", () => {
    const cause = new Error("ECONNRESET");
    const fault = new Fault("link.lost", { message: "gone", place: "till-1", details: { command: "STATE" }, cause });
    expect(fault).toMatchObject({ message: "gone", place: "till-1", details: { command: "STATE" }, cause });
  });

  test("is known by its mark and not by its class", () => {
    expect(isFault(new Fault("internal"))).toBe(true);
    expect([new Error("x"), { code: "internal" }, null, undefined, "internal"].map(isFault)).toEqual(
      Array.from({ length: 5 }, () => false),
    );
  });
});

describe("a foreign error at a border", () => {
  test("becomes a fault of the given code and is kept as its cause", () => {
    const error = new Error("no such port");
    expect(toFault(error, "link.not-found", { place: "till-1" })).toMatchObject({
      code: "link.not-found",
      message: "no such port",
      place: "till-1",
      cause: error,
    });
  });

  test("keeps its words also when it comes from another realm or is no error", () => {
    expect(toFault(runInNewContext("new Error('from afar')"), "internal").message).toBe("from afar");
    expect(toFault("just text", "internal").message).toBe("just text");
    expect(toFault(undefined, "internal").message).toBe("undefined");
  });

  test("that is a fault already stays itself", () => {
    const fault = new Fault("link.busy");
    expect(toFault(fault, "internal")).toBe(fault);
  });
});

describe("the table of codes", () => {
  const codes = Object.keys(faultCodes).filter(isFaultCode);

  test("has words and a hint in both languages for each", () => {
    for (const [code, { text, hint }] of Object.entries(faultCodes)) {
      for (const words of [text.en, text.ru, hint.en, hint.ru]) expect([code, words.length > 5]).toEqual([code, true]);
      expect([code, /[а-яё]/i.test(text.en)]).toEqual([code, false]);
      expect([code, /[а-яё]/i.test(text.ru)]).toEqual([code, true]);
    }
  });

  test("tells no one to wait for a job that was given up", () => {
    const retried = codes.filter((code) => ["repeat", "after-help"].includes(faultCodes[code].retry));
    const hints = retried.map((code) => new Fault(code, { givenUp: true }).hint);
    expect(hints.filter(({ en, ru }) => /by itself|automatically/.test(en) || /сам[аои]?[ .,]/.test(ru))).toEqual([]);
    expect(new Fault("device.paper-out", { givenUp: true }).hint.en).toContain("`fiscald retry`");
  });

  test("knows its own codes and nothing that every object has", () => {
    expect(isFaultCode("link.timeout")).toBe(true);
    expect(isFaultCode("toString")).toBe(false);
  });
});
