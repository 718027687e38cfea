/** The recipes of handlers/OWN-TRANSACTION.md, as the page has them, on a real PostgreSQL. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import ts from "typescript";
import { root } from "../../support/read-imports.js";
import { postgres, type TestDatabase } from "../../support/site-databases.js";

const page = readFileSync(join(root, "handlers/OWN-TRANSACTION.md"), "utf8");

function block(kind: string): string {
  const [, code] = new RegExp(`\`\`\`[jt]s ${kind}\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
  if (code === undefined) throw new Error(`the page has no recipe ${kind}`);
  const { ESNext } = ts.ModuleKind;
  return ts.transpileModule(code, { compilerOptions: { module: ESNext, target: ts.ScriptTarget.ESNext } }).outputText;
}

/** Opens each library as a shop does. `address` has the isolation level of the connections. */
const libraries: Readonly<Record<string, string>> = {
  pg: `import pg from "pg";
    const pool = new pg.Pool({ connectionString: address });
    const close = () => pool.end();`,
  knex: `import makeKnex from "knex";
    const knex = makeKnex({ client: "pg", connection: address });
    const close = () => knex.destroy();`,
  drizzle: `import { sql } from "drizzle-orm";
    import { drizzle } from "drizzle-orm/node-postgres";
    import pg from "pg";
    const pool = new pg.Pool({ connectionString: address });
    const db = drizzle(pool);
    const close = () => pool.end();`,
  typeorm: `import { DataSource } from "typeorm";
    const dataSource = await new DataSource({ type: "postgres", url: address }).initialize();
    const close = () => dataSource.destroy();`,
  sequelize: `import { Sequelize } from "sequelize";
    const sequelize = new Sequelize(address, { logging: false });
    const close = () => sequelize.close();`,
  // A stand-in with Prisma's signature: int8 is a BigInt, and a column of the type void cannot be read.
  prisma: `import pg from "pg";
    const types = { getTypeParser: (oid, format) => (oid === 20 ? BigInt : pg.types.getTypeParser(oid, format)) };
    const pool = new pg.Pool({ connectionString: address, types });
    const close = () => pool.end();
    async function run(client, sql, values) {
      const { fields, rows, rowCount } = await client.query(sql, values);
      if (fields.some(({ dataTypeID }) => dataTypeID === 2278)) throw new Error("Failed to deserialize column of type 'void'");
      return { rows, rowCount };
    }
    const prisma = {
      async $transaction(work) {
        const client = await pool.connect();
        const $queryRawUnsafe = async (sql, ...values) => (await run(client, sql, values)).rows;
        const $executeRawUnsafe = async (sql, ...values) => (await run(client, sql, values)).rowCount;
        try {
          await client.query("begin");
          await work({ $queryRawUnsafe, $executeRawUnsafe });
          await client.query("commit");
        } catch (error) {
          await client.query("rollback");
          throw error;
        } finally {
          client.release();
        }
      },
    };`,
};

/** Runs one recipe five times and prints each outcome. */
const programOf = (kind: string) => `
import { openReceiptStore, taskTable } from "@fiscald/handlers";
const logger = { error() {}, warn() {}, info() {}, debug() {} };
const store = await openReceiptStore({ database: process.env.DATABASE, logger });
const url = new URL(process.env.DATABASE);
if (process.env.LEVEL) {
  const level = " -c default_transaction_isolation=" + process.env.LEVEL;
  url.searchParams.set("options", url.searchParams.get("options") + level);
}
const address = url.href;
${libraries[kind]}
const sale = (price) => taskTable.sale({ orderId: "A-1042" }).item({ name: "Tea", price }).payRest("electronic").build();
let after = () => {};
let caught = null;
let order = sale("120.00");
const receipts = {
  async enqueue(...given) {
    const answer = await store.enqueue(...given).catch((fault) => {
      if (caught === null) throw fault;
      caught = fault.code;
    });
    after();
    return answer;
  },
};
async function recipe() {
${block(kind)}
}
const told = [];
async function tried() {
  await recipe().then(() => told.push("committed"), (error) => told.push(error.code + " " + error.message.slice(0, 60)));
}
if (process.env.LEVEL) await tried();
else {
  after = () => { throw new Error("the payment failed"); };
  await tried();
  told.push((await store.list()).length);
  after = () => {};
  for (let turn = 0; turn < 2; turn += 1) await tried();
  const [receipt] = await store.list();
  await store.nextReceipt({ kkm: "1", daemonId: "d", waitMs: 0, signal: new AbortController().signal });
  order = sale("130.00");
  caught = "";
  await tried();
  told.push(caught, (await store.list()).length, receipt.totalKopecks);
}
console.log(JSON.stringify(told));
await close();
await store.close();
`;

