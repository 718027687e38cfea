import { type Kysely, sql } from "kysely";
import type { MigrationSet } from "#handlers/store/migrate.js";
import { openStore, type Store } from "#handlers/store/open-store.js";
import { paddedList, prepareQuery } from "#handlers/store/prepared-query.js";
import { databaseKinds, type TestDatabase } from "../../support/site-databases.js";

type Tables = { things: { name: string; size: number } };

const things: MigrationSet = {
  name: "things",
  migrations: [({ text, run }) => run(`create table things (name ${text}, size integer)`)],
};

const byNames = prepareQuery((db: Kysely<Tables>, size: number, names: readonly string[]) =>
  db
    .selectFrom("things")
    .select("name")
    .where("size", "=", size)
    .where("name", "in", names)
    .where("size", "<", sql.lit(100))
    .orderBy("name"),
);

describe.each(databaseKinds)("a prepared query on $name", ({ skipped, create }) => {
  const check = skipped === null ? test : test.skip;
  let database: TestDatabase;
  let store: Store<Tables>;

  beforeEach(async () => {
    if (skipped !== null) return;
    database = await create();
    store = (await openStore({ address: database.address })).withTables<Tables>();
    await store.migrate(things);
    const values = ["a", "b", "c"].map((name) => ({ name, size: 1 }));
    await store.transaction((tx) => tx.insertInto("things").values(values).execute());
  });
  afterEach(async () => {
    if (skipped !== null) return;
    await store.close();
    await database.drop();
  });

  check("a prepared query gives each call its own values, with lists of any length", async () => {
    expect(await byNames(store.db, 1, ["a"])).toEqual([{ name: "a" }]);
    expect(await byNames(store.db, 1, ["c", "b"])).toEqual([{ name: "b" }, { name: "c" }]);
    expect(await byNames(store.db, 2, ["c", "b"])).toEqual([]);
    expect(await byNames(store.db, 1, ["x"])).toEqual([]);
  });

  check("a prepared query sees what its own transaction has written, and nothing of a failed transaction", async () => {
    const failed = store.transaction(async (tx) => {
      await tx.insertInto("things").values({ name: "d", size: 1 }).execute();
      expect(await byNames(tx, 1, ["d"])).toEqual([{ name: "d" }]);
      throw new Error("on purpose");
    });
    await expect(failed).rejects.toMatchObject({ code: "store.failed" });
    expect(await byNames(store.db, 1, ["d"])).toEqual([]);
  });

  check("a prepared query is refused when its parameters are not its arguments in the same order", async () => {
    const swapped = prepareQuery((db: Kysely<Tables>, name: string, size: number) =>
      db.selectFrom("things").select("name").where("size", "=", size).where("name", "=", name),
    );
    await expect(swapped(store.db, "a", 1)).rejects.toThrow("in their order");
    const constant = prepareQuery((db: Kysely<Tables>, name: string) =>
      db.selectFrom("things").select("name").where("name", "=", name).where("size", "=", 1),
    );
    await expect(constant(store.db, "a")).rejects.toThrow("in their order");
  });
});

test.each([
  ["", ""],
  ["a", "a"],
  ["aba", "ab"],
  ["abc", "abcc"],
  ["abcde", "abcdeeee"],
])("the list %j of a prepared query is filled up to %j", (list, padded) => {
  expect(paddedList([...list])).toEqual([...padded]);
});
