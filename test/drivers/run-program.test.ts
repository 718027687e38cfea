import type { Baseline, DeviceState, DocumentNumbers, DrawerTotals } from "@fiscald/drivers/fiscal-driver.js";
import type { Program, Step } from "@fiscald/drivers/program.js";
import { type ProgramPort, runProgram, type StepAnswer } from "@fiscald/drivers/run-program.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import { type FaultCode, isFaultCode } from "@fiscald/shared/fault-codes.js";
import { toFnSerial } from "@fiscald/shared/ids.js";
import { parseLocalTime } from "@fiscald/shared/local-time.js";

const fn = toFnSerial("9999078900000001");
const never = new AbortController().signal;
const drawer: DrawerTotals = { cash: kopecks(10_000), cashIn: kopecks(10_000), cashOut: kopecks(0) };
const baseline: Baseline = { fn, lastFd: 41, shift: { number: 3, state: "open" }, drawer };
const time = parseLocalTime("2026-11-20T14:05") ?? fail("time");

const numbers: DocumentNumbers = { fn, fd: 42, fiscalSign: "0123456789", shift: 3, receiptNumber: 7, time };

const clean: DeviceState = {
  fn,
  lastFd: 41,
  shift: { number: 3, state: "open" },
  paper: "present",
  coverOpen: false,
  openReceipt: null,
  print: "idle",
  drawer,
  unsent: null,
  clock: time,
  shiftOpenedAt: null,
  fnWarnings: 0,
  fnDaysLeft: null,
  fnDocumentsLeft: null,
  blockedBy: null,
};

type Script = Partial<Record<string, StepAnswer | FaultCode>>;

interface PortScript {
  /** The answer or fault of each step; a step without an entry succeeds. */
  readonly steps?: Script;
  readonly fence?: DeviceState | FaultCode;
  readonly numbers?: DocumentNumbers | FaultCode;
  readonly drawer?: DrawerTotals | null | FaultCode;
  readonly finish?: FaultCode;
}

/** A port that follows the script, and a record of its calls. */
function scriptedPort(script: PortScript = {}) {
  const asked: string[] = [];
  const answer = <T>(what: string, value: T | FaultCode): T => {
    asked.push(what);
    if (typeof value === "string" && isFaultCode(value)) throw new Fault(value);
    return value;
  };
  const port: ProgramPort<string> = {
    execute: async (step) => answer(step.name, script.steps?.[step.name] ?? defaultAnswer(step)),
    fence: async ({ cancelOpen }) => answer(cancelOpen ? "fence and cancel" : "fence", script.fence ?? clean),
    readNumbers: async (_, fd) => answer(`numbers ${fd}`, script.numbers ?? numbers),
    readDrawer: async () => answer("drawer", script.drawer === undefined ? null : script.drawer),
    finishPrint: async () => answer("finish print", script.finish ?? undefined),
  };
  return { port, asked };
}

function defaultAnswer(step: Step<string>): StepAnswer {
  if (step.name === "close") return { fd: 42 };
  return step.expectSubtotal === undefined ? {} : { subtotal: step.expectSubtotal };
}

const step = (name: string, over: Partial<Step<string>> = {}): Step<string> => ({
  name,
  command: name,
  repeatable: false,
  ...over,
});

const receipt: Program<string> = {
  kind: { type: "receipt", operation: "sale", total: kopecks(5_000) },
  witness: { kind: "receipt", document: "receipt", operation: "sale", total: kopecks(5_000), mark: null },
  steps: [
    step("ready"),
    step("open", { opensReceipt: true }),
    step("text", { optional: true }),
    step("picture 1", { optional: true, group: "picture" }),
    step("picture 2", { optional: true, group: "picture" }),
    step("item"),
    step("subtotal", { expectSubtotal: kopecks(5_000) }),
    step("close"),
    step("cut"),
    step("footer"),
  ],
  fiscalStep: 7,
  warnings: [],
};

const upTo = (name: string) =>
  receipt.steps.slice(0, receipt.steps.findIndex((s) => s.name === name) + 1).map((s) => s.name);

