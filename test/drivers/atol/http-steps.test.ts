/** Every step of a receipt over HTTP is interrupted, and a newly started daemon settles the outcome. */
import type { FaultInput } from "@fiscald/emulators/faults/fault-spec.js";
import { isFault } from "@fiscald/shared/fault.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import { z } from "zod";
import { sale } from "../contract/receipts.js";
import { LONG_MS } from "../contract/reconnect.js";
import { inService, type ServiceOptions, type ServiceWorld } from "./service-world.js";

const generations = ["v1", "v2"] as const;

/** As a newly started daemon: fence with the stored names, then read documents; print again if no document is there. */
async function recover(world: ServiceWorld, prepared: Awaited<ReturnType<ServiceWorld["prepare"]>>): Promise<number> {
  world.register.clearFaults();
  const driver = await newDriverAtLast(world);
  const state = await world.fenceOn(driver, prepared);
  const found = await world.live(driver.documentsSince(prepared.baseline.lastFd, world.signal));
  const ours = found.filter(({ mark }) => mark === "A-1 0badcafe");
  expect(ours.length).toBe(world.receipts.length);
  expect(state.lastFd).toBe(world.register.core.lastFd);
  await world.clock.advance(2 * LONG_MS);
  expect(world.receipts.length).toBe(ours.length);
  if (ours.length === 0) {
    const again = { ...prepared.baseline, lastFd: state.lastFd, requestId: "shop|0badcafe|till-1|1" };
    expect((await world.runOn(driver, { ...prepared, baseline: again })).kind).toBe("printed");
  }
  await world.live(driver.close());
  return ours.length;
}

async function newDriverAtLast(world: ServiceWorld) {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    try {
      return await world.newDriver();
    } catch (error) {
      if (!isFault(error)) throw error;
      await world.clock.advance(5_000);
    }
  }
  throw new Error("the service did not come back");
}

