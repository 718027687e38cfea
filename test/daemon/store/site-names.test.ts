import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createMetaStore, daemonIdOf, type MetaStore } from "@fiscald/daemon/store/database/meta-store.js";
import { identityFileOf } from "@fiscald/daemon/store/database/sidecar-files.js";
import { type IssuingSite, recordIssuers } from "@fiscald/daemon/store/issuers.js";
import { applySiteNames } from "@fiscald/daemon/store/site-names.js";
import { toSiteId } from "@fiscald/shared/ids.js";
import { useStores } from "../../support/use-stores.js";

const { folder, path, open: openStores } = useStores();

function open() {
  const { db, close } = openStores();
  const meta = createMetaStore(db);
  const settle = (id: string, ordersUrl: string, renamedFrom: string | null = null) =>
    applySiteNames(db, meta, [
      { id: toSiteId(id), ordersUrl, renamedFrom: renamedFrom === null ? null : toSiteId(renamedFrom) },
    ]);
  return { db, meta, close, settle };
}

test("a site's recorded address under a new site id is refused, however the address is written", () => {
  const { settle } = open();
  settle("shop", "https://a.example/orders");
  for (const address of ["https://a.example/orders", "http://A.example/orders/"])
    expect(() => settle("store", address)).toThrow(
      expect.objectContaining({ code: "config.invalid", place: "sites[0].id" }),
    );
  settle("shop", "https://b.example/orders");
  settle("store", "https://a.example/orders");
});

test("renamedFrom moves a site's history to its new id, and the next start changes nothing", () => {
  const { db, settle } = open();
  settle("shop", "https://a.example/orders");
  db.prepare(
    "INSERT INTO orders_raw (site, polled_kkm, received_at, hash, body) VALUES ('shop', '1', 0, 'h', '')",
  ).run();
  settle("store", "https://a.example/orders", "shop");
  settle("store", "https://a.example/orders", "shop");
  expect(db.prepare("SELECT site FROM orders_raw").all()).toEqual([{ site: "store" }]);
});

test("renamedFrom moves a site's history even if the new id already has a history", () => {
  const { db, settle } = open();
  settle("shop", "https://a.example/orders");
  db.exec(`INSERT INTO outbox (site, kind, lane, body, webhook_id, state, created_at)
    VALUES ('shop', 'result', 'order 1', '{}', 'id', 'pending', 0)`);
  settle("store", "https://b.example/orders");
  expect(db.prepare("SELECT site FROM outbox").all()).toEqual([{ site: "shop" }]);
  settle("store", "https://b.example/orders", "shop");
  expect(db.prepare("SELECT site FROM outbox").all()).toEqual([{ site: "store" }]);
});

test("a site can be renamed although a shift was reported under both its old and its new id", () => {
  const { db, settle } = open();
  settle("shop", "https://a.example/orders");
  db.exec(`INSERT INTO jobs (id, source, kind, receipt, register, state, created_at, updated_at)
    VALUES (1, 'schedule', 'service', '{}', 'till', 'printed', 0, 0);
    INSERT INTO outbox (site, job, kind, lane, body, webhook_id, state, created_at) VALUES
      ('shop', 1, 'zreport', 'register till', '{}', 'a', 'pending', 0),
      ('store', 1, 'zreport', 'register till', '{}', 'b', 'delivered', 0),
      ('shop', NULL, 'result', 'order 1', '{}', 'c', 'pending', 0)`);
  settle("store", "https://b.example/orders");
  settle("store", "https://b.example/orders", "shop");
  expect(db.prepare("SELECT webhook_id, site FROM outbox ORDER BY id").raw().all()).toEqual([
    ["a", "shop"],
    ["b", "store"],
    ["c", "store"],
  ]);
});

test("the daemon keeps its id when either the database or the identity file is lost", () => {
  const idIn = (meta: MetaStore, fresh: string) => daemonIdOf(meta, identityFileOf(path()), () => fresh);
  const first = open();
  expect(idIn(first.meta, "first")).toBe("first");
  expect(idIn(first.meta, "second")).toBe("first");
  expect(statSync(`${path()}.identity`).mode & 0o777).toBe(0o600);
  rmSync(`${path()}.identity`);
  expect(idIn(first.meta, "second")).toBe("first");
  first.close();
  for (const name of readdirSync(folder()))
    if (/^fiscald\.sqlite(-wal|-shm)?$/.test(name)) rmSync(join(folder(), name));
  const second = open();
  expect(idIn(second.meta, "second")).toBe("first");
  writeFileSync(`${path()}.identity`, "{");
  expect(identityFileOf(path()).read()).toEqual({ daemon: null, issuers: {}, database: null, run: null, moved: null });
});

describe("the issuers of a site", () => {
  const settleAt = (meta: MetaStore, over: Partial<IssuingSite> = {}) => {
    const site = { id: toSiteId("shop"), issuer: "aaaaaaaa", formerIssuers: [], renamedFrom: null, ...over };
    const other = { id: toSiteId("cafe"), issuer: "cccccccc", formerIssuers: [], renamedFrom: null };
    return recordIssuers(meta, identityFileOf(path()), [site, other]);
  };

  test("a site's issuers include every former one after a restart, a deleted database and a rename", () => {
    const first = open();
    settleAt(first.meta);
    const moved = settleAt(first.meta, { issuer: "bbbbbbbb", formerIssuers: ["dddddddd"] });
    const kinds = ["aaaaaaaa", "bbbbbbbb", "dddddddd", "cccccccc", "eeeeeeee", null].map((issuer) =>
      moved.kindOf(issuer, toSiteId("shop")),
    );
    expect(kinds).toEqual(["own", "own", "own", "another-site", "unknown", "unknown"]);
    first.meta.remove("issuers:shop");
    const renamed = settleAt(first.meta, { id: toSiteId("store"), renamedFrom: toSiteId("shop") });
    expect(renamed.kindOf("bbbbbbbb", toSiteId("store"))).toBe("own");
  });
});