async function run(script: PortScript, program = receipt, over: Partial<Baseline> = {}) {
  const { port, asked } = scriptedPort(script);
  const outcome = await runProgram({ program, baseline: { ...baseline, ...over }, port, signal: never });
  return { outcome, asked };
}

describe("a program without trouble", () => {
  test("a program without trouble runs each step once in sequence and is printed with its document's numbers", async () => {
    const { outcome, asked } = await run({});
    expect(outcome).toEqual({ kind: "printed", document: numbers, warnings: [] });
    expect(asked).toEqual([...upTo("close"), "numbers 42", "cut", "footer"]);
  });

  test("a program that leaves something out is printed with a warning", async () => {
    const { outcome } = await run({}, { ...receipt, warnings: ["no italic"] });
    expect(outcome).toMatchObject({
      kind: "printed",
      warnings: [{ code: "receipt.unsupported", message: "no italic" }],
    });
  });

  test("when the answer to the close names no document, the program reads the last document of the drive", async () => {
    const { asked } = await run({ steps: { close: {} } });
    expect(asked).toContain("numbers null");
  });
});

describe("before the fiscal step", () => {
  test("after a refusal before the fiscal step, the program's open receipt is cancelled, and the program is not printed", async () => {
    const { outcome, asked } = await run({ steps: { item: "device.bad-value" } });
    expect(outcome).toMatchObject({ kind: "not-printed", fault: { code: "device.bad-value" } });
    expect(asked).toEqual([...upTo("item"), "fence and cancel"]);
  });

  test.each(["item 2", "item 2 mark", "item 2 rest", "mark 2", "check-mark 2"])(
    "the fault of a refusal at the step %s names the second position",
    async (at) => {
      const { outcome } = await run({ steps: { [at]: "device.marking-refused" } }, { ...receipt, steps: [step(at)] });
      expect(outcome).toMatchObject({ fault: { code: "device.marking-refused", place: "items[1]" } });
    },
  );

  test.each(["ready", "open"])("a refusal at the step %s leaves another program's open receipt alone", async (at) => {
    const openReceipt = { operation: null, subtotal: null };
    const { outcome, asked } = await run({
      steps: { [at]: "device.receipt-open" },
      fence: { ...clean, openReceipt },
    });
    expect(outcome).toMatchObject({ kind: "not-printed", fault: { code: "device.receipt-open" } });
    expect(asked).toEqual([...upTo(at), "fence"]);
  });

  test.each(["link.timeout", "link.corrupt", "link.lost", "link.aborted"] as const)(
    "%s before the fiscal step leaves the job unsure at once, because no connection is left to cancel the receipt",
    async (code) => {
      const { outcome, asked } = await run({ steps: { item: code } });
      expect(outcome).toMatchObject({ kind: "unsure", fault: { code } });
      expect(asked).toEqual(upTo("item"));
    },
  );

  test.each<[string, DeviceState | FaultCode]>([
    ["a fence that fails", "link.timeout"],
    ["a fence that the register refuses", "device.paper-out"],
    ["the driver's own receipt that stays open", { ...clean, openReceipt: { operation: "sale", subtotal: null } }],
    ["one more document than before", { ...clean, lastFd: 42 }],
    ["another fiscal drive", { ...clean, fn: toFnSerial("9999078900000002") }],
  ])("a refused step followed by %s leaves the job unsure, with the message of the first fault", async (_, fence) => {
    const { outcome } = await run({ steps: { item: "device.bad-value" }, fence });
    expect(outcome).toMatchObject({ kind: "unsure", fault: { code: "device.bad-value" } });
  });

  test.each([4_999, 5_001, 10_000])("a subtotal of %i instead of 5000 cancels the receipt", async (subtotal) => {
    const { outcome, asked } = await run({ steps: { subtotal: { subtotal: kopecks(subtotal) } } });
    expect(outcome).toMatchObject({ kind: "not-printed", fault: { code: "device.subtotal-mismatch" } });
    expect(asked).toEqual([...upTo("subtotal"), "fence and cancel"]);
  });

  test("a missing subtotal leaves the receipt not printed, with the fault of a wrong subtotal", async () => {
    const { outcome } = await run({ steps: { subtotal: {} } });
    expect(outcome).toMatchObject({ kind: "not-printed", fault: { code: "device.subtotal-mismatch" } });
  });

  test("a failure of a cosmetic step before the fiscal step is a warning, and the receipt is printed", async () => {
    const { outcome } = await run({ steps: { text: "device.bad-value" } });
    expect(outcome).toMatchObject({ kind: "printed", warnings: [{ code: "device.bad-value" }] });
  });

  test("after one part of a picture has failed, the picture's other parts are left out", async () => {
    const { outcome, asked } = await run({ steps: { "picture 1": "device.not-supported" } });
    expect(outcome).toMatchObject({ kind: "printed", warnings: [{ code: "device.not-supported" }] });
    expect(asked).not.toContain("picture 2");
  });

  test.each(["device.paper-out", "device.cover-open", "device.printer-fault", "device.print-unfinished"] as const)(
    "%s at a cosmetic step fails the receipt as not printed, because nothing more can be printed",
    async (code) => {
      const { outcome } = await run({ steps: { text: code } });
      expect(outcome).toMatchObject({ kind: "not-printed", fault: { code } });
    },
  );

  test("a connection lost at a cosmetic step before the fiscal step leaves the job unsure", async () => {
    expect((await run({ steps: { text: "link.lost" } })).outcome.kind).toBe("unsure");
  });
});

