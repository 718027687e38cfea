/** One SQLite connection serves a process: transactions have it to themselves, and reads wait for nothing else. */

import { sql } from "kysely";
import type { MigrationSet } from "#handlers/store/migrate.js";
import { openStore, type Store } from "#handlers/store/open-store.js";
import { sqlite, type TestDatabase } from "../../support/site-databases.js";

type Tables = { things: { name: string } };

const things: MigrationSet = {
  name: "things",
  migrations: [({ text, run }) => run(`create table things (name ${text})`)],
};

let database: TestDatabase;
const opened: Store<Tables>[] = [];

async function open(): Promise<Store<Tables>> {
  const store = (await openStore({ address: database.address })).withTables<Tables>();
  opened.push(store);
  await store.migrate(things);
  return store;
}

beforeEach(async () => {
  database = await sqlite.create();
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  await database.drop();
});

/** A transaction that adds a name, and stays open until it is told to finish. */
async function beginToAdd(store: Store<Tables>, name: string) {
  let finish = () => {};
  let writing: Promise<void> = Promise.resolve();
  await new Promise<void>((begun) => {
    writing = store.transaction(async (tx) => {
      await tx.insertInto("things").values({ name }).execute();
      begun();
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
    });
  });
  return { finish, writing };
}

const namesIn = async ({ db }: Pick<Store<Tables>, "db">) =>
  (await db.selectFrom("things").select("name").execute()).map(({ name }) => name);
const add = (store: Store<Tables>, name: string) =>
  store.transaction((tx) => tx.insertInto("things").values({ name }).execute());

test("a read outside a running SQLite transaction waits for the transaction's end, and sees its rows", async () => {
  const store = await open();
  const { finish, writing } = await beginToAdd(store, "a");
  let isRead = false;
  const reading = namesIn(store).then((names) => {
    isRead = true;
    return names;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isRead).toBe(false);
  finish();
  await writing;
  expect(await reading).toEqual(["a"]);
});

test("SQLite transactions run one after the other, in the order in which they were asked for", async () => {
  const store = await open();
  const steps: string[] = [];
  await Promise.all(
    ["a", "b", "c"].map((name) =>
      store.transaction(async (tx) => {
        steps.push(`${name} begins`);
        await tx.insertInto("things").values({ name }).execute();
        await new Promise((resolve) => setImmediate(resolve));
        steps.push(`${name} ends`);
      }),
    ),
  );
  expect(steps).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});

test("an SQLite transaction that fails changes nothing, and the next transaction runs", async () => {
  const store = await open();
  const failing = store.transaction(async (tx) => {
    await tx.insertInto("things").values({ name: "lost" }).execute();
    throw new Error("on purpose");
  });
  await Promise.all([expect(failing).rejects.toMatchObject({ code: "store.failed" }), add(store, "kept")]);
  expect(await namesIn(store)).toEqual(["kept"]);
});

test("an SQLite transaction whose commit fails is reported as failed, and the next transaction runs", async () => {
  const store = await open();
  const failing = store.transaction(async (tx) => {
    await sql`create table t (a integer primary key, b references t deferrable initially deferred)`.execute(tx);
    await sql`insert into t values (1, 2)`.execute(tx);
  });
  await expect(failing).rejects.toMatchObject({ code: "store.failed" });
  await add(store, "kept");
  expect(await namesIn(store)).toEqual(["kept"]);
});

test("an SQLite statement that fails leaves the connection usable", async () => {
  const store = await open();
  const broken = store.db
    .selectFrom("things")
    .select("nothing" as "name")
    .execute();
  await expect(broken).rejects.toMatchObject({ message: expect.stringContaining("nothing") });
  await add(store, "a");
  expect(await namesIn(store)).toEqual(["a"]);
});

test("two stores of one process on one file write in turns, and each reads while the other writes", async () => {
  const [one, other] = [await open(), await open()];
  const { finish, writing } = await beginToAdd(one, "a");
  const waiting = add(other, "b");
  // The other store waits for the lock, while its own reads still run.
  expect(await namesIn(other)).toEqual([]);
  finish();
  await Promise.all([writing, waiting]);
  expect((await namesIn(one)).sort()).toEqual(["a", "b"]);
});
