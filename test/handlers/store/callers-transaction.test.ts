/** What the kit sends to a transaction of another library than Kysely. */
import { inSavepoint, readsInt8, type TransactionQueries } from "#handlers/store/callers-transaction.js";

type Answer = Awaited<ReturnType<TransactionQueries["query"]>>;

interface Tables {
  print_receipts: { seq: number; order_id: string };
}

function shop(answer: (sql: string) => Answer = () => ({ rows: [] })) {
  const said: string[] = [];
  const query: TransactionQueries["query"] = async (sql, values) => {
    said.push([sql, ...values].join(" | "));
    return answer(sql);
  };
  return { said, transaction: { query } };
}

const numbers = readsInt8(["seq"]);

test("work in the shop's transaction runs in a savepoint, with PostgreSQL's placeholders", async () => {
  const { said, transaction } = shop();
  await inSavepoint<Tables, unknown>(transaction, numbers, (tx) =>
    tx.selectFrom("print_receipts").select("seq").where("order_id", "=", "A-1").execute(),
  );
  expect(said).toEqual([
    "savepoint fiscald",
    'select "seq" from "print_receipts" where "order_id" = $1 | A-1',
    "release savepoint fiscald",
  ]);
});

test("failed work in the shop's transaction is rolled back to its savepoint, and the shop gets the error", async () => {
  const { said, transaction } = shop();
  const failed = inSavepoint(transaction, numbers, async () => {
    throw new Error("refused");
  });
  await expect(failed).rejects.toThrow("refused");
  expect(said).toEqual(["savepoint fiscald", "rollback to savepoint fiscald", "release savepoint fiscald"]);
});

test("a lost connection does not hide why the work failed", async () => {
  const { transaction } = shop((sql) => {
    if (sql.startsWith("rollback")) throw new Error("the connection is lost");
    return { rows: [] };
  });
  const failed = inSavepoint(transaction, numbers, async () => {
    throw new Error("refused");
  });
  await expect(failed).rejects.toThrow("refused");
});

test.each([
  ["text", "42"],
  ["BigInt", 42n],
  ["a number", 42],
])("an int8 column that comes as %s is read as a number, and other text stays text", async (_, seq) => {
  const { transaction } = shop(() => ({ rows: [{ seq, order_id: "7" }], rowCount: null }));
  const rows = await inSavepoint<Tables, unknown>(transaction, numbers, (tx) =>
    tx.selectFrom("print_receipts").selectAll().execute(),
  );
  expect(rows).toEqual([{ seq: 42, order_id: "7" }]);
});
