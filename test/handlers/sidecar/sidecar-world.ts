/** A server with the sidecar, and a shop with a till. A test may add further shops, and an address for results. */
import { createServer } from "node:http";
import express from "express";
import { createCallbackService } from "#handlers/delivery/callbacks/deliver-callbacks.js";
import { systemResolve } from "#handlers/delivery/callbacks/public-address.js";
import { migrated } from "#handlers/delivery/open-delivery.js";
import { createToken } from "#handlers/delivery/store/access-tokens.js";
import type { DeliveryStore } from "#handlers/delivery/store/delivery-store.js";
import { createTestTill, type TestTill } from "#handlers/print-server/http/test-till.js";
import { createReceiptsDocument, mountSidecar, type SidecarOptions } from "#handlers/sidecar/mount-sidecar.js";
import { openStore } from "#handlers/store/open-store.js";
import { createFakeClock } from "../../support/fake-clock.js";
import type { TestDatabase } from "../../support/site-databases.js";
import { createTestLogger } from "../../support/test-logger.js";
import { createAnswerCheck } from "../delivery/api-validator.js";
import { openReceiver } from "../delivery/callback-receiver.js";
import { listen } from "../delivery/delivery-world.js";

const checkAnswer = createAnswerCheck(createReceiptsDocument());

export type SidecarWorld = Awaited<ReturnType<typeof openSidecarWorld>>;

export async function openSidecarWorld(database: TestDatabase, options: Partial<SidecarOptions> = {}) {
  const store = await openStore({ address: database.address });
  const delivery: DeliveryStore = await migrated(store);
  const app = express();
  // The test till signs with the machine's time.
  const clock = createFakeClock({ now: Date.now() });
  const warnings: string[] = [];
  const logger = createTestLogger((line) => warnings.push(line));
  const sidecar = await mountSidecar(app, { store: delivery, clock, logger, allowPrivateCallbacks: true, ...options });
  const sending = { allowPrivate: true, resolve: systemResolve, checkEveryMs: null };
  const outbox = createCallbackService({ store: delivery, clock, logger, ...sending });
  outbox.start();
  const server = createServer(app);
  const origin = await listen(server);
  const receiver = await openReceiver();
  const tills: TestTill[] = [];

  async function openShop(name: string) {
    const { token, resource } = await createToken(delivery, name, Date.now());
    const till = createTestTill({
      ...{ site: `${origin}/till/${resource.id}`, auth: { kind: "signature", secret: resource.handlerSecret } },
    });
    tills.push(till);
    /** A body that is text is sent as it is. */
    async function call(
      method: string,
      path: string,
      body?: object | string,
      headers: Readonly<Record<string, string>> = {},
    ) {
      const answer = await fetch(`${origin}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      const json: unknown = JSON.parse(await answer.text());
      const [plain = ""] = path.split("?");
      const documented = plain.replace(/^\/receipts\/(?!callback$).+$/, "/receipts/{receiptId}");
      checkAnswer({ method, path: documented, status: answer.status, body: json });
      return { status: answer.status, body: json };
    }
    return {
      ...{ token, resource, till, call },
      post: (body: object, query = "", headers = {}) => call("POST", `/receipts${query}`, body, headers),
      get: (path: string) => call("GET", path),
    };
  }

  return {
    ...{ origin, clock, warnings, receiver, store: delivery, sidecar, openShop, ...(await openShop("shop")) },
    async close() {
      for (const till of tills) await till.close();
      receiver.close();
      await outbox.stop(0);
      await sidecar.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await store.close();
      await database.drop();
    },
  };
}

export function order(orderId: string, head: object = {}, price = 120, open = "OpenCheckSell") {
  const taskTable = [
    { type: open },
    { type: "Registration", data: "Tea", param: { price, quantity: 2, tax: 1 } },
    { type: "Payment", param: { summ: price * 2, typeClose: 1 } },
    { type: "CloseCheck" },
  ];
  return { response: { orderId, ...head, taskTable } };
}