describe.each(generations)("a receipt over the service's generation %s", (protocol) => {
  const post = { command: "post sell", nth: 1 };
  const close = { command: "close-receipt", nth: 1 };
  const cable = { command: "getDeviceStatus", nth: 1 };
  const steps: readonly (readonly [string, FaultInput, number])[] = [
    ["before the POST the cable is pulled", { effect: "unplug", ms: 2_000, when: cable }, 0],
    ["the POST never arrives", { effect: "silent", when: post }, 0],
    ["the POST arrives and its answer is lost", { effect: "drop-answer", when: post }, 1],
    ["the POST arrives and its answer is half JSON or damaged", { effect: "corrupt", when: post }, 1],
    [
      "the POST is accepted after the driver has stopped waiting",
      { effect: "late-execution", ms: LONG_MS, when: post },
      0,
    ],
    ["the cable is pulled between two polls", { effect: "unplug", ms: 2_000, when: close }, 1],
    ["the result is lost", { effect: "drop-answer", when: close }, 1],
    ["the result is an earlier answer", { effect: "stale-answer", when: close }, 1],
    ["the register does not answer the service", { effect: "silent", when: close }, 0],
    ["the service is killed after the receipt is registered", { effect: "power-cut", ms: 2_000, when: close }, 1],
    ["the register works longer than the driver waits", { effect: "late-execution", ms: LONG_MS, when: close }, 1],
  ];

  test.each(steps)("an order is printed exactly once by ATOL's service when %s", (_title, fault, registered) =>
    inService({ protocol }, async (world) => {
      const prepared = await world.prepare();
      world.register.addFault(fault);
      const outcome = await world.runOn(world.driver, prepared);
      if (outcome.kind === "printed") expect(world.receipts).toHaveLength(1);
      else expect(outcome.kind).toBe("unsure");
      expect(await recover(world, prepared)).toBe(registered);
      expect(world.receipts).toHaveLength(1);
    }),
  );

  test("a daemon that was killed before the POST finds no receipt, and a late POST under the job's name is refused", () =>
    inService({ protocol }, async (world) => {
      const prepared = await world.prepare();
      expect(await recover(world, prepared)).toBe(0);
      // A late POST of the first daemon would be refused now.
      const late = await world.runOn(world.driver, prepared);
      expect(late.kind).toBe("unsure");
      expect(world.receipts).toHaveLength(1);
    }));

  test("a job that is posted twice under one name is printed once and answered with the same document", () =>
    inService({ protocol }, async (world) => {
      const prepared = await world.prepare();
      expect((await world.runOn(world.driver, prepared)).kind).toBe("printed");
      const again = await world.runOn(await world.newDriver(), prepared);
      expect(again).toMatchObject({ kind: "printed", document: { fd: world.lastReceipt.fd } });
      expect(world.receipts).toHaveLength(1);
    }));

  test("an outdated answer to the cancelling of a job does not end a job that still waits", () =>
    inService({ protocol }, async (world) => {
      const prepared = await world.prepare();
      world.register.addFault({ effect: "other-client", does: "add-job", when: { command: "post sell", nth: 1 } });
      world.register.addFault({ effect: "late-execution", ms: 4 * LONG_MS, when: { command: "nonFiscal", nth: 1 } });
      world.answerWith(
        "DELETE requests",
        200,
        { results: [{ status: "canceled", errorCode: 503, errorDescription: "", result: null }] },
        null,
      );
      expect((await world.runOn(world.driver, prepared)).kind).toBe("unsure");
      // The job waits behind the slip of another client and will be carried out.
      expect(await world.faultOf(world.fenceOn(world.driver, prepared))).toBe("link.timeout");
      await world.clock.advance(4 * LONG_MS);
      expect(await recover(world, prepared)).toBe(1);
    }));

  test("a printed job that the service has forgotten is found on the drive and does not count as never posted", () =>
    inService({ protocol }, async (world) => {
      const prepared = await world.prepare();
      expect((await world.runOn(world.driver, prepared)).kind).toBe("printed");
      world.register.core.advanceClock(31 * 24 * 3600);
      const driver = await world.newDriver();
      await world.fenceOn(driver, prepared);
      const [found] = await world.live(driver.documentsSince(prepared.baseline.lastFd, world.signal));
      expect(found).toMatchObject({ type: "receipt", mark: "A-1 0badcafe", fd: world.lastReceipt.fd });
    }));

  test("an unprinted job that the service has forgotten counts as ended once the driver has used up its name", () =>
    inService({ protocol }, async (world) => {
      const prepared = await world.prepare();
      world.register.addFault({ effect: "silent", when: { command: "close-receipt", nth: 1 } });
      expect((await world.runOn(world.driver, prepared)).kind).toBe("unsure");
      world.register.core.advanceClock(31 * 24 * 3600);
      const driver = await world.newDriver();
      const { requests } = await world.fenceOn(driver, prepared);
      expect(requests?.get("shop|0badcafe|till-1|0")).toEqual({ kind: "ended" });
      expect(await world.live(driver.documentsSince(prepared.baseline.lastFd, world.signal))).toEqual([]);
      expect(world.receipts).toEqual([]);
    }));
});

describe("a service that is killed", () => {
  const killed: readonly (readonly [string, ServiceOptions["unconfirmed"]])[] = [
    ["and queries its register after the restart", { killed: "recovered" }],
    ["and leaves the job in progress for ever", { killed: "lost" }],
  ];
  test.each(killed)(
    "a service killed while the register works, %s, leaves a settled job and one receipt on the drive",
    (_title, unconfirmed = {}) =>
      inService({ unconfirmed }, async (world) => {
        const prepared = await world.prepare();
        // The register has made the document; the service is killed before it stores the result.
        world.onCommand("close-receipt", (exchange) => {
          exchange.act();
          world.register.device.powerCut(3_000);
          return "handled";
        });
        expect((await world.runOn(world.driver, prepared)).kind).toBe("unsure");
        expect(await recover(world, prepared)).toBe(1);
        expect(world.receipts).toHaveLength(1);
      }),
  );

  test("a service killed before it gave the waiting job to the register leaves one receipt after recovery", () =>
    inService({}, async (world) => {
      const prepared = await world.prepare();
      world.onCommand("post sell", (exchange) => {
        exchange.act();
        world.register.device.powerCut(3_000);
        return "handled";
      });
      expect((await world.runOn(world.driver, prepared)).kind).toBe("unsure");
      await recover(world, prepared);
      expect(world.receipts).toHaveLength(1);
    }));
});

