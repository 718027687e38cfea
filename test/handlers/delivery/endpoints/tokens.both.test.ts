import { once } from "node:events";
import { createServer, request } from "node:http";
import type { Logger } from "@fiscald/shared/logger.js";
import express from "express";
import { createDeliveryRouter } from "#handlers/delivery/mount-delivery.js";
import { revokeToken } from "#handlers/delivery/store/access-tokens.js";
import { createTestTill } from "#handlers/print-server/http/test-till.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { checkAnswersAgainstDocument, fillCatalog, listen, logIn, newOrder } from "../delivery-world.js";
import { describeOnBothStores, useOwnWorlds } from "../use-world.js";

checkAnswersAgainstDocument();

function createFullLogger(lines: string[]): Logger {
  const tell = (message: string | (() => string), fields: object = {}) => {
    const show = (_key: string, value: unknown) =>
      value instanceof Error ? { ...value, message: value.message, stack: value.stack, cause: value.cause } : value;
    lines.push(`${typeof message === "string" ? message : message()} ${JSON.stringify(fields, show)}`);
  };
  const logger: Logger = { error: tell, warn: tell, info: tell, debug: tell, wire: tell, child: () => logger };
  return logger;
}

const login = { courierId: 7, password: "wrong", deviceId: "d", deviceTitle: "D" };

