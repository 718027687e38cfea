/** Answers do not name their request: the answer to an earlier request may come to a query of the fence. */

import { uuidOf } from "@fiscald/drivers/atol/protocol/client.js";
import { writeAnswer } from "@fiscald/emulators/atol/http.js";
import type { Exchange } from "@fiscald/emulators/wire/behaviour.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { isFault } from "@fiscald/shared/fault.js";
import { makeService as service } from "../../support/make-job.js";
import { sale } from "../contract/receipts.js";
import { LONG_MS } from "../contract/reconnect.js";
import { inService, type ServiceWorld } from "./service-world.js";

type Prepared = Awaited<ReturnType<ServiceWorld["prepare"]>>;
const NAME = "shop|0badcafe|till-1|0";
const OURS = uuidOf(NAME);

const ended = (status: string, result: object | null = null) => ({
  results: [{ status, errorCode: 4, errorDescription: "", result }],
});
const earlier: readonly (readonly [string, object])[] = [
  ["of a question", ended("ready", { fnStatus: { fiscalDocumentNumber: 1 } })],
  ["of another question", ended("ready", { deviceStatus: {} })],
  ["of a job that failed", ended("error")],
  ["of a job that was cancelled", ended("canceled")],
  ["of a job that waits", ended("wait")],
  ["of several questions", { results: ["ready", "ready"].flatMap((status) => ended(status, { fnInfo: {} }).results) }],
];

/** An exchange's command is the request line and body. */
const asksFor = ({ command }: Exchange, text: string) => Buffer.from(command).toString("utf8").includes(text);
/** The register's state is read in one job of six queries. */
const isOfState = (text: string) => text.split('"status":"ready"').length === 7;
const textOf = (exchange: Exchange) => Buffer.from(exchange.act() ?? []).toString("utf8");

/** Fences as a newly started daemon would, and repeats every fence that the service's answers make fail. */
async function settled(world: ServiceWorld, prepared: Prepared) {
  for (let attempt = 0; attempt < 40; attempt += 1) {
    try {
      const driver = await world.newDriver();
      const state = await world.fenceOn(driver, prepared);
      const found = await world.live(driver.documentsSince(prepared.baseline.lastFd, world.signal));
      return { end: state.requests?.get(NAME), lastFd: state.lastFd, drawer: state.drawer, found: found.length };
    } catch (error) {
      if (!isFault(error)) throw error;
      await world.clock.advance(5_000);
    }
  }
  throw new Error("no fence passes");
}

/** The run's outcome by one fence, or the code of the fence's fault. */
async function endOrFault(world: ServiceWorld, prepared: Prepared): Promise<string> {
  try {
    const { requests } = await world.fenceOn(world.driver, prepared);
    return requests?.get(NAME)?.kind ?? "nothing";
  } catch (error) {
    if (isFault(error)) return error.code;
    throw error;
  }
}

async function leaveAtWork(world: ServiceWorld): Promise<Prepared> {
  const prepared = await world.prepare();
  world.register.addFault({ effect: "late-execution", ms: LONG_MS, when: { command: "close-receipt", nth: 1 } });
  expect((await world.runOn(world.driver, prepared)).kind).toBe("unsure");
  return prepared;
}

