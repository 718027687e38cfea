/** Each server that the kit can be mounted on answers the same calls in the same way. */
import { createServer } from "node:http";
import { silentLogger } from "@fiscald/shared/logger.js";
import { serve as serveHono } from "@hono/node-server";
import express from "express";
import express4 from "express-4";
import { fastify } from "fastify";
import { Hono } from "hono";
import { createCallEndpoint } from "#handlers/print-server/http/call-endpoint.js";
import { createPrintServerRouter, type PrintServerRouterOptions } from "#handlers/print-server/http/create-router.js";
import { createPrintServerPlugin } from "#handlers/print-server/http/fastify-plugin.js";
import { createPrintServerHandler } from "#handlers/print-server/http/fetch-handler.js";
import { createTestTill } from "#handlers/print-server/http/test-till.js";
import { CallStop } from "#handlers/print-server/http/with-timeout.js";
import { openReceiptStore } from "#handlers/print-server/receipts/receipt-store.js";
import { taskTable } from "#handlers/receipts/task-table-builder.js";
import { post, serveSite } from "../../../support/fake-daemon.js";
import { waitFor } from "../../../support/wait-for.js";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const tea = taskTable.sale({ orderId: "A-1" }).item({ name: "Tea", price: "120.00" }).payRest("cash");

interface Mounted {
  /** The address of the kit. */
  readonly url: string;
  /** The address of the site. */
  readonly root: string;
  close(): Promise<unknown>;
}

type Mount = (options: PrintServerRouterOptions) => Promise<Mounted>;

function onExpress(make: typeof express, ...before: ReturnType<typeof express.json>[]): Mount {
  return async (options) => {
    const app = make();
    for (const parser of before) app.use(parser);
    app.use("/fiscal", createPrintServerRouter(options));
    app.post("/cart", (_, response) => void response.send("the cart"));
    const { url, close } = await serveSite(app);
    return { url: `${url}/fiscal`, root: url, close };
  };
}

const mounts: Readonly<Record<string, Mount>> = {
  "Express 5": onExpress(express),
  "Express 5 behind express.json": onExpress(express, express.json({ limit: 1000 })),
  "Express 4": onExpress(express4),
  "Express 4 behind express.json": onExpress(express4, express4.json({ limit: 1000 })),
  "Fastify 5": async (options) => {
    const app = fastify({ forceCloseConnections: true });
    await app.register(createPrintServerPlugin(options), { prefix: "/fiscal" });
    app.post("/cart", async () => "the cart");
    const root = await app.listen({ port: 0, host: "127.0.0.1" });
    return { url: `${root}/fiscal`, root, close: () => app.close() };
  },
  "plain http": async (options) => {
    const router = createPrintServerRouter(options);
    const site = createServer((request, response) => {
      if (request.url === "/cart") response.end("the cart");
      else router(request, response);
    });
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    const address = site.address();
    const root = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
    return {
      url: root,
      root,
      async close() {
        site.closeAllConnections();
        await new Promise((resolve) => site.close(resolve));
      },
    };
  },
  "Hono, by the fetch handler": async (options) => {
    const handler = createPrintServerHandler(options);
    const app = new Hono();
    app.all("/fiscal", (context) => handler(context.req.raw));
    app.post("/cart", (context) => context.text("the cart"));
    const { server, port } = await new Promise<{ server: ReturnType<typeof serveHono>; port: number }>((resolve) => {
      const server = serveHono({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) =>
        resolve({ server, port }),
      );
    });
    const root = `http://127.0.0.1:${port}`;
    return {
      url: `${root}/fiscal`,
      root,
      async close() {
        if ("closeAllConnections" in server) server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  },
};

const open: Mounted[] = [];
afterEach(async () => {
  for (const site of open.splice(0)) await site.close();
});

async function mount(make: Mount, options: PrintServerRouterOptions): Promise<Mounted> {
  const site = await make(options);
  open.push(site);
  return site;
}

const closed = {
  nextReceipt: () => null,
  logger: silentLogger,
  auth: { kind: "bearer", token: "secret-of-16-signs" },
} as const;
const proven = { authorization: "Bearer secret-of-16-signs" };
const orderCall = { action: "order", kkm: "0001" };

describe.each(Object.entries(mounts))("the kit on %s", (_, make) => {
  test("a signed test till prints an enqueued receipt, and the site gets the result", async () => {
    const store = await openReceiptStore({ database: ":memory:", logger: silentLogger });
    const seen: unknown[] = [];
    const onResult = (result: unknown) => void seen.push(result);
    const { url } = await mount(make, { store, onResult, auth: { kind: "signature", secret }, logger: silentLogger });
    const till = createTestTill({ site: url, auth: { kind: "signature", secret } });
    expect(await till.poll()).toBeNull();
    const waiting = till.poll({ waitSeconds: 25 });
    const { receiptId } = await store.enqueue(tea.build());
    const receipt = await waiting;
    expect(receipt).toMatchObject({ receiptId, orderId: "A-1" });
    if (receipt !== null) await till.report(receipt);
    expect(seen).toMatchObject([{ receiptId, outcome: "printed" }]);
    expect(await store.findByReceiptId(receiptId)).toMatchObject({ state: "printed" });
    await store.close();
  });

  test("a wrong call gets the HTTP status of its mistake, and the site's own pages still work", async () => {
    const { url, root } = await mount(make, { ...closed, limitBytes: 1000 });
    const statusOf = async (body: unknown, headers: Record<string, string> = proven) =>
      (await post(url, body, { headers })).status;
    expect(await statusOf(orderCall, {})).toBe(401);
    const wrongMethod = await post(url, "", { headers: proven, method: "GET" });
    expect([wrongMethod.status, wrongMethod.headers.get("allow")]).toEqual([405, "POST"]);
    expect(await statusOf({ action: "x".repeat(2000) })).toBe(413);
    expect(await statusOf("<order/>", { ...proven, "content-type": "application/xml" })).toBe(415);
    const form = { ...proven, "content-type": "application/x-www-form-urlencoded" };
    expect((await post(url, "action=order&kkm=0001", { headers: form })).body).toMatchObject({ resultCode: 0 });
    expect((await post(`${root}/cart`, {})).body).toBe("the cart");
    expect((await post(`${url}/elsewhere`, orderCall, { headers: proven })).status).toBe(404);
  });

  test("a receipt whose caller hung up before the answer is given back to the site", async () => {
    const lost: unknown[] = [];
    let isAsked = false;
    const { url } = await mount(make, {
      ...closed,
      nextReceipt: (poll) => {
        // A copy of the poll keeps the signal.
        const { signal } = { ...poll };
        isAsked = true;
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve(tea.receipt())));
      },
      onAnswerLost: (answer) => void lost.push(answer),
    });
    const caller = new AbortController();
    const answer = post(url, orderCall, { headers: proven, signal: caller.signal }).catch(() => null);
    await waitFor("the poll arrives", () => isAsked);
    caller.abort();
    await answer;
    await waitFor("the receipt is back", () => lost.length === 1);
    expect(lost).toEqual([tea.receipt()]);
  });
});

