import { kopecks, ONE_UNIT } from "@fiscald/shared/amounts.js";
import { type Fault, isFault } from "@fiscald/shared/fault.js";
import type { Skip } from "../skips.js";
import { sale } from "./receipts.js";
import type { ContractSubject } from "./subject.js";
import { type ContractWorld, inWorld, testsOn } from "./world.js";

export function describeLife(subject: ContractSubject, lacks: readonly Skip[]): void {
  /** Only where a receipt is many requests can it stay open, and only there does a connection last. */
  const isInSteps = !lacks.some(({ feature }) => feature === "receipt in steps");
  const [check, inSteps] = [testsOn(subject), testsOn(subject, isInSteps)];

  check("connecting reads the register's identity as in its registration", async (world) => {
    const identity = await world.connect();
    const { registration, fn } = world.register.core;
    expect(identity).toMatchObject({
      kkm: registration.kkm,
      inn: registration.inn,
      fn,
      serial: registration.serial,
      taxSystems: registration.taxSystems,
    });
    expect(identity.model).not.toBe("");
    expect(identity.firmware).not.toBe("");
    expect([null, "1.05", "1.1", "1.2"]).toContain(identity.ffd);
  });

  check(
    "connecting after the fiscal drive was changed reads the new drive's number and last document",
    async (world) => {
      world.register.core.swapDrive("9999078900009999");
      expect((await world.connect()).fn).toBe("9999078900009999");
      expect((await world.readState()).lastFd).toBe(world.register.core.lastFd);
    },
  );

  check("the state after a sale agrees with the fiscal memory", async (world) => {
    await world.print(sale());
    const { core } = world.register;
    expect(await world.readState()).toMatchObject({
      fn: core.fn,
      lastFd: core.lastFd,
      shift: { number: core.shiftRecord.number, state: "open" },
      openReceipt: null,
      coverOpen: false,
      print: "idle",
      blockedBy: null,
    });
  });

  check("the state reports the register's own clock when it differs from the computer's", async (world) => {
    world.register.core.advanceClock(-3600);
    expect((await world.readState()).clock?.slice(0, 16)).toBe(world.register.core.now().slice(0, 16));
  });

  check("the state counts the documents that wait for the OFD, and says since when", async (world) => {
    world.register.core.setOfdConnected(false);
    await world.print(sale());
    const { unsent } = await world.readState();
    expect(unsent?.count).toBe(world.register.core.unsent.count);
    expect(unsent?.count).toBeGreaterThan(0);
    // Only this time shows how long the oldest document has waited.
    expect(unsent?.firstAt).not.toBeNull();
  });

  check("the state of a register without paper says that the paper is out until paper is put in", async (world) => {
    world.register.addFault({ effect: "paper-out", when: "now" });
    const state = await world.readState();
    expect([state.paper, state.blockedBy?.code]).toEqual(["out", "device.paper-out"]);
    world.register.clearFaults();
    expect((await world.readState()).blockedBy).toBeNull();
  });

  check(
    "the state of a register with an open cover says that nothing can be printed because of the cover",
    async (world) => {
      world.register.addFault({ effect: "cover-open", when: "now" });
      const { coverOpen, blockedBy } = await world.readState();
      expect(blockedBy?.code).toBe(coverOpen ? "device.cover-open" : "device.paper-out");
    },
  );

  check("connecting and reading write nothing to the fiscal memory, however often they are repeated", async (world) => {
    await world.print(sale());
    const before = JSON.stringify(world.register.core.documents);
    for (let times = 0; times < 5; times += 1) {
      await world.connect();
      await world.readState();
      await world.live(world.driver.readTables(world.signal));
      await world.live(world.driver.readShiftTotals(world.signal));
      await world.live(world.driver.documentsSince(0, world.signal));
    }
    expect(JSON.stringify(world.register.core.documents)).toBe(before);
  });

  inSteps("the state shows a receipt that another program has open", async (world) => {
    await openForeign(world);
    const { openReceipt } = await world.readState();
    expect(openReceipt).not.toBeNull();
    expect([null, "sale"]).toContain(openReceipt?.operation);
    expect([null, 700]).toContain(openReceipt?.subtotal);
  });

  inSteps(
    "a fence that may not cancel leaves another program's open receipt alone and shows it in the state",
    async (world) => {
      await openForeign(world);
      const state = await world.fence(false);
      expect(state.openReceipt).not.toBeNull();
      expect(state.lastFd).toBe(world.register.core.lastFd);
      expect(world.register.core.receipt?.lines).toHaveLength(1);
    },
  );

  inSteps(
    "a program that meets another program's open receipt at its first step leaves that receipt alone",
    async (world) => {
      await world.openShift();
      const program = await world.compileFirst(sale());
      const baseline = await world.baseline();
      // The other program may use the same operator as the driver.
      await openForeign(world, 30);
      const outcome = await world.live(world.driver.run(program, baseline, world.signal));
      expect(outcome).toMatchObject({ kind: "not-printed", fault: { code: "device.receipt-open" } });
      expect(world.register.core.receipt?.lines).toHaveLength(1);
    },
  );

  inSteps("a fence that may cancel cancels the driver's open receipt, and then reads the numbers", async (world) => {
    await world.openShift();
    const program = await world.compileFirst(sale());
    world.register.addFault({ effect: "unplug", ms: 1_000, when: { command: "subtotal", nth: 1 } });
    const { lastFd } = await world.baseline();
    expect((await world.run(program)).kind).toBe("unsure");
    expect(world.register.core.receipt?.lines).toHaveLength(1);
    await world.clock.advance(5_000);
    await world.connect();
    const state = await world.fence(true);
    expect([state.openReceipt, state.lastFd]).toEqual([null, lastFd]);
    expect(world.register.core.receipt).toBeNull();
    expect(world.receipts).toEqual([]);
  });

  inSteps("a connection that breaks between two requests is reported as lost once", async (world) => {
    const lost: Fault[] = [];
    world.driver.onLost((fault) => lost.push(fault));
    world.register.device.unplug(1_000);
    await world.clock.advance(5_000);
    expect(lost.map(({ code }) => code)).toEqual(["link.lost"]);
    await world.connect();
    expect((await world.readState()).fn).toBe(world.register.core.fn);
    expect(lost).toHaveLength(1);
  });

  check("a connection that the driver closes itself is not reported as lost", async (world) => {
    const lost: Fault[] = [];
    world.driver.onLost((fault) => lost.push(fault));
    await world.live(world.driver.close());
    await world.clock.advance(5_000);
    expect(lost).toEqual([]);
  });

  check("connecting fails while the cable is out, and succeeds when the cable is back", async (world) => {
    await world.live(world.driver.close());
    world.register.device.unplug(10_000);
    expect(await world.faultOf(world.driver.connect(world.signal))).toMatch(/^link\./);
    await world.clock.advance(10_000);
    await world.connect();
  });

  check("connecting to a device that never answers fails in bounded time", async (world) => {
    await world.live(world.driver.close());
    world.register.addFault({ effect: "silent", when: "now" });
    const before = world.clock.monotonic();
    expect(await world.faultOf(world.driver.connect(world.signal))).toMatch(/^link\./);
    expect(world.clock.monotonic() - before).toBeLessThan(60_000);
  });

  check("a closed driver sends no more bytes, even when its state is read", async (world) => {
    await world.live(world.driver.close());
    const sent = world.bytesSent;
    expect(await world.faultOf(world.driver.readState(world.signal))).toMatch(/^link\./);
    await world.clock.advance(60_000);
    expect(world.bytesSent).toBe(sent);
  });

  check("a driver that is closed after a sale leaves no timer behind", async (world) => {
    await world.print(sale());
    await world.live(world.driver.close());
    expect(world.clock.pending).toBe(0);
  });

  check("a driver shows its last frames in both directions, even after it was closed", async (world) => {
    await world.readState();
    const frames = world.driver.lastFrames();
    expect(new Set(frames.map(({ direction }) => direction))).toEqual(new Set(["out", "in"]));
    for (const { hex } of frames) expect(hex).toMatch(/^[0-9A-Fa-f]{2}( ?[0-9A-Fa-f]{2})*$/);
    expect(frames.some(({ command }) => command !== null)).toBe(true);
    await world.live(world.driver.close());
    expect(world.driver.lastFrames()).toEqual(frames);
  });

  check("an abort before the first byte of a program throws, and nothing is sent", async (world) => {
    const program = await world.compileFirst(sale());
    const baseline = await world.baseline();
    const sent = world.bytesSent;
    const aborted = AbortSignal.abort(new Error("stop"));
    expect(await world.faultOf(world.driver.run(program, baseline, aborted))).toBe("link.aborted");
    expect(world.bytesSent).toBe(sent);
  });

  const middles = isInSteps ? ["item", "close-receipt"] : ["close-receipt"];
  test.each(middles)(
    "an abort in the middle of a receipt, at %s, leaves the job unsure, and no more bytes are sent",
    (command) =>
      inWorld(subject, async (world) => {
        await world.openShift();
        const program = await world.compileFirst(sale());
        const baseline = await world.baseline();
        const abort = new AbortController();
        let sentAtAbort = -1;
        world.register.device.addBehaviour({
          onCommand: ({ names }) => {
            if (!names.includes(command)) return "pass";
            abort.abort(new Error("stop"));
            sentAtAbort = world.bytesSent;
            return "pass";
          },
        });
        const outcome = await world.live(world.driver.run(program, baseline, abort.signal));
        expect(outcome.kind).toBe("unsure");
        await world.clock.advance(60_000);
        expect(sentAtAbort).toBeGreaterThan(0);
        expect(world.bytesSent).toBe(sentAtAbort);
      }),
  );

  check("an abort of a reading ends that reading at once with a fault of the link", async (world) => {
    world.register.addFault({ effect: "silent", when: "now" });
    const abort = new AbortController();
    const reading = world.driver.readState(abort.signal).catch((error: unknown) => error);
    abort.abort(new Error("stop"));
    const error = await world.live(reading);
    expect(isFault(error) ? error.code : error).toBe("link.aborted");
  });
}

/** Another program sells something for 7.00 and leaves the receipt open. */
async function openForeign(world: ContractWorld, operator = 7): Promise<void> {
  const { core } = world.register;
  if (core.shift === "closed") await world.openShift();
  const [tax] = core.registration.taxes;
  if (tax === undefined) throw new Error("no tax row");
  core.openReceipt({ operation: "sale", operator });
  const line = { name: "Чужое", price: kopecks(700), quantity: ONE_UNIT, sum: kopecks(700), tax: tax.row };
  if (!core.addLine(line).ok) throw new Error("the foreign line was refused");
}