describe.each(["v1", "v2"] as const)("outdated answers of the service's generation %s", (protocol) => {
  test.each(earlier)("an outdated answer %s to any question about a job never ends the job", (_title, body) =>
    inService({ protocol }, async (world) => {
      const prepared = await leaveAtWork(world);
      for (const nth of [1, 2, 3]) {
        const stale = world.answerWith("GET requests", 200, body, nth);
        const told = await endOrFault(world, prepared);
        expect(told).toMatch(world.receipts.length > 0 ? /^done$|^open$|^link\./ : /^link\./);
        world.register.device.removeBehaviour(stale);
      }
      expect(await settled(world, prepared)).toMatchObject({ end: { kind: "done" }, found: 1 });
      expect(world.receipts).toHaveLength(1);
    }),
  );

  test.each(earlier)(
    "an outdated answer %s to each question about a job never ends a job that is still being carried out",
    (_t, body) =>
      inService({ protocol }, async (world) => {
        const prepared = await leaveAtWork(world);
        world.onCommand(
          "GET requests",
          (exchange) => {
            if (!asksFor(exchange, OURS)) return "pass";
            exchange.answer(writeAnswer({ status: 200, body }));
            return "handled";
          },
          null,
        );
        await expect(world.fenceOn(world.driver, prepared)).rejects.toMatchObject({ code: "link.timeout" });
      }),
  );

  test.each([404, 409, 201])(
    "the outdated status %d in answer to a question about a job does not count as the final status of that job",
    (status) =>
      inService({ protocol }, async (world) => {
        const prepared = await leaveAtWork(world);
        const method = status === 404 ? "GET requests" : "post getFnStatus";
        world.onCommand(method, (exchange) => {
          exchange.act();
          exchange.answer(writeAnswer({ status, body: null }));
          return "handled";
        });
        await expect(world.fenceOn(world.driver, prepared)).rejects.toMatchObject({ code: "link.timeout" });
        expect(await settled(world, prepared)).toMatchObject({ end: { kind: "done" }, found: 1 });
        expect(world.receipts).toHaveLength(1);
      }),
  );

  test("the answers to an earlier question about a job's final status are not taken for answers to the present one", () =>
    inService({ protocol }, async (world) => {
      const before = await world.prepare();
      world.register.addFault({ effect: "drop-answer", when: { command: "post sell", nth: 1 } });
      expect((await world.runOn(world.driver, before)).kind).toBe("unsure");
      let earlier: object | null = null;
      const hear = world.onCommand(
        "GET requests",
        (exchange) => {
          const [, body = ""] = textOf(exchange).split("\r\n\r\n");
          if (body.split('"status":"ready"').length === 9) earlier = JSON.parse(body);
          return "pass";
        },
        null,
      );
      expect((await world.fenceOn(world.driver, before)).requests?.get(NAME)?.kind).toBe("done");
      world.register.device.removeBehaviour(hear);
      expect(earlier).not.toBeNull();
      const baseline = { ...(await world.baseline()), requestId: "shop|0badcafe|till-1|1" };
      world.register.addFault({ effect: "late-execution", ms: LONG_MS, when: { command: "close-receipt", nth: 1 } });
      expect((await world.runOn(world.driver, { ...before, baseline })).kind).toBe("unsure");
      world.answerWith("GET requests", 200, earlier ?? {}, 2);
      await expect(world.fenceOn(world.driver, { baseline })).rejects.toMatchObject({ code: "link.foreign" });
    }));

  test("when the service does not know a job, the driver uses up the job's name, so that a late request cannot print", () =>
    inService({ protocol }, async (world) => {
      const prepared = await world.prepare();
      // Two answers that belong to other requests: "the name is known", and "the name is unknown".
      for (const [method, status, nth] of [
        ["post getFnStatus", 409, 1],
        ["GET requests", 404, 1],
      ] as const) {
        world.answerWith(method, status, "", nth);
      }
      const state = await world.fenceOn(world.driver, prepared);
      expect(state.requests?.get(NAME)).toEqual({ kind: "ended" });
      expect((await world.runOn(world.driver, prepared)).kind).not.toBe("printed");
      expect(world.receipts).toHaveLength(0);
    }));

  test.each([
    { how: "is open until it ends", spoilt: null, told: "open" },
    { how: "ends with its own answer", spoilt: null, told: "done" },
    { how: "is not ended by an earlier answer that the job is unknown", spoilt: "read", told: "link.foreign" },
    { how: "is not ended by an earlier answer that its name is free", spoilt: "question", told: "done" },
  ] as const)("a job that arrives late, when its name was still free, $how", ({ spoilt, told }) =>
    inService({ protocol }, async (world) => {
      const prepared = await world.prepare();
      const onTheWay: Exchange[] = [];
      world.onCommand("post sell", (exchange) => {
        onTheWay.push(exchange);
        return "handled";
      });
      expect((await world.runOn(world.driver, prepared)).kind).toBe("unsure");
      const atWork = { effect: "late-execution", ms: LONG_MS, when: { command: "close-receipt", nth: 1 } } as const;
      if (told === "open") world.register.addFault(atWork);
      let asked = 0;
      let misled = 0;
      const mislead = (exchange: Exchange, status: number) => {
        misled += 1;
        exchange.answer(writeAnswer({ status, body: "" }));
        return "handled" as const;
      };
      world.onCommand(
        "post getFnStatus",
        (exchange) => {
          if (!asksFor(exchange, OURS)) return "pass";
          asked += 1;
          // The first query does not reach the service.
          if (asked === 1) return mislead(exchange, 409);
          for (const post of onTheWay) post.act();
          return spoilt === "question" ? mislead(exchange, 201) : "pass";
        },
        null,
      );
      world.onCommand(
        "GET requests",
        (exchange) => {
          const isSpoilt = spoilt === "read" && asked === 2 && misled === 1;
          return isSpoilt && asksFor(exchange, OURS) ? mislead(exchange, 404) : "pass";
        },
        null,
      );
      // The queries for the register's state wait behind the run.
      expect(await endOrFault(world, prepared)).toBe(told === "open" ? "link.timeout" : told);
      expect([asked, onTheWay.length, misled]).toEqual([2, 1, spoilt === null ? 1 : 2]);
      expect(await settled(world, prepared)).toMatchObject({ end: { kind: "done" }, found: 1 });
      expect(world.receipts).toHaveLength(1);
    }),
  );

  const cashIn = service([{ type: "cash", direction: "in", sum: kopecks(50_000) }]);
  const number = (fd: number) => `"fiscalDocumentNumber":${fd}`;
  test.each([
    [
      "about the drawer",
      cashIn,
      "post cashIn",
      () => '"income":{"count":1,"sum":500}',
      () => '"income":{"count":0,"sum":0}',
    ],
    [
      "about the drive",
      sale(),
      "post sell",
      (now: number) => number(now),
      (_now: number, before: number) => number(before),
    ],
  ] as const)(
    "an outdated answer %s is not taken for the register's state after the job",
    (_t, receipt, command, now, before) =>
      inService({ protocol }, async (world) => {
        await world.openShift();
        const [program] = await world.compile(receipt);
        if (program === undefined) throw new Error("no program");
        const prepared = { program, baseline: { ...(await world.baseline()), requestId: NAME } };
        world.register.addFault({ effect: "drop-answer", when: { command, nth: 1 } });
        expect((await world.runOn(world.driver, prepared)).kind).toBe("unsure");
        const { lastFd } = world.register.core;
        const driver = await world.newDriver();
        let changed = 0;
        world.onCommand(
          "GET requests",
          (exchange) => {
            const text = textOf(exchange);
            if (!isOfState(text) || !text.includes(now(lastFd))) return "pass";
            changed += 1;
            const [, body = ""] = text.split("\r\n\r\n");
            const earlier = JSON.parse(body.replace(now(lastFd), before(lastFd, prepared.baseline.lastFd)));
            exchange.answer(writeAnswer({ status: 200, body: earlier }));
            return "handled";
          },
          null,
        );
        await expect(world.fenceOn(driver, prepared)).rejects.toMatchObject({ code: "link.foreign" });
        expect(changed).toBe(1);
      }),
  );

  test.each(["printed", "refused"])(
    "a service that forgets a job's final status after one reading delays no other job: %s",
    (how) =>
      inService({ protocol }, async (world) => {
        const told = new Set<string>();
        world.onCommand(
          "GET requests",
          (exchange) => {
            const [, uuid = ""] = /\/requests\/([-0-9a-f]+)/.exec(Buffer.from(exchange.command).toString("utf8")) ?? [];
            if (told.has(uuid)) {
              exchange.answer(writeAnswer({ status: 404, body: "" }));
              return "handled";
            }
            if (!/"(wait|inProgress|blocked)"/.test(textOf(exchange))) told.add(uuid);
            return "pass";
          },
          null,
        );
        const prepared = await world.prepare();
        const isPrinted = how === "printed";
        if (isPrinted) world.register.addFault({ effect: "drop-answer", when: { command: "post sell", nth: 1 } });
        else world.register.addFault({ effect: "error", code: 55, when: { command: "close-receipt", nth: 1 } });
        const outcome = await world.runOn(world.driver, prepared);
        expect(outcome.kind).toBe("unsure");
        const driver = await world.newDriver();
        const state = await world.fenceOn(driver, prepared);
        expect(state.requests?.get(NAME)).toEqual({ kind: "ended" });
        expect(state.lastFd - prepared.baseline.lastFd).toBe(isPrinted ? 1 : 0);
        expect(world.receipts).toHaveLength(isPrinted ? 1 : 0);
      }),
  );
});