describe("a blocked queue", () => {
  test("the driver waits for a blocked queue of ATOL's service, reports it, and does not count the waiting jobs as ended", () =>
    inService({}, async (world) => {
      const prepared = await world.prepare();
      world.register.addFault({ effect: "silent", when: { command: "close-receipt", nth: 1 } });
      const deaf = world.onCommand(
        "recover",
        (exchange) => {
          exchange.answer(null);
          return "handled";
        },
        null,
      );
      const outcome = await world.runOn(world.driver, prepared);
      expect(outcome).toMatchObject({ kind: "unsure", fault: { code: "device.service-blocked" } });
      for (const question of [
        world.driver.readState(world.signal),
        world.driver.fence({ cancelOpen: true }, world.signal),
      ])
        expect(await world.faultOf(question)).toBe("device.service-blocked");
      world.register.device.removeBehaviour(deaf);
      await world.clock.advance(5_000);
      expect((await world.fence()).blockedBy).toBeNull();
      expect(world.receipts).toHaveLength(0);
    }));

  test("a job whose closing command gets no answer but is registered counts as printed, with its own document's numbers", () =>
    inService({}, async (world) => {
      const prepared = await world.prepare();
      world.onCommand("close-receipt", (exchange) => {
        exchange.act();
        exchange.answer(null);
        return "handled";
      });
      const outcome = await world.runOn(world.driver, prepared);
      expect(outcome).toMatchObject({ kind: "printed", document: { fd: world.lastReceipt.fd } });
    }));
});

describe("an answer that ATOL's service never gives", () => {
  const answers: readonly (readonly [string, number, string | object, FaultCode])[] = [
    ["HTML", 200, "<html>Router login</html>", "link.foreign"],
    ["half a JSON", 200, '{"results":[{"status":"rea', "link.corrupt"],
    ["an error of the server", 500, "Internal Server Error", "link.foreign"],
    ["JSON of another kind", 200, { hello: "world" }, "link.foreign"],
    [
      "a refusal of the job's name",
      401,
      { error: { code: 505, description: "Unauthorized" } },
      "device.wrong-password",
    ],
  ];
  test.each(answers)(
    "%s in answer to a question about the job leaves an unsure job that recovery resolves",
    (_title, status, body, code) =>
      inService({}, async (world) => {
        const prepared = await world.prepare();
        world.onCommand("post sell", () => {
          world.answerWith("read-job", status, body);
          return "pass";
        });
        expect(await world.runOn(world.driver, prepared)).toMatchObject({ kind: "unsure", fault: { code } });
        expect(await recover(world, prepared)).toBe(1);
      }),
  );

  test.each(answers)(
    "a connect that is answered with %s fails with the fault of that answer",
    (_title, status, body, code) =>
      inService({}, async (world) => {
        world.answerWith("GET serverInfo", status, body, null);
        expect(await world.faultOf(world.driver.connect(world.signal))).toBe(code);
      }),
  );

  test("a result that names another fiscal drive never counts as the result of the present receipt", () =>
    inService({}, async (world) => {
      const prepared = await world.prepare();
      const { baseline } = prepared;
      world.alter("close-receipt", (text) => text.replace(baseline.fn, "9999000011112222"));
      expect(await world.runOn(world.driver, prepared)).toMatchObject({
        kind: "unsure",
        fault: { code: "link.corrupt" },
      });
    }));
});