test("Fastify closes at once although a till's long poll is waiting, and the poll is answered", async () => {
  const store = await openReceiptStore({ database: ":memory:", logger: silentLogger });
  const app = fastify();
  const auth = { kind: "signature", secret } as const;
  await app.register(createPrintServerPlugin({ store, auth, logger: silentLogger }), { prefix: "/fiscal" });
  const till = createTestTill({ site: `${await app.listen({ port: 0, host: "127.0.0.1" })}/fiscal`, auth });
  let isAnswered = false;
  const held = till.poll({ waitSeconds: 50 }).finally(() => {
    isAnswered = true;
  });
  await till.poll();
  expect(isAnswered).toBe(false);
  const before = performance.now();
  await app.close();
  expect(performance.now() - before).toBeLessThan(5000);
  expect(await held).toBeNull();
  await till.close();
  await store.close();
});

const requestTo = (path: string, body: object = orderCall) =>
  new Request(`https://shop.example${path}`, { method: "POST", headers: proven, body: JSON.stringify(body) });

test("a fetch handler with several addresses recognises each address by its whole path", async () => {
  const handler = createPrintServerHandler({ ...closed, paths: { order: "/api/orders", sync: "/api/sync" } });
  const ask = async (path: string, body: object) => {
    const answer = await handler(requestTo(path, body));
    return { status: answer.status, body: await answer.json() };
  };
  const sync = { action: "sync", data: [] };
  expect(await ask("/api/orders", orderCall)).toMatchObject({ status: 200, body: { resultCode: 0 } });
  expect(await ask("/api/sync", sync)).toMatchObject({ body: { resultCode: 0 } });
  expect(await ask("/api/orders", sync)).toMatchObject({ body: { resultCode: 2 } });
  expect(await ask("/elsewhere", orderCall)).toMatchObject({ status: 404 });
});

test("a fetch handler with allowed addresses lets in only a caller whose address the host names", async () => {
  const handler = createPrintServerHandler({ ...closed, allowedAddresses: ["10.0.0.0/8"] });
  expect((await handler(requestTo("/fiscal"))).status).toBe(403);
  expect((await handler(requestTo("/fiscal"), { address: "10.1.2.3" })).status).toBe(200);
});

test("the receipt in a response that is cancelled before its text is read is given back to the site", async () => {
  const lost: unknown[] = [];
  const handler = createPrintServerHandler({
    ...closed,
    nextReceipt: () => tea.receipt(),
    onAnswerLost: (answer) => void lost.push(answer),
  });
  const ask = () => handler(requestTo("/"));
  await (await ask()).text();
  expect(lost).toEqual([]);
  await (await ask()).body?.cancel();
  await waitFor("the receipt is back", () => lost.length === 1);
});

test("a receipt is given back to the site once, whenever its caller hangs up before the response is read", async () => {
  for (let turns = 0; turns < 60; turns += 1) {
    const lost: unknown[] = [];
    const caller = new AbortController();
    const hangUp = async () => {
      for (let turn = 0; turn < turns; turn += 1) await null;
      caller.abort();
    };
    const handler = createPrintServerHandler({
      ...closed,
      nextReceipt: () => {
        void hangUp();
        return tea.receipt();
      },
      onAnswerLost: (answer) => void lost.push(answer),
    });
    const response = await handler(new Request(requestTo("/"), { signal: caller.signal }));
    await response.body?.cancel();
    await waitFor("the receipt is back", () => lost.length > 0);
    await new Promise(setImmediate);
    expect([turns, lost]).toEqual([turns, [tea.receipt()]]);
  }
});

test("a long poll whose body could not be read is not counted as a held poll", async () => {
  const endpoint = createCallEndpoint({ nextReceipt: () => null, logger: silentLogger, auth: { kind: "none" } });
  const stop = new CallStop();
  const headers = { prefer: "wait=50" };
  const body = { headers, parsed: "{", rawBody: undefined, isRead: true, collect: async () => Buffer.from("") };
  const call = { method: "POST", headers, url: "/", remoteAddress: null, body, stop };
  expect((await endpoint.answer(call, endpoint.kindsAt("/"))).status).toBe(400);
  endpoint.endPolls();
  expect(stop.isAborted).toBe(false);
});