describe("receipts in the transaction of a shop's own library", () => {
  const check = postgres.skipped === null ? test : test.skip;
  const folder = mkdtempSync(join(tmpdir(), "fiscald-own-transaction-"));
  let database: TestDatabase;

  beforeAll(() => symlinkSync(join(root, "node_modules"), join(folder, "node_modules")));
  afterAll(() => rmSync(folder, { recursive: true }));
  beforeEach(async () => {
    if (postgres.skipped === null) database = await postgres.create();
  });
  afterEach(async () => {
    if (postgres.skipped === null) await database.drop();
  });

  function run(program: string, env: Readonly<Record<string, string>> = {}): unknown {
    writeFileSync(join(folder, "shop.mjs"), program);
    const told = execFileSync(process.execPath, ["shop.mjs"], {
      ...{ cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
      env: { ...process.env, DATABASE: database.address, ...env },
    });
    return JSON.parse(told);
  }

  async function withOrders<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: database.address });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  const orders = "create table orders (id text primary key, paid boolean not null)";

  check.each(Object.keys(libraries))(
    "the recipe for %s queues a receipt once, and only when its order is paid",
    async (kind) => {
      await withOrders((client) => client.query(`${orders}; insert into orders values ('A-1042', false)`));
      expect(run(programOf(kind))).toEqual([
        expect.stringContaining("the payment failed"),
        0,
        ...["committed", "committed", "committed", "job.being-printed", 1, 12_000],
      ]);
      const { rows } = await withOrders((client) => client.query("select paid from orders"));
      expect(rows).toEqual([{ paid: true }]);
    },
  );

  check.each(Object.keys(libraries))("the recipe for %s is refused at the level serializable", async (kind) => {
    await withOrders((client) => client.query(`${orders}; insert into orders values ('A-1042', false)`));
    const [refused] = [run(programOf(kind), { LEVEL: "serializable" })].flat();
    expect(refused).toContain("config.invalid `within` must be a transaction of the isolation level");
    const { rows } = await withOrders((client) => client.query("select paid from orders"));
    expect(rows).toEqual([{ paid: false }]);
  });

  check.each([
    ["a pool", "pool", "a savepoint, failed: SAVEPOINT can only be used in transaction blocks"],
    ["a query that answers rows alone", "{ query: async () => [] }", "answers { rows, rowCount }"],
  ])("%s in place of a transaction is refused in a sentence that says why", async (_, within, words) => {
    const program = `
import { openReceiptStore, taskTable } from "@fiscald/handlers";
import pg from "pg";
const store = await openReceiptStore({ database: process.env.DATABASE });
const pool = new pg.Pool({ connectionString: process.env.DATABASE });
const order = taskTable.sale({ orderId: "A-1" }).item({ name: "Tea", price: "1.00" }).payRest("cash").build();
const told = [];
for (const call of [() => store.enqueue(order, { within: ${within} }), () => store.enqueueMany([order], { within: ${within} })]) {
  await call().catch(({ code, message }) => told.push(code + " " + message));
}
console.log(JSON.stringify([...told, (await store.list()).length]));
await pool.end();
await store.close();
`;
    const said = expect.stringMatching(/^config\.invalid `within`/);
    const told = run(program);
    expect(told).toEqual([said, said, 0]);
    expect(JSON.stringify(told)).toContain(words);
  });

  check(
    "the recipe of reconciliation queues each payment once, however often it runs, and despite a wrong payment",
    () => {
      const program = `
import { openReceiptStore, taskTable } from "@fiscald/handlers";
const receipts = await openReceiptStore({ database: process.env.DATABASE });
${block("reconcile")}
const goods = { name: "Tea", price: "120.00" };
const payments = ["p-1", "p-0", "p-2"].map((id, i) => ({ id, orderId: "A-" + i, contact: "buyer@example.ru", items: [goods] }));
payments[1].items = [{ name: "Tea", price: "a lot" }];
await receipts.enqueue(receiptOf(payments[0]));
const first = await reconcile(payments);
console.log(JSON.stringify([first.length, (await reconcile(payments)).length, (await receipts.list()).length, first[0]]));
await receipts.close();
`;
      const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(run(program)).toEqual([1, 0, 2, uuid]);
    },
  );
});
