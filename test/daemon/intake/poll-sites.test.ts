import { IntakeGate } from "@fiscald/daemon/intake/intake-gate.js";
import { createPollers, hasRoom } from "@fiscald/daemon/intake/poll-sites.js";
import type { RegisterPhase } from "@fiscald/daemon/registers/register-machine.js";
import { Deliveries } from "@fiscald/daemon/sites/deliveries.js";
import { SiteEvents } from "@fiscald/daemon/sites/site-events.js";
import { createSiteHealth, type SiteHealthMonitor } from "@fiscald/daemon/sites/site-health.js";
import { Fault } from "@fiscald/shared/fault.js";
import { type Kkm, toRegisterId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { TILL } from "../../support/benches.js";
import { defaultSettings, makeSnapshot } from "../../support/make-snapshot.js";
import { configIn, rawRegister, rawSite } from "../../support/raw-config.js";
import { useStores } from "../../support/use-stores.js";

const { open } = useStores();

function startPollers(answer: (kkm: Kkm) => Promise<string>, leases = false, ids = ["one", "two"]) {
  const register = (id: string) => rawRegister({ id, connection: { kind: "tcp", host: id } });
  const sites = [rawSite("https://shop.example/fiscal", { pollEverySeconds: 5 })];
  const config = configIn("/", { sites, registers: ids.map(register) });
  const { clock, ...stores } = open();
  const { journal, outbox, rawOrders, registers: records } = stores;
  const snapshots = ids.map((id, index) => {
    const snapshot = makeSnapshot({}, { id, kkm: `${index + 1}` });
    return { ...snapshot, settings: { ...snapshot.settings, sites: config.sites.map((site) => site.id) } };
  });
  const deliveries = new Deliveries();
  const leasing = { leases, note: () => {} };
  const polls: string[] = [];
  const healths: SiteHealthMonitor[] = [];
  const pollers = createPollers({
    sites: config.sites.map((site) => {
      const health = createSiteHealth({ site: site.id, clock, log: silentLogger, onChange: () => {}, leasing });
      healths.push(health);
      return {
        config: site,
        client: {
          poll: async (kkm) => {
            polls.push(kkm);
            return { body: await answer(kkm), leases };
          },
          deliver: () => Promise.reject(new Error("nothing is delivered")),
          close: async () => {},
        },
        health,
      };
    }),
    ...{
      knownSites: [],
      memory: { isForgetful: false },
      fleet: { snapshots: () => snapshots, find: (fits) => snapshots.find(fits) ?? null },
      stores,
    },
    events: new SiteEvents({ ...config, outbox, deliveries, records, journal, rawOrders, clock }),
    ...{ deliveries, gate: new IntakeGate(), clock, random: () => 0.5, log: silentLogger },
    wake: () => {},
  });
  for (const poller of pollers) poller.start();
  const stop = async () => {
    for (const poller of pollers) await poller.stop(0);
  };
  const fault = () => healths[0]?.read().fault?.code ?? null;
  const since = () => healths[0]?.read().since ?? null;
  const strangeAt = () => [...(healths[0]?.read().strangeAt ?? [])];
  const isProven = () => healths[0]?.read().isProven ?? false;
  const stuckAt = () => [...(healths[0]?.read().stuckAt ?? [])];
  return { clock, polls, stop, fault, since, stuckAt, strangeAt, isProven };
}

/** An order of the first register. A person must approve it when it is above the site's limit. */
function orderOf(orderId: string, price: number) {
  const taskTable = [
    { type: "OpenCheckSell" },
    { type: "Registration", data: "Автомобиль", param: { price, quantity: 1, tax: 1 } },
    { type: "Payment", param: { summ: price, typeClose: 1 } },
    { type: "CloseCheck" },
  ];
  return JSON.stringify({ response: { kkm: "1", orderId, taskTable } });
}

const largeOrder = (orderId: string) => orderOf(orderId, 2_000_000);

test("a site is no longer polled for a register while twenty orders wait for that register", async () => {
  const { clock, polls, stop } = startPollers(async (kkm) => {
    return kkm === "1" ? orderOf(`A-${polls.length}`, 100) : '{"resultCode":0}';
  });
  const of = (number: string) => polls.filter((kkm) => kkm === number).length;
  await clock.advance(300_000);
  expect([of("1"), of("2") > 20]).toEqual([20, true]);
  await stop();
});

test("a site counts as stuck while it offers nothing but an order that waits for a person", async () => {
  let offered = "A-1";
  const { clock, stop, stuckAt } = startPollers(async (kkm) => (kkm === "1" ? largeOrder(offered) : ""));
  await clock.advance(60_000);
  expect(stuckAt()).toMatchObject([["1", { job: 1 }]]);
  offered = "A-2";
  await clock.advance(10_000);
  expect(stuckAt()).toMatchObject([["1", { job: 2 }]]);
  await stop();
});

test("a site's answer that is neither an order nor «no orders» counts for its register until a later poll is answered well", async () => {
  const answers = ['{"status": "ok"}', '{"status": "ok"}'];
  const { clock, stop, strangeAt } = startPollers(async (kkm) => (kkm === "1" ? answers.shift() : null) ?? "");
  await clock.advance(0);
  expect(strangeAt()).toEqual(["1"]);
  await clock.advance(5000);
  expect(strangeAt()).toEqual(["1"]);
  await clock.advance(5000);
  expect(strangeAt()).toEqual([]);
  await stop();
});

test.each([
  ["strange answers", '{"status": "ok"}', false],
  ["web pages", "<html>", false],
  ["«no orders»", '{"resultCode":0}', true],
  ["unreadable orders", '{"response":{"orderId":"A-1","taskTable":"none"}}', true],
])(
  "a site that has answered with nothing but %s proves by that to give orders or none: %s, %p",
  async (_, answer, proven) => {
    const { clock, stop, isProven } = startPollers(async () => answer);
    await clock.advance(60_000);
    expect(isProven()).toBe(proven);
    await stop();
  },
);

test("a site with the kit, which offers new orders first, does not count as stuck at an order that waits for a person", async () => {
  const { clock, stop, stuckAt } = startPollers(async (kkm) => (kkm === "1" ? largeOrder("A-1") : ""), true);
  await clock.advance(60_000);
  expect(stuckAt()).toEqual([]);
  await stop();
});

test("a site that answers again for one register is polled for its other registers at once", async () => {
  let down: readonly string[] = ["2"];
  const { clock, polls, stop } = startPollers(async (kkm) => {
    if (down.includes(kkm)) throw new Fault("site.unreachable");
    return '{"resultCode":0}';
  });
  await clock.advance(76_000);
  down = ["1", "2"];
  await clock.advance(5_000);
  [down, polls.length] = [[], 0];
  // Without the answer for register 1 the site would be polled for register 2 a minute later.
  await clock.advance(5_000);
  expect(polls).toEqual(["1", "2"]);
  await stop();
});

test("the first good answer of a site ends its trouble and has it polled at once for the register whose polls fail", async () => {
  let down: readonly string[] = ["2"];
  const { clock, polls, stop, fault } = startPollers(async (kkm) => {
    if (down.includes(kkm)) throw new Fault("site.unreachable");
    // The register that never failed is asked for by long polls.
    await clock.sleep(kkm === "1" ? 70_000 : 0);
    return '{"resultCode":0}';
  });
  await clock.advance(69_000);
  expect(fault()).toBe("site.unreachable");
  [down, polls.length] = [[], 0];
  await clock.advance(2_000);
  expect([fault(), polls]).toEqual([null, ["1", "2"]]);
  const stopped = stop();
  await clock.advance(70_000);
  await stopped;
});

test("a site that fails for one register alone is polled for it with growing pauses, and stays in trouble", async () => {
  const { clock, polls, stop, fault } = startPollers(async (kkm) => {
    if (kkm === "2") throw new Fault("site.unreachable");
    return '{"resultCode":0}';
  });
  await clock.advance(120_000);
  expect(fault()).toBe("site.unreachable");
  expect(polls.filter((kkm) => kkm === "2").length).toBeLessThan(8);
  await stop();
});

test("a site's trouble goes on when a second register's poll fails while the first register's still fails", async () => {
  let down: readonly string[] = ["2"];
  const { clock, stop, fault, since } = startPollers(
    async (kkm) => {
      if (down.includes(kkm)) throw new Fault("site.unreachable");
      return '{"resultCode":0}';
    },
    false,
    ["one", "two", "three"],
  );
  await clock.advance(18_000);
  const before = since();
  down = ["2", "3"];
  await clock.advance(60_000);
  expect([fault(), since()]).toEqual(["site.unreachable", before]);
  await stop();
});

const own = TILL;
const till = (id: string, phase: RegisterPhase, group: string | null, pausedSince: number | null = null) => ({
  ...{ phase, pausedSince },
  settings: defaultSettings({ id: toRegisterId(id), group }),
});

test.each<[string, number, RegisterPhase, string | null, boolean]>([
  ["with nineteen jobs waiting", 19, "offline", null, true],
  ["no more with twenty jobs waiting", 20, "offline", null, false],
  ["with twenty jobs waiting, while another register of its group is free", 20, "ready", "hall", true],
  ["no more with twenty jobs waiting, while the other register of its group is busy", 20, "busy", "hall", false],
  ["no more with twenty jobs waiting, while its group's other one cannot be asked", 20, "offline", "hall", false],
  ["no more with twenty jobs waiting, although a register of another group is free", 20, "ready", "yard", false],
  ["no more with twenty jobs waiting, although a register of no group is free", 20, "ready", null, false],
])("a site is polled for a register %s", (_, waiting, phase, group, expected) => {
  expect(hasRoom(own, waiting, [till("till-1", "offline", "hall"), till("till-2", phase, group)])).toBe(expected);
});

test("a register without a group has no room for a twenty-first order, although another register without a group is free", () => {
  expect(hasRoom(own, 20, [till("till-1", "ready", null), till("till-2", "ready", null)])).toBe(false);
});

test("a site is polled for a paused register only while another register of its group is ready and not paused", () => {
  const paused = till("till-1", "ready", "hall", 5);
  expect(hasRoom(own, 0, [paused])).toBe(false);
  expect(hasRoom(own, 0, [paused, till("till-2", "ready", "hall")])).toBe(true);
  expect(hasRoom(own, 0, [paused, till("till-2", "offline", "hall")])).toBe(false);
  expect(hasRoom(own, 0, [paused, till("till-2", "ready", "hall", 6)])).toBe(false);
});
