import { createMetaStore } from "@fiscald/daemon/store/database/meta-store.js";
import { createSiteOversights } from "@fiscald/daemon/store/site-oversights.js";
import { toSiteId } from "@fiscald/shared/ids.js";
import type { Oversight } from "@fiscald/shared/receipt/formats/find-oversights.js";
import { useStores } from "../../support/use-stores.js";

const { open: openStores } = useStores();
const [shop, other] = [toSiteId("shop"), toSiteId("other")];
const DAY = 24 * 60 * 60_000;

const oversight = (key: string): Oversight => {
  return { key, kind: "unknown-key", path: key, message: `${key} is unknown`, ru: `${key} неизвестен` };
};
const [nds, coupon] = [oversight("nds"), oversight("coupon")];

function open() {
  const { db, close } = openStores();
  const meta = createMetaStore(db);
  return { store: createSiteOversights(meta), meta, close };
}

const keysOf = (found: readonly { readonly key: string }[]) => found.map(({ key }) => key);

test("an unknown key in a site's orders is new once, even after the database was opened again", () => {
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
});

test("an unknown key that every order of a week had is no longer listed, and a key that some orders lacked still is", () => {
  const { store } = open();
  for (let day = 0; day <= 7; day += 1) {
    expect(keysOf(store.note(shop, [coupon, nds], day * DAY).unusual)).toEqual(["coupon", "nds"]);
    store.note(shop, [coupon], day * DAY + 1);
    expect(keysOf(store.unknownKeys(shop, day * DAY))).toEqual(day < 7 ? ["coupon", "nds"] : ["nds"]);
  }
  expect(keysOf(store.note(shop, [coupon, nds], 7 * DAY + 2).unusual)).toEqual(["nds"]);
});

test("an unknown key that no order of a week had is not listed until an order has it again", () => {
  const { store } = open();
  store.note(shop, [nds], 0);
  store.note(shop, [], DAY);
  expect(keysOf(store.unknownKeys(shop, 6 * DAY))).toEqual(["nds"]);
  expect(store.unknownKeys(shop, 7 * DAY)).toEqual([]);
  expect(store.note(shop, [nds], 9 * DAY).fresh).toEqual([]);
  expect(keysOf(store.unknownKeys(shop, 9 * DAY))).toEqual(["nds"]);
});

test("a rate in an order that looks like a percentage is reported once a day for a site, and again on the next day", () => {
  const { store } = open();
  const percent: Oversight = { ...oversight("tax = 7"), kind: "rate-like-percent" };
  const told = (site: typeof shop, at: number) => keysOf(store.note(site, [percent, nds], at).unusual);
  expect(told(shop, 0)).toEqual(["tax = 7", "nds"]);
  expect(told(shop, 1)).toEqual(["nds"]);
  expect(told(shop, DAY - 1)).toEqual(["nds"]);
  expect(told(other, DAY - 1)).toEqual(["tax = 7", "nds"]);
  expect(told(shop, DAY)).toEqual(["tax = 7", "nds"]);
  expect(told(shop, DAY + 1)).toEqual(["nds"]);
});

test("a stored unknown key that cannot be read does not stop an order, and the key counts as new again", () => {
  const { store, meta } = open();
  store.note(shop, [nds], 0);
  meta.set("oversight:shop:nds", '{"since":"yesterday"}');
  expect(store.unknownKeys(shop, 1)).toEqual([]);
  expect(keysOf(store.note(shop, [nds], 1).fresh)).toEqual(["nds"]);
});

test("a site that makes up its keys fills the database with at most one hundred of them", () => {
  const { store } = open();
  for (let order = 0; order < 30; order += 1) {
    store.note(
      shop,
      Array.from({ length: 20 }, (_, index) => oversight(`key-${order}-${index}`)),
      order,
    );
  }
  expect(store.unknownKeys(shop, 30)).toHaveLength(100);
});