describeOnBothStores("tokens and limits of the delivery API", (newDatabase) => {
  const open = useOwnWorlds(newDatabase);

  test("a revoked token gets 401 at once on every node, and the shop's other token stays valid", async () => {
    const database = await newDatabase();
    const [one, other] = [await open({}, database), await open({}, database)];
    const shop = await one.shop("shop");
    const second = await one.shop("shop");
    const onOther = other.api(shop.access.token);
    expect((await onOther.get("/goods")).status).toBe(200);
    await revokeToken(one.backend.store, shop.access.id, Date.now());
    const answers = await Promise.all([onOther.get("/goods"), shop.get("/goods"), second.get("/goods")]);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 200]);
  });

  test("an address without a known token may make 60 requests a minute by default", async () => {
    const { backend } = await open();
    const server = createServer(express().use("/v1", createDeliveryRouter({ backend })));
    const origin = await listen(server);
    const statuses = [];
    for (let turn = 0; turn < 61; turn += 1) statuses.push((await fetch(`${origin}/v1/goods`)).status);
    server.closeAllConnections();
    server.close();
    expect([statuses.lastIndexOf(401), statuses.at(-1)]).toEqual([59, 429]);
  });

  test("a request without a known token gets 401 before its body is read, even when the body is too large", async () => {
    const world = await open({ router: { bodyLimitBytes: 100 } });
    expect((await world.api("nobody").post("/goods", ["x".repeat(200)])).status).toBe(401);
  });

  test("each token has the rate limit for itself", async () => {
    const world = await open({ router: { requestsPerMinute: 2 } });
    for (const shop of [await world.shop(), await world.shop()]) {
      const seen = [await shop.get("/goods"), await shop.get("/goods"), await shop.get("/goods")];
      expect(seen.map(({ status }) => status)).toEqual([200, 200, 429]);
    }
  });

  test("the couriers' API has its own rate limits, for each session and for each address of a login", async () => {
    const world = await open({ courierRouter: { requestsPerMinute: 2 } });
    const shop = await world.shop();
    await fillCatalog(shop);
    const courier = await logIn(world, shop);
    const seen = [await courier.get("/orders"), await courier.get("/orders"), await courier.get("/orders")];
    expect(seen.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(Number(seen[2]?.headers.get("retry-after"))).toBeGreaterThan(0);
    const stranger = world.api(null, "/courier/v1");
    const tries = [await stranger.post("/sessions", login), await stranger.post("/sessions", login)];
    expect(tries.map(({ status }) => status)).toEqual([401, 429]);
    expect((await shop.get("/goods")).status).toBe(200);
  });

  test("unknown tokens share the rate limit of their address in the shops' API and the couriers' API", async () => {
    const world = await open({ router: { requestsPerMinute: 2 }, courierRouter: { requestsPerMinute: 2 } });
    const logins = [];
    const reads = [];
    for (const junk of ["one", "two", "three", "four"]) {
      logins.push((await world.api(junk, "/courier/v1").post("/sessions", login)).status);
      reads.push((await world.api(junk).get("/goods")).status);
    }
    expect(logins).toEqual([401, 401, 429, 429]);
    expect(reads).toEqual([401, 401, 429, 429]);
  });

  test("wrong courier passwords block their own address for a minute, not the courier's phone or other addresses", async () => {
    const clock = createFakeClock();
    const world = await open({ delivery: { clock, wrongPasswordsPerMinute: 3 } });
    const shop = await world.shop();
    await fillCatalog(shop);
    await shop.post("/couriers", [{ courierId: 8, title: "Другой", sourcePassword: "letmein-2026" }]);
    await logIn(world, shop, "d");
    const right = { ...login, resourceId: shop.access.resource.id, password: "letmein-2026" };
    const fromElsewhere = async () => {
      const headers = { "content-type": "application/json" };
      const options = { method: "POST", localAddress: "127.0.0.2", headers };
      const asked = request(`${world.origin}/courier/v1/sessions`, options);
      const [answer] = await once(asked.end(JSON.stringify({ ...right, deviceId: "new" })), "response");
      return answer.statusCode;
    };
    const tryLogin = (token: string | null, changes: object = {}) =>
      world.api(token, "/courier/v1").post("/sessions", { ...right, deviceId: "d2", ...changes });
    // Sent at one moment, so that none is answered before all are sent.
    const together = await Promise.all(
      ["a", "b", "c", "d", "e"].map((token) => tryLogin(token, { password: "wrong" })),
    );
    expect(together.map(({ status }) => status).sort()).toEqual([401, 401, 401, 429, 429]);
    const shutOut = await tryLogin("f");
    expect([shutOut.status, Number(shutOut.headers.get("retry-after"))]).toEqual([429, 60]);
    expect((await tryLogin("f", { courierId: 8 })).status).toBe(201);
    expect([(await tryLogin(null, { deviceId: "d" })).status, await fromElsewhere()]).toEqual([201, 201]);
    await clock.advance(60_000);
    for (const token of ["g", "h", "i", "j", "k"]) expect((await tryLogin(token)).status).toBe(201);
  });

  test("no token, secret or password appears in the log, at any level, whatever goes wrong", async () => {
    const lines: string[] = [];
    const world = await open({ delivery: { logger: createFullLogger(lines) } });
    const shop = await world.shop();
    await fillCatalog(shop);
    const { token, resource } = shop.access;
    const { token: session } = await logIn(world, shop);
    const url = `${world.origin}/fiscal/${resource.id}`;
    for (const secret of [resource.handlerSecret, "wrong-secret"]) {
      const till = createTestTill({ site: url, kkm: "0001", auth: { kind: "query", secret } });
      await till.poll().catch(() => null);
      await till.close();
    }
    await world.api("wrong-token").get("/goods");
    await world.api(null, "/courier/v1").post("/sessions", { courierId: 7, password: "hunter2-wrong" });
    await shop.post("/partnerOnlineSettings/replace", {
      settingId: 1,
      login: "x",
      password: "provider-password",
      isProduction: 1,
      company: { inn: "7700000000", taxSystem: "osn" },
    });
    await shop.post("/orders", [newOrder({ statusId: 1, deliveryStatusId: 3, client: {} })]);
    // A programming error puts its fault into the log.
    const { store } = world.backend;
    await store.db.schema.alterTable("delivery_orders").renameTo("hidden").execute();
    expect((await shop.get("/orders")).status).toBe(500);
    await world.api(session, "/courier/v1").get("/orders");
    const text = lines.join("\n");
    expect(text).toContain("request failed");
    for (const secret of [token, session, resource.handlerSecret, resource.callbackSecret])
      expect(text).not.toContain(secret);
    for (const word of ["wrong-token", "wrong-secret", "letmein-2026", "hunter2", "provider-password"])
      expect(text).not.toContain(word);
    // The provider's password is not stored.
    const rows = await store.db.selectFrom("delivery_online_settings").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain("provider-password");
  });
});
