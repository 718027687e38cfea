import { createSiteHealth } from "@fiscald/daemon/sites/site-health.js";
import type { LeasingSite } from "@fiscald/daemon/store/database/meta-store.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toKkm, toSiteId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock } from "../../support/fake-clock.js";

function open(leases = false) {
  const clock = createFakeClock({ now: 1000 });
  const lines: string[] = [];
  const keep = (level: string) => (message: string) => void lines.push(`${level} ${message}`);
  const log = { ...silentLogger, error: keep("error"), warn: keep("warn"), info: keep("info") };
  let changes = 0;
  const leasing: LeasingSite = { leases, note() {} };
  const health = createSiteHealth({ site: toSiteId("shop"), clock, log, leasing, onChange: () => (changes += 1) });
  return { clock, lines, health, changes: () => changes };
}

const one = toKkm("1");
const other = toKkm("2");

test("the health of a site is unknown until its first answer", () => {
  const { health } = open();
  const unknown = { fault: null, since: null, lostAnswers: 0, polled: new Map(), isProven: false };
  expect(health.read()).toEqual({ site: "shop", ...unknown });
  health.answered(one, false);
  expect(health.read()).toMatchObject({ fault: null, since: 1000 });
});

test("a site's trouble is logged once, however many registers poll the site, and once when it is over", async () => {
  const { clock, lines, health, changes } = open();
  const out = new Fault("site.unreachable");
  for (const kkm of [one, other, one]) health.note(out, kkm);
  expect(health.read()).toMatchObject({ fault: out, since: 1000 });
  await clock.advance(5000);
  health.note(new Fault("site.unauthorized"), one);
  expect(health.read()).toMatchObject({ fault: { code: "site.unauthorized" }, since: 1000 });
  health.note(null, one);
  health.note(null, other);
  expect(lines).toEqual([
    "warn site cannot be asked for orders",
    "warn site cannot be asked for orders",
    "info site is asked for orders again",
  ]);
  expect(changes()).toBe(3);
  expect(health.read()).toMatchObject({ fault: null, since: 6000 });
});

test("each lost answer of a site is logged and counted", () => {
  const { lines, health } = open();
  health.note(new Fault("site.answer-lost"), one);
  health.note(new Fault("site.answer-lost"), other);
  expect(lines).toEqual(["error answer to an order poll lost", "error answer to an order poll lost"]);
  expect(health.read().lostAnswers).toBe(2);
});

test("a lost answer of a site that leases its orders is no error, and the cause of the loss counts as the site's trouble", async () => {
  const { lines, health } = open(true);
  const cause = new Fault("site.unreachable");
  for (const kkm of [one, other]) health.note(new Fault("site.answer-lost", { cause }), kkm);
  expect(lines).toEqual(Array(2).fill("info answer to an order poll lost: the site offers it again"));
  expect(health.read()).toMatchObject({ fault: cause, lostAnswers: 0 });
  health.note(cause, one);
  health.note(cause, other);
  health.note(null, one);
  expect(lines.slice(2)).toEqual(["warn site cannot be asked for orders", "info site is asked for orders again"]);
});

test("after an unclean end one log line names the polls whose answers may be lost, as a warning unless the site leases orders", () => {
  const plain = open();
  plain.health.mayHaveLost([one, other], 500);
  expect(plain.lines).toEqual(["warn answer to an order poll may be lost"]);
  expect(plain.health.read()).toMatchObject({ fault: null, lostAnswers: 1 });
  const leasing = open(true);
  leasing.health.mayHaveLost([one, other], 500);
  expect(leasing.lines).toEqual([expect.stringMatching(/^info .* offers them again$/)]);
  expect(leasing.health.read()).toMatchObject({ fault: null, lostAnswers: 0 });
  const unasked = open();
  unasked.health.mayHaveLost([], 500);
  expect(unasked.lines).toEqual([]);
});

test("a site counts as stuck at an order that waits for a person while it offers nothing else for the same register", async () => {
  const { clock, health } = open();
  health.offered(one, 7);
  await clock.advance(5000);
  health.offered(one, 7);
  health.offered(other, null);
  expect(health.read().stuckAt).toEqual(new Map([[one, { job: 7, since: 1000 }]]));
  health.offered(one, 8);
  expect(health.read().stuckAt).toEqual(new Map([[one, { job: 8, since: 6000 }]]));
  health.offered(one, null);
  expect(health.read().stuckAt).toEqual(new Map());
});

test("a site with an order in the database is proven from the start, and any other site by its first known answer", () => {
  const { health, clock } = open();
  health.strange(one, true);
  expect(health.read().isProven).toBe(false);
  health.strange(one, false);
  expect(health.read()).toMatchObject({ isProven: true, strangeAt: new Set() });
  const leasing: LeasingSite = { leases: false, note() {} };
  const site = { site: toSiteId("shop"), clock, log: silentLogger, leasing, onChange: () => {} };
  const known = createSiteHealth({ ...site, isProven: true });
  known.strange(one, true);
  expect(known.read()).toMatchObject({ isProven: true, strangeAt: new Set([one]) });
});
