import { join } from "node:path";
import { createMetaStore, daemonIdOf } from "@fiscald/daemon/store/meta-store.js";
import { openDatabase } from "@fiscald/daemon/store/open-database.js";
import { settleSiteNames } from "@fiscald/daemon/store/site-names.js";
import { toSiteId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { useTempFolder } from "../../support/temp-folder.js";

const folder = useTempFolder();

function open() {
  const path = join(folder(), "d.sqlite");
  const { db, close } = openDatabase({ path, clock: createFakeClock(), log: silentLogger, pid: 1 });
  const meta = createMetaStore(db);
  const settle = (id: string, ordersUrl: string, renamedFrom: string | null = null) =>
    settleSiteNames(db, meta, [
      { id: toSiteId(id), ordersUrl, renamedFrom: renamedFrom === null ? null : toSiteId(renamedFrom) },
    ]);
  return { db, meta, close, settle };
}

test("a known address under a new id is refused, because its orders could be printed again", () => {
  const { settle, close } = open();
  settle("shop", "https://a.example/orders");
  expect(() => settle("store", "https://a.example/orders")).toThrow(
    expect.objectContaining({ code: "config.invalid", place: "sites[0].id" }),
  );
  settle("shop", "https://b.example/orders");
  settle("store", "https://a.example/orders");
  close();
});

test("with renamedFrom the history goes on under the new id, also at the next start", () => {
  const { db, settle, close } = open();
  settle("shop", "https://a.example/orders");
  db.prepare(
    "INSERT INTO orders_raw (site, polled_kkm, received_at, hash, body) VALUES ('shop', '1', 0, 'h', '')",
  ).run();
  settle("store", "https://a.example/orders", "shop");
  settle("store", "https://a.example/orders", "shop");
  expect(db.prepare("SELECT site FROM orders_raw").all()).toEqual([{ site: "store" }]);
  close();
});

test("renamedFrom is heard also when the new id has been in use for a while", () => {
  const { db, settle, close } = open();
  settle("shop", "https://a.example/orders");
  db.exec(`INSERT INTO outbox (site, kind, lane, body, webhook_id, state, created_at)
    VALUES ('shop', 'result', 'order 1', '{}', 'id', 'pending', 0)`);
  settle("store", "https://b.example/orders");
  expect(db.prepare("SELECT site FROM outbox").all()).toEqual([{ site: "shop" }]);
  settle("store", "https://b.example/orders", "shop");
  expect(db.prepare("SELECT site FROM outbox").all()).toEqual([{ site: "store" }]);
  close();
});

test("a shift that was told under both ids keeps no daemon from starting", () => {
  const { db, settle, close } = open();
  settle("shop", "https://a.example/orders");
  db.exec(`INSERT INTO jobs (id, source, kind, receipt, register, tax_register, state, created_at, updated_at)
    VALUES (1, 'schedule', 'service', '{}', 'till', 'till', 'printed', 0, 0);
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
  close();
});

test("the daemon's id is made once per database", () => {
  const { meta, close } = open();
  expect(daemonIdOf(meta, () => "first")).toBe("first");
  expect(daemonIdOf(meta, () => "second")).toBe("first");
  close();
});