describe("at the fiscal step", () => {
  test.each(["link.timeout", "link.lost", "link.aborted", "device.bad-value", "device.shift-expired"] as const)(
    "%s at the fiscal step leaves the job unsure, and nothing is cancelled, repeated or printed",
    async (code) => {
      const { outcome, asked } = await run({ steps: { close: code } });
      expect(outcome).toMatchObject({ kind: "unsure", fault: { code } });
      expect(asked).toEqual(upTo("close"));
    },
  );

  test.each([40, 41])(
    "a good answer to the fiscal step with document %i, which is not newer, leaves the job unsure",
    async (fd) => {
      const { outcome } = await run({ steps: { close: { fd } } });
      expect(outcome).toMatchObject({ kind: "unsure", fault: { code: "link.corrupt" } });
    },
  );

  test("an old document's numbers leave the job unsure when the answer to the fiscal step names no document", async () => {
    const { outcome } = await run({ steps: { close: {} }, numbers: { ...numbers, fd: 41 } });
    expect(outcome).toMatchObject({ kind: "unsure", fault: { code: "link.corrupt" } });
  });

  test("numbers of another fiscal drive after the fiscal step leave the job unsure", async () => {
    const { outcome } = await run({ numbers: { ...numbers, fn: toFnSerial("9999078900000002") } });
    expect(outcome).toMatchObject({ kind: "unsure", fault: { code: "link.corrupt" } });
  });

  test("numbers that cannot be read after the fiscal step leave the job unsure", async () => {
    const { outcome, asked } = await run({ numbers: "link.timeout" });
    expect(outcome).toMatchObject({ kind: "unsure", fault: { code: "link.timeout" } });
    expect(asked).not.toContain("cut");
  });
});

