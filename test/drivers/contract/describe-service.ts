import { kopecks } from "@fiscald/shared/amounts.js";
import { addSeconds, secondsBetween } from "@fiscald/shared/local-time.js";
import { renderText } from "@fiscald/shared/paper/render.js";
import type { ReportKind } from "@fiscald/shared/receipt/receipt.js";
import { makeService } from "../../support/make-job.js";
import type { Skip } from "../skips.js";
import { expectSeen } from "./expect-seen.js";
import { item, sale, text } from "./receipts.js";
import type { ContractSubject } from "./subject.js";
import { type ContractWorld, testsOn } from "./world.js";

const DAY = 24 * 3600;

export function describeService(subject: ContractSubject, lacks: readonly Skip[]): void {
  const missing = new Set<string>(lacks.map(({ feature }) => feature));
  const check = testsOn(subject);

  check("a receipt on a closed shift is preceded by a program that opens the shift", async (world) => {
    const programs = await world.compile(sale());
    expect(programs.map(({ kind, witness }) => [kind.type, witness.kind])).toEqual([
      ["shift-open", "shift-open"],
      ["receipt", "receipt"],
    ]);
    expect((await world.print(sale())).kind).toBe("printed");
    expect(typesSince(world, 1)).toEqual(["shift-open", "receipt"]);
  });

  check("the second receipt of a shift does not open the shift again", async (world) => {
    await world.print(sale());
    await world.print(sale({ operation: "return" }));
    expect(typesSince(world, 1)).toEqual(["shift-open", "receipt", "receipt"]);
    expect(world.receipts.map(({ receiptNumber }) => receiptNumber)).toEqual([1, 2]);
  });

  check("a shift of more than 24 hours allows no receipt until a Z report", async (world) => {
    await world.print(sale());
    world.register.core.advanceClock(DAY + 60);
    expect((await world.readState()).shift.state).toBe("expired");
    expect(await world.faultOf(world.compile(sale()))).toBe("device.shift-expired");
    expect((await world.print(makeService([{ type: "report", report: "z" }]))).kind).toBe("printed");
    expect((await world.print(sale())).kind).toBe("printed");
    expect(world.receipts.map(({ shift }) => shift)).toEqual([1, 2]);
  });

  check("a receipt whose shift expires before its print is refused, and nothing is registered", async (world) => {
    await world.openShift();
    const program = await world.compileFirst(sale());
    world.register.core.advanceClock(DAY + 60);
    const outcome = await world.run(program);
    expect(outcome).toMatchObject({ kind: "not-printed", fault: { code: "device.shift-expired" } });
    expect(world.receipts).toEqual([]);
  });

  check("a Z report closes the shift, and its document has the shift's number", async (world) => {
    await world.print(sale());
    const outcome = await world.print(makeService([{ type: "report", report: "z" }]));
    const last = world.register.core.documents.at(-1);
    expect(last).toMatchObject({ type: "shift-close", shift: 1 });
    expect(outcome).toMatchObject({ kind: "printed", document: { fd: last?.fd, shift: 1, receiptNumber: null } });
    expect((await world.readState()).shift).toEqual({ number: 1, state: "closed" });
  });

  check("the totals of a shift count its sales and returns, even after the shift was closed", async (world) => {
    await world.print(sale());
    await world.print(sale());
    const half = [item({ price: kopecks(5_000), total: kopecks(5_000) })];
    await world.print(sale({ operation: "return", lines: half, payments: [{ typeClose: 0, sum: kopecks(5_000) }] }));
    const totals = await world.live(world.driver.readShiftTotals(world.signal));
    expect(totals).toMatchObject({ shift: 1, sales: 20_000, returns: 5_000 });
    expect([null, 2]).toContain(totals?.saleCount);
    expect([null, 1]).toContain(totals?.returnCount);
    await world.print(makeService([{ type: "report", report: "z" }]));
    expect(await world.live(world.driver.readShiftTotals(world.signal))).toEqual(totals);
  });

  check(
    "the documents of a shift, from opening to closing, are read back as the fiscal memory has them",
    async (world) => {
      await world.print(sale({ contact: "buyer@example.com" }));
      await world.print(sale({ operation: "return" }));
      await world.print(makeService([{ type: "report", report: "z" }]));
      const { documents } = world.register.core;
      for (const fd of [0, 1, 3, documents.length]) {
        const seen = await world.live(world.driver.documentsSince(fd, world.signal));
        expectSeen(seen, documents.slice(fd), world.driver.capabilities.documentBodies);
      }
    },
  );

  for (const direction of ["in", "out"] as const) {
    check(`cash ${direction} moves the drawer and is no fiscal document`, async (world) => {
      await world.openShift();
      const { core } = world.register;
      const [cash, fd] = [core.cash, core.lastFd];
      const outcome = await world.print(makeService([{ type: "cash", direction, sum: kopecks(12_345) }]));
      expect(outcome).toMatchObject({ kind: "printed", document: null });
      expect(core.cash - cash).toBe(direction === "in" ? 12_345 : -12_345);
      expect(core.lastFd).toBe(fd);
    });

    const counted = testsOn(subject, !missing.has("drawer totals"));
    counted(`cash ${direction} is counted in the drawer's totals, which witness the job`, async (world) => {
      await world.openShift();
      const before = (await world.readState()).drawer;
      await world.print(makeService([{ type: "cash", direction, sum: kopecks(700) }]));
      const after = (await world.readState()).drawer;
      if (before === null || after === null) throw new Error("no drawer totals");
      const counter = direction === "in" ? "cashIn" : "cashOut";
      expect(after[counter] - before[counter]).toBe(700);
      expect(after.cash).toBe(world.register.core.cash);
    });
  }

  check(
    "a payout of more cash than the drawer has changes nothing in the drawer and leaves the job unsure",
    async (world) => {
      await world.openShift();
      const { cash } = world.register.core;
      const outcome = await world.print(makeService([{ type: "cash", direction: "out", sum: kopecks(cash + 1) }]));
      expect(outcome).toMatchObject({ kind: "unsure", fault: { code: "device.not-enough-cash" } });
      expect(world.register.core.cash).toBe(cash);
    },
  );

  check("a cash job whose answer is lost is settled by the sum in the cash drawer", async (world) => {
    await world.openShift();
    const before = await world.baseline();
    world.register.addFault({ effect: "drop-answer", when: { command: "cash-in", nth: 1 } });
    const outcome = await world.print(makeService([{ type: "cash", direction: "in", sum: kopecks(700) }]));
    expect(["printed", "unsure"]).toContain(outcome.kind);
    world.register.clearFaults();
    await world.connect();
    const { drawer } = await world.readState();
    if (drawer === null || before.drawer === null) return;
    expect(drawer.cashIn - before.drawer.cashIn).toBe(world.register.core.shiftRecord.cashIn);
  });

  for (const report of ["x", "sections", "cashiers", "hours"] satisfies ReportKind[]) {
    const job = makeService([{ type: "report", report }]);
    const able = !missing.has(`report ${report}`);
    testsOn(subject, able)(
      `the report ${report} is printed and changes nothing in the fiscal memory`,
      async (world) => {
        await world.print(sale());
        const { core } = world.register;
        const [fd, rows] = [core.lastFd, core.tape.rows.length];
        expect(await world.print(job)).toMatchObject({ kind: "printed", document: null });
        expect([core.lastFd, core.shift]).toEqual([fd, "open"]);
        expect(core.tape.rows.length).toBeGreaterThan(rows);
      },
    );
    testsOn(subject, !able)(
      `the report ${report} is refused before the first byte by a register that lacks it`,
      async (world) => {
        const context = await world.context();
        const refusal = expect.objectContaining({ code: "receipt.unsupported" });
        expect(() => world.driver.compile(job, context)).toThrow(refusal);
      },
    );
  }

  check("a clock job sets the register to the given time while the shift is closed", async (world) => {
    const wanted = addSeconds(world.register.core.now(), 240);
    expect((await world.print(makeService([{ type: "sync-time" }]), { localTime: wanted })).kind).toBe("printed");
    expect(Math.abs(secondsBetween(wanted, world.register.core.now()))).toBeLessThanOrEqual(60);
  });

  check(
    "a service job that sets the clock in an open shift is refused as a whole before the first byte",
    async (world) => {
      await world.openShift();
      const job = makeService([{ type: "cash", direction: "in", sum: kopecks(100) }, { type: "sync-time" }]);
      expect(await world.faultOf(world.compile(job))).toBe("device.shift-open");
      const closing = makeService([{ type: "report", report: "z" }, { type: "sync-time" }]);
      expect((await world.print(closing)).kind).toBe("printed");
    },
  );

  check(
    "a service job of many lines becomes one program for each effect, with the texts in between in sequence",
    async (world) => {
      await world.openShift();
      const job = makeService([
        text("НАЧАЛО"),
        { type: "cash", direction: "in", sum: kopecks(100) },
        text("СЕРЕДИНА"),
        { type: "cash", direction: "out", sum: kopecks(50) },
        { type: "report", report: "z" },
      ]);
      const programs = await world.compile(job);
      expect(programs.map(({ kind }) => kind.type)).toEqual(["print", "cash", "print", "cash", "report"]);
      const effects = programs.filter(({ witness }) => witness.kind !== "none");
      expect(effects.map(({ kind }) => kind)).toEqual([
        { type: "cash", direction: "in", sum: 100 },
        { type: "cash", direction: "out", sum: 50 },
        { type: "report", report: "z" },
      ]);
      for (const { fiscalStep, witness } of programs) expect(fiscalStep === null).toBe(witness.kind === "none");
      expect((await world.print(job)).kind).toBe("printed");
      const { core } = world.register;
      expect([core.shiftRecord.cashIn, core.shiftRecord.cashOut, core.shift]).toEqual([100, 50, "closed"]);
      const paper = renderText(core.tape.rows, { columns: core.tape.columns });
      const places = ["НАЧАЛО", "СЕРЕДИНА"].map((part) => paper.indexOf(part));
      expect(places).not.toContain(-1);
      expect(places[0]).toBeLessThan(places[1] ?? 0);
    },
  );
}

function typesSince(world: ContractWorld, fd: number): readonly string[] {
  return world.register.core.documents.filter((document) => document.fd > fd).map(({ type }) => type);
}