test("a task result that lacks the field `result` is read correctly", () =>
  inService({ unconfirmed: { result: "omitted" } }, async (world) => {
    world.register.addFault({ effect: "late", ms: 500, when: { command: "sell", nth: 1 } });
    expect((await world.print(sale())).kind).toBe("printed");
    world.register.addFault({ effect: "error", code: 44, when: { command: "close-receipt", nth: 1 } });
    expect((await world.print(sale())).kind).toBe("unsure");
    expect((await world.fence()).lastFd).toBe(world.lastReceipt.fd);
  }));

describe("paper and block of a register behind ATOL's service", () => {
  test("a receipt counts as printed when the paper ends in its middle, and the rest is printed on new paper", () =>
    inService({}, async (world) => {
      const prepared = await world.prepare(sale());
      world.register.addFault({ effect: "paper-out", when: { command: "close-receipt", nth: 1 } });
      const outcome = await world.runOn(world.driver, prepared);
      expect(outcome).toMatchObject({
        kind: "printed",
        warnings: [{ code: "device.paper-out" }, { code: "device.paper-out" }],
      });
      expect((await world.readState()).print).toBe("unfinished");
      world.register.clearFaults();
      await world.live(world.driver.finishPrint(world.signal));
      expect([(await world.readState()).print, world.register.core.printer.status]).toEqual(["idle", "idle"]);
      expect(world.receipts).toHaveLength(1);
    }));
});

test("a register that reports itself as blocked prints no receipt", () =>
  inService({}, async (world) => {
    const prepared = await world.prepare();
    world.alter("getDeviceStatus", (text) => text.replace('"blocked":false', '"blocked":true '), null);
    expect((await world.readState()).blockedBy?.code).toBe("device.hardware");
    expect(await world.runOn(world.driver, prepared)).toMatchObject({
      kind: "not-printed",
      fault: { code: "device.hardware" },
    });
  }));

describe("access to ATOL's service", () => {
  test("the default register is named in every request once it is known, so that no other register can take its place", () =>
    inService({}, async (world) => {
      const paths: string[] = [];
      world.onCommand(
        "post-job",
        ({ command }) => {
          const { request } = z
            .object({ request: z.object({ query: z.record(z.string(), z.string()) }) })
            .parse(JSON.parse(Buffer.from(command).toString()));
          paths.push(request.query.deviceID ?? "none");
          return "pass";
        },
        null,
      );
      expect((await world.print(sale())).kind).toBe("printed");
      expect(new Set(paths)).toEqual(new Set(["kkt-1"]));
    }));

  test("a service that asks for Basic authentication prints when the options name a user", () =>
    inService(
      { unconfirmed: { basic: "on" }, options: { user: "cashier", password: "secret", deviceId: "kkt-1" } },
      async (world) => {
        expect((await world.print(sale())).kind).toBe("printed");
      },
    ));

  test("a service that asks for Basic authentication answers a connect without a user with the fault of a wrong password", async () => {
    const world = new (await import("./service-world.js")).ServiceWorld({ unconfirmed: { basic: "on" } });
    expect(await world.faultOf(world.driver.connect(world.signal))).toBe("device.wrong-password");
    await world.close();
  });

  test("a configured register that ATOL's service does not have is the fault link.not-found", async () => {
    const world = new (await import("./service-world.js")).ServiceWorld({ options: { deviceId: "kkt-9" } });
    expect(await world.faultOf(world.driver.connect(world.signal))).toBe("link.not-found");
    await world.close();
  });

  test.each(["409", "403"])(
    "a register that is switched off in ATOL's service is the fault link.not-found (%s)",
    (inactive) =>
      inService({ unconfirmed: { inactive } }, async (world) => {
        world.answerWith("post-job", Number(inactive), { error: { code: 505, description: "not active" } }, null);
        expect(await world.faultOf(world.driver.documentsSince(0, world.signal))).toBe("link.not-found");
      }),
  );
});