describe("after the fiscal step", () => {
  test("a refusal after the fiscal step is a warning, and the other steps follow", async () => {
    const { outcome, asked } = await run({ steps: { cut: "device.hardware" } });
    expect(outcome).toMatchObject({ kind: "printed", document: numbers, warnings: [{ code: "device.hardware" }] });
    expect(asked.slice(-2)).toEqual(["cut", "footer"]);
  });

  test("a connection lost after the fiscal step is a warning, and no step follows", async () => {
    const { outcome, asked } = await run({ steps: { cut: "link.lost" } });
    expect(outcome).toMatchObject({ kind: "printed", document: numbers, warnings: [{ code: "link.lost" }] });
    expect(asked.at(-1)).toBe("cut");
  });

  test("a print that is unfinished after the fiscal step is continued once", async () => {
    const { outcome, asked } = await run({ steps: { cut: "device.print-unfinished" } });
    expect(outcome).toMatchObject({ kind: "printed", warnings: [{ code: "device.print-unfinished" }] });
    expect(asked.slice(-2)).toEqual(["cut", "finish print"]);
  });

  test("an unfinished print that cannot be continued adds one more warning to the printed receipt", async () => {
    const { outcome } = await run({ steps: { cut: "device.paper-out" }, finish: "device.paper-out" });
    expect(outcome).toMatchObject({
      kind: "printed",
      warnings: [{ code: "device.paper-out" }, { code: "device.paper-out" }],
    });
  });
});

describe("a program with another witness", () => {
  const cash: Program<string> = {
    kind: { type: "cash", direction: "in", sum: kopecks(500) },
    witness: { kind: "drawer", direction: "in", sum: kopecks(500) },
    steps: [step("ready"), step("cash")],
    fiscalStep: 1,
    warnings: [],
  };
  const moved: DrawerTotals = { ...drawer, cashIn: kopecks(10_500) };

  test("a deposit of cash counts as printed, without a document, when the sum in the drawer has changed", async () => {
    const { outcome, asked } = await run({ drawer: moved }, cash);
    expect(outcome).toEqual({ kind: "printed", document: null, warnings: [] });
    expect(asked).toEqual(["ready", "cash", "drawer"]);
  });

  test("a deposit of cash with a good answer is unsure when the sum in the drawer has not changed or cannot be read any more", async () => {
    const outcome = { kind: "unsure", fault: { code: "device.cash-unproven" } };
    expect((await run({ drawer }, cash)).outcome).toMatchObject(outcome);
    for (const unread of ["link.timeout", null] as const) {
      expect((await run({ drawer: unread }, cash)).outcome).toMatchObject(outcome);
    }
  });

  test("a deposit of cash counts as printed when the register counts only the drawer's sum, and that sum has changed", async () => {
    const sumOnly = { ...drawer, cashIn: kopecks(0) };
    const after = { ...sumOnly, cash: kopecks(10_500) };
    expect((await run({ drawer: after }, cash, { drawer: sumOnly })).outcome.kind).toBe("printed");
  });

  test("a deposit of cash counts as printed by its answer on a register without drawer totals", async () => {
    expect((await run({}, cash, { drawer: null })).outcome.kind).toBe("printed");
  });

  test("a payout of cash counts as printed when the counter of payouts has changed, whatever the counter of deposits says", async () => {
    const out: Program<string> = { ...cash, witness: { kind: "drawer", direction: "out", sum: kopecks(500) } };
    expect((await run({ drawer: moved }, out)).outcome.kind).toBe("unsure");
    expect((await run({ drawer: { ...drawer, cashOut: kopecks(500) } }, out)).outcome.kind).toBe("printed");
  });

  test("a plain print needs no document, and after its refusal nothing more is read from the register", async () => {
    const print: Program<string> = {
      kind: { type: "print" },
      witness: { kind: "none" },
      steps: [step("text")],
      fiscalStep: null,
      warnings: [],
    };
    expect((await run({}, print)).outcome).toEqual({ kind: "printed", document: null, warnings: [] });
    const refused = await run({ steps: { text: "device.paper-out" } }, print);
    expect([refused.outcome.kind, refused.asked]).toEqual(["not-printed", ["text"]]);
    expect((await run({ steps: { text: "link.timeout" } }, print)).outcome.kind).toBe("unsure");
  });
});

test("a program that is aborted before the first byte throws, and reads nothing from the register", async () => {
  const { port, asked } = scriptedPort();
  const running = runProgram({ program: receipt, baseline, port, signal: AbortSignal.abort() });
  await expect(running).rejects.toMatchObject({ code: "link.aborted" });
  expect(asked).toEqual([]);
});

function fail(what: string): never {
  throw new Error(`no ${what}`);
}
