import { createServer, type Server } from "node:http";
import * as entry from "@fiscald/handlers/delivery";
import { silentLogger } from "@fiscald/shared/logger.js";
import express from "express";
import { z } from "zod";
import { migrated } from "#handlers/delivery/open-delivery.js";
import { createToken } from "#handlers/delivery/store/access-tokens.js";
import { openStore } from "#handlers/store/open-store.js";
import { databaseKinds } from "../../support/site-databases.js";
import { listen } from "./delivery-world.js";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

async function mounted(options: Partial<entry.MountDeliveryOptions>) {
  const database = await databaseKinds[0]?.create();
  if (database === undefined) throw new Error("there is no database");
  const app = express();
  const store = await openStore({ address: database.address });
  const delivery = await entry.mountDelivery(app, { database: store, logger: silentLogger, ...options });
  const server: Server = createServer(express().use("/shop", app));
  const origin = await listen(server);
  cleanups.push(
    () => database.drop(),
    () => store.close(),
    () => delivery.close(),
    () => new Promise((resolve) => server.close(resolve)),
    async () => server.closeAllConnections(),
  );
  const { token, resource } = await createToken(await migrated(store), "shop", Date.now());
  const get = (path: string) => fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${token}` } });
  return { delivery, get, resource, server };
}

test("one call mounts the API, the couriers' feed, the print server's handlers and the documents", async () => {
  const { get, resource } = await mounted({ path: "/delivery/", publicUrl: "https://shop.example" });
  expect(await (await get("/shop/delivery/v1/orders")).json()).toEqual([]);
  const settings = await (await get("/shop/delivery/v1/printServerSettings")).json();
  expect(settings).toEqual({ url: `https://shop.example/shop/delivery/fiscal/${resource.id}` });
  expect((await get("/shop/delivery/courier/v1/orders")).status).toBe(401);
  expect((await get(`/shop/delivery/fiscal/${resource.id}`)).status).toBe(405);
  expect((await get("/shop/delivery/docs")).status).toBe(200);
  const { paths } = z
    .object({ paths: z.record(z.string(), z.unknown()) })
    .parse(await (await get("/shop/delivery/openapi.json")).json());
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining(["/shop/delivery/v1/orders", "/shop/delivery/courier/v1/orders"]),
  );
});

test("mountDelivery applies the request limit of its call", async () => {
  const { get } = await mounted({ requestsPerMinute: 1 });
  expect((await get("/shop/v1/orders")).status).toBe(200);
  expect((await get("/shop/v1/orders")).status).toBe(429);
});

test("mountDelivery gives the shop nothing except a close method", async () => {
  const { delivery } = await mounted({});
  expect(Object.keys(delivery)).toEqual(["close"]);
});

test.each([
  [[undefined, { database: "shop.sqlite" }], "`app` must be an Express application, not a router of one."],
  [[express.Router(), { database: "shop.sqlite" }], "`app` must be an Express application, not a router of one."],
  [[express()], "`database` is missing (a file, postgres://..., or"],
  [[express(), { database: 5 }], "`database` must be a file, postgres://..., or"],
  [[express(), { database: "shop.sqlite", logger: {} }], "`logger` must be a logger"],
  [[express(), { database: "shop.sqlite", clock: 5 }], "`clock` must be a clock"],
])("wrong arguments of mountDelivery are named before anything is opened: case %#", async (given, message) => {
  const wrong = Reflect.apply(entry.mountDelivery, null, given);
  await expect(wrong).rejects.toMatchObject({ code: "config.invalid", message: expect.stringContaining(message) });
});
