import { chmodSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Generated, sql } from "kysely";
import type { MigrationSet } from "#handlers/store/migrate.js";
import { openStore, type Store } from "#handlers/store/open-store.js";
import { databaseKinds, type TestDatabase } from "../../support/site-databases.js";
import { useTempFolder } from "../../support/temp-folder.js";
import { waitFor } from "../../support/wait-for.js";

type Tables = { things: { id: Generated<number>; name: string } };

const first: MigrationSet["migrations"][number] = ({ text, counted, run }) =>
  run(`create table things (id ${counted}, name ${text} not null)`);
const second: MigrationSet["migrations"][number] = ({ run }) => run("create index things_by_name on things (name)");
const set = (...migrations: MigrationSet["migrations"]): MigrationSet => ({ name: "things", migrations });

for (const kind of databaseKinds) {
  const describeKind = kind.skipped === null ? describe : describe.skip;
  describeKind(`a site's store on ${kind.name}`, () => {
    let database: TestDatabase;
    beforeEach(async () => {
      database = await kind.create();
    });
    const stores: Store<Tables>[] = [];
    afterEach(async () => {
      for (const store of stores.splice(0)) await store.close();
      await database.drop();
    });

    async function opened(address = database.address) {
      const store = (await openStore({ address })).withTables<Tables>();
      stores.push(store);
      return store;
    }

    test("a site's store runs each migration once, even if it is opened twice, again or at the same time", async () => {
      const [one, other] = [await opened(), await opened()];
      // Two handles of one process on one SQLite file would wait for each other, so the nodes migrate one by one.
      if (one.kind === "postgres") await Promise.all([one.migrate(set(first)), other.migrate(set(first))]);
      else await one.migrate(set(first));
      await other.migrate(set(first, second));
      await other.migrate(set(first, second));
    });

    test("a site's store refuses a database of a newer version", async () => {
      const store = await opened();
      await store.migrate(set(first, second));
      await expect(store.migrate(set(first))).rejects.toMatchObject({ code: "store.newer" });
    });

    test("a closed store refuses queries and transactions with store.closed", async () => {
      const store = await opened();
      await stores.pop()?.close();
      const closed = { code: "store.closed" };
      await expect(sql`select 1`.execute(store.db)).rejects.toMatchObject(closed);
      await expect(store.transaction((tx) => sql`select 1`.execute(tx))).rejects.toMatchObject(closed);
    });

    test("a failed migration of a site's store leaves nothing behind", async () => {
      const store = await opened();
      const broken: MigrationSet["migrations"][number] = async ({ run }) => {
        await run("create table half (id integer)");
        throw new Error("broken on purpose");
      };
      await expect(store.migrate(set(first, broken))).rejects.toMatchObject({ code: "store.failed" });
      await store.migrate(set(first, second));
    });

    if (kind.name === "PostgreSQL") {
      test("a store's connection that is cut in a transaction fails that transaction, and nothing else", async () => {
        const [store, other] = [await opened(), await opened()];
        await store.migrate(set(first));
        const add = (tx: typeof store.db, name: string) => tx.insertInto("things").values({ name }).execute();
        const work = store.transaction(async (tx) => {
          await add(tx, "half");
          const pid = sql<number>`(select pid from pg_locks where relation = 'things'::regclass limit 1)`;
          await sql`select pg_terminate_backend(${pid}, 5000)`.execute(other.db);
          await add(tx, "other half");
        });
        await expect(work).rejects.toMatchObject({ code: "store.failed" });
        await store.transaction((tx) => add(tx, "whole"));
        expect(await store.db.selectFrom("things").select("name").execute()).toEqual([{ name: "whole" }]);
      });

      test("a transaction of a site's store is read committed, whatever the database's default is", async () => {
        const address = new URL(database.address);
        const options = `${address.searchParams.get("options")} -c default_transaction_isolation=serializable`;
        address.searchParams.set("options", options);
        const store = await opened(address.href);
        const { rows } = await store.transaction((tx) => sql`show transaction_isolation`.execute(tx));
        expect(rows).toEqual([{ transaction_isolation: "read committed" }]);
      });
    }

    test("a site's store sends a notification for each payload of a list, and none for an empty list", async () => {
      const store = await opened();
      const told = new Set<string>();
      for (const channel of ["things", "others"]) store.signals.subscribe(channel, (payload) => told.add(payload));
      await waitFor("the listener is told", async () => {
        await store.transaction(async (tx) => {
          await store.notifyAtCommit(tx, "others", []);
          await store.notifyAtCommit(tx, "things", ["one", "two"]);
        });
        return told.has("two");
      });
      expect([...told].filter((payload) => payload !== "")).toEqual(["one", "two"]);
    });
  });
}

test("an address of a store that cannot be opened is refused with store.failed", async () => {
  await expect(openStore({ address: "/dev/null/site.sqlite" })).rejects.toMatchObject({ code: "store.failed" });
  await expect(openStore({ address: "postgres://127.0.0.1:9/none" })).rejects.toMatchObject({ code: "store.failed" });
});

describe("the rights of an SQLite database", () => {
  const folder = useTempFolder();
  const rights = () => readdirSync(folder()).map((name) => [name, statSync(join(folder(), name)).mode & 0o777]);
  const ownersAlone = [
    ["site.sqlite", 0o600],
    ["site.sqlite-shm", 0o600],
    ["site.sqlite-wal", 0o600],
  ];

  test("a new SQLite database and its log are readable by their owner alone", async () => {
    const store = await openStore({ address: join(folder(), "site.sqlite") });
    await store.migrate(set(first));
    expect(rights()).toEqual(ownersAlone);
    await store.close();
  });

  test("an SQLite file that others could read becomes readable by its owner alone, with its log", async () => {
    const before = await openStore({ address: join(folder(), "site.sqlite") });
    await before.migrate(set(first));
    for (const [name] of ownersAlone) chmodSync(join(folder(), String(name)), 0o664);
    const store = await openStore({ address: join(folder(), "site.sqlite") });
    await store.migrate(set(first, second));
    expect(rights()).toEqual(ownersAlone);
    await store.close();
    await before.close();
  });
});
