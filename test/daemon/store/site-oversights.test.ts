import { createMetaStore, type MetaStore } from "@fiscald/daemon/store/database/meta-store.js";
import { openDatabase } from "@fiscald/daemon/store/database/open-database.js";
import { createSiteOversights, type SiteOversights } from "@fiscald/daemon/store/site-oversights.js";
import { toSiteId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import type { Oversight } from "@fiscald/shared/receipt/formats/find-oversights.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { useTempFolder } from "../../support/temp-folder.js";

const folder = useTempFolder();
const [shop, other] = [toSiteId("shop"), toSiteId("other")];
const DAY = 24 * 60 * 60_000;

const oversight = (key: string): Oversight => {
  return { key, kind: "unknown-key", path: key, message: `${key} is unknown`, ru: `${key} неизвестен` };
};
const [nds, coupon] = [oversight("nds"), oversight("coupon")];

function open(): { readonly store: SiteOversights; readonly meta: MetaStore; close(): void } {
  const { db, close } = openDatabase({
    path: `${folder()}/db.sqlite`,
    clock: createFakeClock(),
    log: silentLogger,
    pid: process.pid,
  });
  const meta = createMetaStore(db);
  return { store: createSiteOversights(meta), meta, close };
}

const keysOf = (found: readonly { readonly key: string }[]) => found.map(({ key }) => key);

test("an unknown key is new once for each site, also after the database was opened again", () => {
  const first = open();
  expect(keysOf(first.store.note(shop, [nds], 0).fresh)).toEqual(["nds"]);
  expect(first.store.note(shop, [nds], 1)).toEqual({ fresh: [], unusual: [nds] });
  first.close();
  const second = open();
  expect(second.store.note(shop, [nds], 2).fresh).toEqual([]);
  expect(keysOf(second.store.note(other, [nds, coupon], 2).fresh)).toEqual(["nds", "coupon"]);
  expect(second.store.unknownKeys(shop, 2)).toEqual([
    { key: "nds", kind: "unknown-key", text: { en: "nds is unknown", ru: "nds неизвестен" }, firstAt: 0, lastAt: 0 },
  ]);
  second.close();
});

test("an unknown key that every order of a week had is no longer listed, and one that some orders lack still is", () => {
  const { store, close } = open();
  for (let day = 0; day <= 7; day += 1) {
    expect(keysOf(store.note(shop, [coupon, nds], day * DAY).unusual)).toEqual(["coupon", "nds"]);
    store.note(shop, [coupon], day * DAY + 1);
    expect(keysOf(store.unknownKeys(shop, day * DAY))).toEqual(day < 7 ? ["coupon", "nds"] : ["nds"]);
  }
  expect(keysOf(store.note(shop, [coupon, nds], 7 * DAY + 2).unusual)).toEqual(["nds"]);
  close();
});

test("an unknown key that no order of a week had is no longer listed until an order has it again", () => {
  const { store, close } = open();
  store.note(shop, [nds], 0);
  store.note(shop, [], DAY);
  expect(keysOf(store.unknownKeys(shop, 6 * DAY))).toEqual(["nds"]);
  expect(store.unknownKeys(shop, 7 * DAY)).toEqual([]);
  expect(store.note(shop, [nds], 9 * DAY).fresh).toEqual([]);
  expect(keysOf(store.unknownKeys(shop, 9 * DAY))).toEqual(["nds"]);
  close();
});

test("an entry of another program version stops no order, and its key is new again", () => {
  const { store, meta, close } = open();
  store.note(shop, [nds], 0);
  meta.set("oversight:shop:nds", '{"since":"yesterday"}');
  expect(store.unknownKeys(shop, 1)).toEqual([]);
  expect(keysOf(store.note(shop, [nds], 1).fresh)).toEqual(["nds"]);
  close();
});

test("a site that makes up its keys fills the database with one hundred of them at most", () => {
  const { store, close } = open();
  for (let order = 0; order < 30; order += 1) {
    store.note(
      shop,
      Array.from({ length: 20 }, (_, index) => oversight(`key-${order}-${index}`)),
      order,
    );
  }
  expect(store.unknownKeys(shop, 30)).toHaveLength(100);
  close();
});
