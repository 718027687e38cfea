/** The calls of a shop without Node: `POST /receipts`, `GET /receipts`, and its tills at `/till/{shop}`. */
import { databaseKinds } from "../../support/site-databases.js";
import { waitFor } from "../../support/wait-for.js";
import { openSidecarWorld, order, type SidecarWorld } from "./sidecar-world.js";

const receiptId = "6c1f4c1e-7d0a-4d61-9a3e-000000000001";

const misspelt: object = JSON.parse(JSON.stringify(order("A-1")).replace('"price"', '"prise"'));

function cloudOrder(item: object) {
  const receipt = { items: [item], total: 1, payments: [{ type: 1, sum: 1 }], client: { email: "a@b.example" } };
  return { external_id: "A-1", receipt };
}

describe.each(databaseKinds)("receipts by HTTP on $name", ({ skipped, create }) => {
  const check = skipped === null ? test : test.skip;
  let world: SidecarWorld;
  beforeEach(async () => {
    if (skipped === null) world = await openSidecarWorld(await create());
  });
  afterEach(async () => {
    if (skipped === null) await world.close();
  });

  const levels = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
  const deepBodies = [
    `{"response":{"orderId":"A-1","taskTable":[{"type":"OpenCheckSell","param":${levels(5000)}}]}}`,
    `{"response":${levels(20_000)}}`,
    `{"external_id":${levels(5000)},"EXTERNAL_ID":${levels(5000)}}`,
  ];
  for (const [position, body] of deepBodies.entries()) {
    check(
      `POST /receipts answers 400 to JSON that is nested too deeply, also as a cloud receipt (${position})`,
      async () => {
        for (const query of ["", "?operation=sell"]) {
          expect(await world.call("POST", `/receipts${query}`, body)).toMatchObject({
            status: 400,
            body: { message: "body: is nested too deeply" },
          });
        }
      },
    );
  }

  check("POST /receipts answers with warnings of a misspelt key, in both forms of a body", async () => {
    const path = "client_contact";
    const odd = { warnings: [{ path, message: expect.stringContaining("`clientContact`") }] };
    expect(await world.post(order("A-1", { [path]: "a@b.example" }))).toMatchObject({ status: 200, body: odd });
    expect(await world.post(order("A-2"))).toMatchObject({ status: 200, body: { warnings: [] } });
    const items = [{ name: "Tea", price: 1, quantity: 1, sum: 1, vat: { type: "vat22" }, nds: 20 }];
    const receipt = { items, total: 1, payments: [{ type: 1, sum: 1 }], client: { email: "a@b.example" } };
    expect(await world.post({ external_id: "A-3", receipt }, "?operation=sell")).toMatchObject({
      status: 200,
      body: { warnings: [{ path: "receipt.items[0].nds" }] },
    });
  });

  check.each([
    ["its own format", "", misspelt, "taskTable[1].param.prise"],
    ["a cloud service's", "?operation=sell", cloudOrder({ name: "Tea", prise: 1 }), "receipt.items[0].prise"],
  ])("POST /receipts refuses an order in %s and names the key that was meant", async (_, query, given, path) => {
    const { status, body } = await world.post(given, query, { "accept-language": "ru" });
    const message = "такого ключа нет, он не прочитан; возможно, нужен `price`?";
    expect({ status, body }).toMatchObject({ status: 422, body: { message: expect.stringContaining(message) } });
    expect(body).toMatchObject({ problems: expect.arrayContaining([expect.objectContaining({ path, message })]) });
  });

  check.each([
    ["?operation=sell", cloudOrder({ name: "Tea", price: 1, quantity: 1, sum: 1 }), "не указана: товар без НДС"],
    ["?operation=sell", { ...cloudOrder({}), operation: "sell_refund" }, "не sell, как говорит вызов"],
    ["?printAnyway=true", order("A-1"), "для `printAnyway` нужен receiptId или `key`"],
    ["?key=1", order("A-1", { receiptId }), "уже есть у чека"],
  ])("POST /receipts%s says in Russian what it refuses: %j", async (query, given, reason) => {
    const refused = { status: 422, body: { message: expect.stringContaining(reason) } };
    expect(await world.post(given, query, { "accept-language": "ru" })).toMatchObject(refused);
  });

  check("POST /receipts refuses a receiptId of another shop at its place", async () => {
    const other = await world.openShop("two");
    expect(await world.post(order("A-1", { receiptId }))).toMatchObject({ status: 200, body: { receiptId } });
    expect(await other.post(order("B-1", { receiptId }))).toMatchObject({
      status: 422,
      body: { message: expect.stringMatching(/^receiptId: another shop/) },
    });
    expect(await other.get("/receipts?orderId=B-1")).toEqual({ status: 200, body: [] });
  });

  check("POST /receipts refuses a table that sells and says that it is a refund, at its operation", async () => {
    const refused = { status: 422, body: { message: expect.stringMatching(/^operation: "sell_refund" contradicts/) } };
    const body = order("A-1");
    expect(await world.post({ ...body, operation: "sell_refund" })).toMatchObject(refused);
    expect(await world.post(order("A-1", { operation: "sell_refund" }))).toMatchObject(refused);
    expect(await world.get("/receipts?orderId=A-1")).toEqual({ status: 200, body: [] });
  });

  check("a receipt is read at its own address by its own shop, and by no other shop", async () => {
    const other = await world.openShop("two");
    const { body } = await world.post(order("A-1", { receiptId }));
    expect({ status: 200, body }).toMatchObject(await world.get(`/receipts/${receiptId}`));
    expect(await other.get(`/receipts/${receiptId}`)).toMatchObject({ status: 404 });
    expect(await world.get("/receipts/6c1f4c1e-7d0a-4d61-9a3e-000000000009")).toMatchObject({ status: 404 });
    expect(await world.get(`/receipts/${receiptId}/more`)).toMatchObject({ status: 404 });
    expect(await world.get(`/receipts/${receiptId}?receiptId=x`)).toMatchObject({ status: 400 });
    expect(await world.call("POST", `/receipts/${receiptId}`, "{}")).toMatchObject({ status: 404 });
    expect(await world.get("/receipts/%ZZ")).toMatchObject({ status: 404 });
  });

  check("POST /receipts with the same receiptId or Idempotency-Key answers with the same receipt", async () => {
    const first = await world.post(order("A-1", { receiptId }));
    expect(await world.post(order("A-1", { receiptId }))).toEqual(first);
    const keyed = await world.post(order("A-2"), "", { "idempotency-key": "k1" });
    expect(await world.post(order("A-2"), "", { "idempotency-key": "k1" })).toEqual(keyed);
    expect((await world.get("/receipts?orderId=A-2")).body).toHaveLength(1);
  });

  check("a second return by HTTP needs a key, and a return beyond the sale needs beyondSold too", async () => {
    await world.post(order("A-1"));
    const back = (query: string) => world.post(order("A-1", {}, 120, "OpenCheckReturn"), query);
    expect(await back("?key=refund-1")).toMatchObject({ status: 200, body: { operation: "return" } });
    const tooMuch = { status: 422, body: { message: expect.stringMatching(/480\.00.*240\.00/) } };
    expect(await back("?key=refund-2")).toMatchObject(tooMuch);
    expect(await back("?key=refund-2&printAnyway=true")).toMatchObject(tooMuch);
    expect(await back("?beyondSold=true")).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining("receiptId: `beyondSold` needs") },
    });
    const lifted = await back("?key=refund-2&beyondSold=true");
    expect(lifted).toMatchObject({ status: 200 });
    expect(await back("?key=refund-2&beyondSold=true")).toEqual(lifted);
    expect((await world.get("/receipts?orderId=A-1")).body).toHaveLength(3);
  });

  check("POST /receipts takes an order number of 128 characters, which GET finds again", async () => {
    const longest = "x".repeat(128);
    const { body } = await world.post(order(longest));
    expect({ status: 200, body: [body] }).toMatchObject(await world.get(`/receipts?orderId=${longest}`));
  });

  check("POST /receipts refuses a rate that is not in force today", async () => {
    const items = [{ name: "Tea", price: 120, quantity: 1, sum: 120, vat: { type: "vat20" } }];
    const receipt = { items, payments: [{ type: 1, sum: 120 }], total: 120 };
    expect(await world.post({ external_id: "A-1", receipt })).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining("receipt.items[0].vat.type: 20 % is in force only for refunds") },
    });
    world.clock.setWallClock(Date.UTC(2025, 5, 1));
    for (const query of ["", "?operation=sell"]) {
      expect(await world.post({ external_id: "A-1", receipt }, query)).toMatchObject({ status: 200 });
    }
  });

  check("POST /receipts refuses a cloud service's body that does not say its operation", async () => {
    const receipt = {
      client: { email: "buyer@example.ru" },
      items: [{ name: "Tea", price: 120, quantity: 1, sum: 120, vat: { type: "vat22" } }],
      payments: [{ type: 1, sum: 120 }],
      total: 120,
    };
    const sent = (query: string) => world.post({ external_id: "A-1", receipt }, query);
    expect(await sent("")).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining("operation: is missing") },
    });
    expect(await sent("?operation=sell_refund")).toMatchObject({ status: 200, body: { operation: "return" } });
  });

  check(
    "a cloud service's body is an internet sale at its address of payment, wherever its operation is stated",
    async () => {
      const receipt = {
        client: { email: "buyer@example.ru" },
        company: { payment_address: "shop.example" },
        items: [{ name: "Tea", price: 120, quantity: 1, sum: 120, vat: { type: "vat22" } }],
        payments: [{ type: 1, sum: 120 }],
        total: 120,
      };
      const { till } = world;
      await world.post({ external_id: "A-1", operation: "sell", receipt });
      await world.post({ external_id: "A-2", receipt }, "?operation=sell");
      const sold = { internet: { url: "shop.example" } };
      expect([await till.printNext(), await till.printNext()]).toMatchObject([sold, sold]);
    },
  );

  check("a receipt of a shop whose till has never asked gives a warning", async () => {
    await world.post(order("A-1"));
    await waitFor("it is warned of", async () => {
      await world.clock.advance(30_000);
      return world.warnings.some((line) => line.includes("no print server asks"));
    });
  });

  check(
    "GET and POST /receipts show the print server's doubts of a printed receipt beside those of its order",
    async () => {
      const given = order("A-1", { client_contact: "a@b.example" });
      await world.post(given);
      const printed = await world.till.poll();
      const doubt = { path: "items[0].tax", message: "строка 10 у кассы НДС 7/107" };
      await world.till.call("result", {
        ...{ action: "orderConfirm", kkm: "0001", inn: "7700000000", fn: "99", resultCode: 0, resultInfo: "" },
        ...{ shiftNumber: "1", OFDLink: "", orderId: "A-1", receiptId: printed?.receiptId, outcome: "printed" },
        ...{ fdNumber: "7", warnings: [doubt] },
      });
      const warnings = [{ path: "client_contact" }, doubt];
      expect(await world.get("/receipts?orderId=A-1")).toMatchObject({ body: [{ state: "printed", warnings }] });
      expect(await world.post(given)).toMatchObject({ body: { state: "printed", warnings } });
      expect(world.warnings.filter((line) => line.includes("строка 10"))).toHaveLength(1);
    },
  );

  check("POST /receipts with other content for a handed or printed receipt warns that it is not printed", async () => {
    await world.post(order("A-1", { receiptId }));
    const handed = await world.till.poll();
    const { response } = order("A-1", { receiptId });
    const [open, tea = {}, ...end] = response.taskTable;
    const other = { response: { ...response, taskTable: [open, { ...tea, data: "Coffee" }, ...end] } };
    const lines = (message: string) => ({ body: { warnings: [{ path: "lines", message }] } });
    expect(await world.post(other)).toMatchObject(
      lines("is not as in the handed receipt: this was neither kept nor printed"),
    );
    if (handed !== null) await world.till.report(handed);
    expect(await world.post(other)).toMatchObject(
      lines("is not as in the printed receipt (FD 1): this was neither kept nor printed"),
    );
  });

  check(
    "a strict sidecar refuses a misspelt rate key and a missing rate, in both formats, and queues nothing",
    async () => {
      const strict = await openSidecarWorld(await create(), { strict: true });
      const refused = (path: string) => ({ status: 422, body: { problems: [{ code: "order.wrong-value", path }] } });
      const vatt: object = JSON.parse(JSON.stringify(order("A-1")).replace('"tax":1', '"vatt":"vat22"'));
      expect(await strict.post(vatt)).toMatchObject({ status: 422, body: { path: "taskTable[1].param.vatt" } });
      const item = { name: "Tea", price: 1, quantity: 1, sum: 1, vat: { type: "vat22" }, colour: "red" };
      const inCloud = refused("receipt.items[0].colour");
      expect(await strict.post(cloudOrder(item), "?operation=sell")).toMatchObject(inCloud);
      expect(await strict.get("/receipts?orderId=A-1")).toEqual({ status: 200, body: [] });
      expect(await strict.post(order("A-1"))).toMatchObject({ status: 200, body: { warnings: [] } });
      const lawful = { ...item, colour: undefined, mark_processing_mode: "0", wholesale: false };
      expect(await strict.post({ ...cloudOrder(lawful), external_id: "A-2" }, "?operation=sell")).toMatchObject({
        status: 200,
      });
      await strict.close();
    },
  );

  check("a receipt is printed only by a till of its own shop", async () => {
    await world.post(order("A-1"));
    const other = await world.openShop("two");
    expect(await other.till.printNext()).toBeNull();
    expect(await world.till.printNext()).toMatchObject({ orderId: "A-1" });
    expect(await world.get("/receipts?orderId=A-1")).toMatchObject({
      body: [{ state: "printed", document: { fdNumber: "1" } }],
    });
  });
});
