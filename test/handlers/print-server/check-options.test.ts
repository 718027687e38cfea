/** Plain JavaScript has no compiler, so each mistake in the options becomes a sentence that names the option. */
import { Fault, isFault } from "@fiscald/shared/fault.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { createPrintServerRouter } from "#handlers/print-server/http/create-router.js";
import { createTestTill } from "#handlers/print-server/http/test-till.js";
import { preview } from "#handlers/print-server/order-body.js";
import { openReceiptStore } from "#handlers/print-server/receipts/receipt-store.js";
import { taskTable } from "#handlers/receipts/task-table-builder.js";
import { openStore } from "#handlers/store/open-store.js";
import { toLogger } from "#handlers/store/site-logger.js";

const callWith = (made: (options: never) => unknown, options: object) => Reflect.apply(made, undefined, [options]);

function sentence(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return isFault(error) ? `${error.code}: ${error.message}` : String(error);
  }
  return "accepted";
}

test.each([
  [{ auth: undefined }, "`auth` must be like"],
  [{ auth: null }, "`auth` must be like"],
  [{ auth: "s3cret" }, "`auth` must be like"],
  [{ auth: [] }, "`auth` is an empty list"],
  [{ auth: {} }, "`auth.kind` is none of signature, bearer"],
  [{ auth: { kind: undefined } }, "`auth.kind` is none of signature, bearer"],
  [{ auth: { kind: "hmac", secret: "s3cret" } }, "`auth.kind` is none of signature, bearer"],
  [{ auth: { kind: "signature" } }, "`auth.secret` is missing: is the environment variable set"],
  [{ auth: { kind: "signature", secret: undefined } }, "`auth.secret` is missing"],
  [{ auth: { kind: "signature", secret: "s3cret s3cret s3cret !" } }, "`auth.secret` of a signature must be base64"],
  [{ auth: { kind: "bearer", secret: "s3cret" } }, "`auth.token` is missing"],
  [{ auth: { kind: "bearer", token: 12345 } }, "`auth.token` must be text, not a number"],
  [{ auth: { kind: "bearer", token: "" } }, "`auth.token` is empty: is the environment variable set"],
  [{ auth: { kind: "bearer", token: "s3cret-15-signs" } }, "`auth.token` is shorter than 16 characters"],
  [{ auth: { kind: "signature", secret: "whsec_s3cretOf15signs" } }, "`auth.secret` is shorter than 16 characters"],
  [{ auth: { kind: "basic", user: "till" } }, "`auth.password` is missing"],
  [{ auth: { kind: "header", value: "s3cret" } }, "`auth.name` is missing"],
  [{ auth: { kind: "query" } }, "`auth.secret` is missing"],
  [{ auth: [{ kind: "bearer", token: "s3cret-of-16-signs" }, { kind: "bearer" }] }, "`auth[1].token` is missing"],
  [{ nextReceipt: undefined }, "`store` is missing"],
  [{ store: Promise.resolve({}) }, "`store` is a promise: write `await openReceiptStore(...)`"],
  [{ onPrint: () => {} }, "`onPrint` is no option; `onPrinted` is."],
  [{ onPrinted: "s3cret" }, "`onPrinted` must be a function, not a string"],
  [{ answerWithinMs: "5s" }, "`answerWithinMs` must be a number, not a string."],
  [{ resultActions: "orderConfirm" }, "`resultActions` must be an array, not a string"],
  [{ allowedAddresses: "127.0.0.1" }, "`allowedAddresses` must be an array, not a string"],
  [{ paths: { orders: "/orders" } }, "`orders` is no option; `order` is."],
  [{ paths: { order: 5 } }, "`order` must be a string, not a number."],
  [{ limitBytes: Number("1mb") }, "`limitBytes` must be a number, not NaN."],
  [{ paths: "/orders" }, "`paths` must be an object, not a string."],
  [{ color: "red" }, "`color` is no option: there are store, auth, paths"],
  [
    { onPrint: () => {}, limitBytes: "1mb" },
    "`limitBytes` must be a number, not a string.\n`onPrint` is no option; `onPrinted` is.",
  ],
  [{ store: "data.sqlite" }, "`store` must be a receipt store, not a string"],
  [{ logger: 5 }, "`logger` must be a logger with error, warn, info, debug, not a number."],
  [{ logger: { error() {}, warn() {}, info() {} } }, "`logger` must be a logger with error, warn"],
  [{ clock: null }, "`clock` must be a clock with now, monotonic, sleep, setTimer, not null."],
  [{ clock: { now() {}, setTimer() {} } }, "`clock` must be a clock with now, monotonic"],
])("the print server's router refuses the options %j in a sentence that names the wrong one", (given, expected) => {
  const said = sentence(() =>
    callWith(createPrintServerRouter, {
      nextReceipt: () => null,
      logger: silentLogger,
      auth: { kind: "none" },
      ...given,
    }),
  );
  expect(said).toContain(`config.invalid: ${expected}`);
  expect(said).not.toMatch(/s3cret|12345/);
});

