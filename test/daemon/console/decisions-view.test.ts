/** What needs a person's decision, over a database of its own. */
import { join } from "node:path";
import { decisionsView } from "@fiscald/daemon/console/decisions-view.js";
import { foreignIdentity } from "@fiscald/daemon/registers/foreign-identity.js";
import type { RegisterSnapshot } from "@fiscald/daemon/registers/register-snapshot.js";
import { openDatabase } from "@fiscald/daemon/store/database/open-database.js";
import { createJobStore } from "@fiscald/daemon/store/job-store.js";
import { createJournal } from "@fiscald/daemon/store/journal.js";
import { createOutboxStore } from "@fiscald/daemon/store/outbox-store.js";
import { createRawOrders } from "@fiscald/daemon/store/raw-orders.js";
import { toKkm, toOrderId, toRegisterId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { makeReceipt } from "../../support/make-job.js";
import { makeSnapshot } from "../../support/make-snapshot.js";
import { useTempFolder } from "../../support/temp-folder.js";

const folder = useTempFolder();

function open(snapshots: readonly RegisterSnapshot[] = []) {
  const clock = createFakeClock();
  const { db } = openDatabase({ path: join(folder(), "d.sqlite"), clock, log: silentLogger, pid: 1 });
  const [jobs, journal] = [createJobStore(db), createJournal(db)];
  const outbox = createOutboxStore({ db, journal, newId: () => "id", onAdded: () => {} });
  const parts = { jobs, journal, outbox, rawOrders: createRawOrders(db), snapshots: () => snapshots };
  return { jobs, clock, view: () => decisionsView({ ...parts, siteHealth: () => [] }, clock.now()) };
}

test("an order that was refused in the last week is listed with its reason", () => {
  const { jobs, clock, view } = open();
  const nobody = { source: "site", site: null, raw: null, polledKkm: null, key: null, forced: false } as const;
  const fault = { code: "register.unknown-kkm", message: "" } as const;
  const week = 7 * 24 * 60 * 60_000;
  for (const [order, now] of [
    ["A-1", clock.now() - week - 1],
    ["A-2", clock.now()],
  ] as const) {
    const receipt = makeReceipt({ orderId: toOrderId(order) });
    jobs.insertJob({ ...nobody, register: toRegisterId("till"), state: "refused", receipt, fault, now });
  }
  expect(view()).toMatchObject({
    declined: [{ order: "A-2", reason: { ru: "Касса с таким регистрационным номером не настроена." } }],
    failed: [],
  });
});

test.each([
  ["that may be accepted", null, false],
  ["that the config rules out", toKkm("2"), true],
])("another device %s is named with both numbers, in both languages", (_what, expectKkm, isFixed) => {
  const [found, expected] = [
    { kkm: "1", inn: "7700000000" },
    { kkm: "2", inn: "7700000001" },
  ];
  const snapshot = makeSnapshot({});
  const settings = { ...snapshot.settings, expectKkm };
  const fault = foreignIdentity("till", found, expected);
  const [device] = open([{ ...snapshot, settings, phase: "blocked", fault }]).view().foreign;
  expect(device).toMatchObject({ devices: { found, expected }, isFixed });
  expect(device?.reason.ru).toMatch(/^[А-Яа-яЁё\d ,.:]*1, ИНН 7700000000.*2, ИНН 7700000001/);
});