test.each([
  [undefined, "`database` is missing"],
  [{ database: "" }, "`database` is missing"],
  ["data/receipts.sqlite", "`database` is missing"],
  [
    { database: Promise.resolve({}) },
    "`database` must be a file, postgres://..., or `await openStore(...)`, not an object",
  ],
  [{ database: ":memory:", resorce: "shop" }, "`resorce` is no option; `resource` is."],
  [{ database: ":memory:", clock: 5 }, "`clock` must be a clock"],
  [{ database: "mysql://root:s3cret@localhost/shop" }, "mysql://... is no database of this kit"],
])("openReceiptStore refuses the options %j in a sentence that names the wrong one", async (options, expected) => {
  const said = await Reflect.apply(openReceiptStore, undefined, [options]).catch((fault: Error) => fault.message);
  expect(said).toContain(expected);
  expect(said).not.toContain("s3cret");
});

const order = taskTable.sale({ orderId: "A-1", contact: "anna@mail.example" }).item({ name: "Tea", price: 1 });
test.each([
  [order.payRest("cash"), "The order is a builder: end it with `.build()`."],
  [Promise.resolve(order), "The order is a promise: write `await` before it."],
  [undefined, "The order must be what a builder built, not undefined."],
  [JSON.stringify(order.build()), "The order must be what a builder built, not a string."],
])("a value that is no built order is refused, and the refusal does not show its content", (given, expected) => {
  expect(sentence(() => Reflect.apply(preview, undefined, [given]))).toBe(`order.unreadable: ${expected}`);
});

test.each([
  [{ printAnyways: true }, "`printAnyways` is no option; `printAnyway` is."],
  [{ printAnyway: "yes" }, "`printAnyway` must be true or false, not a string."],
  [{ within: { execute: () => {} } }, "`within` must be a transaction of Kysely, or have `query(sql, values)`"],
  [{ within: { query: () => {} } }, "On SQLite `within` must be a transaction of the kit's own `openStore`."],
])("enqueue refuses the options %o in a sentence that names the wrong one", async (options, expected) => {
  const store = await openReceiptStore({ database: ":memory:", logger: silentLogger });
  const enqueued = Reflect.apply(store.enqueue, store, [order.build(), options]);
  await expect(enqueued).rejects.toMatchObject({ message: expect.stringContaining(expected) });
  await store.close();
});

test("a transaction in place of the options is refused, because it would not have the receipt", async () => {
  const database = await openStore({ address: ":memory:" });
  const store = await openReceiptStore({ database, logger: silentLogger });
  const said = "`within` is an option: write { within: tx }.";
  await database.transaction(async (tx) => {
    for (const call of [store.enqueue, store.withdraw]) {
      const called: Promise<unknown> = Reflect.apply(call, store, [order.build(), tx]);
      await expect(called).rejects.toMatchObject({ code: "config.invalid", message: said });
    }
  });
  await store.close();
  await database.close();
});

test("the console as the kit's logger gets warnings with their fields, and debug lines as text", () => {
  const lines: unknown[][] = [];
  const write = (...line: unknown[]) => void lines.push(line);
  const site = { error: write, warn: write, info: write, debug: write };
  createPrintServerRouter({ nextReceipt: () => null, logger: site });
  const logger = toLogger(site);
  logger.child({ site: "shop" }).debug(() => "made late", { order: "A-1" });
  logger.wire("bytes");
  const down = new Fault("site.unreachable", { message: "connect ECONNREFUSED" });
  logger.warn("events wait", { to: "shop", fault: down });
  const ours = new Fault("internal", { message: "a mistake" });
  logger.error("failed", { fault: ours });
  expect(lines).toEqual([
    [expect.stringMatching(/^fiscald: .*open to everybody/)],
    ["fiscald: made late", { order: "A-1" }],
    ["fiscald: events wait", { to: "shop", fault: "site.unreachable: connect ECONNREFUSED" }],
    ["fiscald: failed", { fault: ours }],
  ]);
  expect(toLogger(console)).not.toBe(console);
});

test.each([
  [undefined, "`site` is missing"],
  [{ site: "http://127.0.0.1:1", auth: { kind: "signature" } }, "`auth.secret` is missing"],
  [{ site: "http://127.0.0.1:1", daemonID: "hall" }, "`daemonID` is no option; `daemonId` is."],
  [{ site: "http://127.0.0.1:1", fn: 5 }, "`fn` must be a string, not a number."],
])("createTestTill refuses the options %j in a sentence that names the wrong one", (options, expected) => {
  expect(sentence(() => Reflect.apply(createTestTill, undefined, [options]))).toContain(expected);
});
