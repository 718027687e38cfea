/** The delivery backend on a real port over a real database, with shops and couriers to call it. */

import { createServer, type Server } from "node:http";
import { silentLogger } from "@fiscald/shared/logger.js";
import express from "express";
import createClient, { type Client } from "openapi-fetch";
import { setLicenseTotal } from "#handlers/delivery/catalog/delivery-settings.js";
import { createFiscalRouter } from "#handlers/delivery/fiscal-router.js";
import type { ApiLimits } from "#handlers/delivery/http/mount-api.js";
import { createCourierRouter, createDeliveryRouter } from "#handlers/delivery/mount-delivery.js";
import { type OpenDelivery, type OpenDeliveryOptions, openDelivery } from "#handlers/delivery/open-delivery.js";
import { createDocsRouter } from "#handlers/delivery/openapi/docs-page.js";
import { createOpenApiDocument, type OpenApiDocument } from "#handlers/delivery/openapi/document.js";
import { createToken, type NewToken } from "#handlers/delivery/store/access-tokens.js";
import type { TestDatabase } from "../../support/site-databases.js";
import { isFast } from "../../support/tier.js";
import { type AnswerCheck, createAnswerCheck } from "./api-validator.js";
import type { paths } from "./fixtures/api-types.js";

/** Compiling the document's schemas is slow, so `npm test` checks answers only in the endpoints' files. */
let checkAnswer: AnswerCheck | null = isFast ? null : createAnswerCheck(createOpenApiDocument());

/** Checks every answer in this file against the document, in `npm test` too. */
export function checkAnswersAgainstDocument(): OpenApiDocument {
  const document = createOpenApiDocument();
  checkAnswer = createAnswerCheck(document);
  return document;
}

export interface Reply {
  readonly status: number;
  /** The body was checked against its schema, so tests read it without types. */
  readonly body: ReturnType<typeof JSON.parse>;
  readonly headers: Headers;
}

export interface CallOptions {
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Api {
  get(path: string, query?: CallOptions["query"], headers?: CallOptions["headers"]): Promise<Reply>;
  post(path: string, body?: unknown, options?: CallOptions): Promise<Reply>;
  put(path: string, body?: unknown, options?: CallOptions): Promise<Reply>;
  delete(path: string, query?: CallOptions["query"]): Promise<Reply>;
}

/** Typed by the OpenAPI document. Answers are checked against the document too. */
export type TypedClient = Client<paths>;

export interface Shop extends Api {
  readonly access: NewToken;
  readonly client: TypedClient;
}

export interface Courier extends Api {
  readonly token: string;
}

export interface DeliveryWorld {
  readonly backend: OpenDelivery["backend"];
  readonly bridge: OpenDelivery["bridge"];
  readonly origin: string;
  shop(name?: string): Promise<Shop>;
  shopOf(access: NewToken): Shop;
  /** Null: without a token. */
  api(token: string | null, base?: string): Api;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly delivery?: Partial<OpenDeliveryOptions>;
  readonly router?: ApiLimits;
  readonly courierRouter?: ApiLimits;
}

export async function openWorld(database: TestDatabase, options: WorldOptions = {}): Promise<DeliveryWorld> {
  const { backend, bridge, close } = await openDelivery({
    database: database.address,
    allowPrivateCallbacks: true,
    coalesceMs: 0,
    passwordCost: 2,
    // Tests wait for the sender's timer, so no other timer may run.
    replayCheckMs: null,
    logger: silentLogger,
    ...options.delivery,
  });
  const app = express();
  app.use("/v1", createDeliveryRouter({ backend, requestsPerMinute: false, ...options.router }));
  app.use("/courier/v1", createCourierRouter({ backend, requestsPerMinute: false, ...options.courierRouter }));
  app.use("/fiscal", createFiscalRouter({ backend, bridge }));
  app.use(createDocsRouter());
  const server = createServer(app);
  const origin = await listen(server);
  let shops = 0;
  const shopOf = (access: NewToken): Shop => {
    const client = createTypedClient(origin, access.token);
    return { access, client, ...createApi(`${origin}/v1`, "/v1", access.token) };
  };
  return {
    backend,
    bridge,
    origin,
    async shop(name) {
      shops += 1;
      return shopOf(await createToken(backend.store, name ?? `shop ${shops}`, Date.now()));
    },
    shopOf,
    api: (token, base = "/v1") => createApi(`${origin}${base}`, base, token),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await close();
    },
  };
}

export async function listen(server: Server, port = 0): Promise<string> {
  // On a busy machine a request may arrive just when an idle connection is closed.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return `http://127.0.0.1:${address.port}`;
}

function createApi(address: string, base: string, token: string | null): Api {
  async function call(method: string, path: string, options: CallOptions = {}): Promise<Reply> {
    const url = new URL(`${address}${path}`);
    for (const [name, value] of Object.entries(options.query ?? {})) url.searchParams.set(name, String(value));
    const response = await fetch(url, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(options.body === undefined ? {} : { "content-type": "application/json" }),
        ...options.headers,
      },
      ...(options.body === undefined ? {} : { body: bodyText(options.body) }),
    });
    const body = await checkedBody(response, method, `${base}${path.split("?")[0]}`);
    return { status: response.status, body, headers: response.headers };
  }
  return {
    get: (path, query, headers) => call("GET", path, { ...(query && { query }), ...(headers && { headers }) }),
    post: (path, body, options) => call("POST", path, { ...options, body }),
    put: (path, body, options) => call("PUT", path, { ...options, body }),
    delete: (path, query) => call("DELETE", path, query === undefined ? {} : { query }),
  };
}

export function createTypedClient(origin: string, token: string): TypedClient {
  const client = createClient<paths>({ baseUrl: origin, headers: { authorization: `Bearer ${token}` } });
  client.use({
    async onResponse({ request, response }) {
      await checkedBody(response, request.method, new URL(request.url).pathname);
    },
  });
  return client;
}

/** For requests that a client would not send. The answer is checked against the document nevertheless. */
export async function fetchChecked(address: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(address, init);
  const method = init.method ?? "GET";
  if (method !== "HEAD") await checkedBody(response, method, new URL(address).pathname.replace(/\/$/, ""));
  return response;
}

async function checkedBody(response: Response, method: string, path: string): Promise<Reply["body"]> {
  const text = await response.clone().text();
  const body = text === "" ? undefined : JSON.parse(text);
  checkAnswer?.({ method, path, status: response.status, body });
  return body;
}

/** Strings and bytes are sent as they are, for bodies that are no JSON. */
function bodyText(body: unknown): string | Buffer<ArrayBuffer> {
  if (typeof body === "string") return body;
  return Buffer.isBuffer(body) ? Buffer.from(body) : JSON.stringify(body);
}

/** Logs in the shop's courier 7 of `fillCatalog`. */
export async function logIn(world: DeliveryWorld, shop: Shop, deviceId = "a1", courierId = 7): Promise<Courier> {
  const { store } = world.backend;
  await store.transaction((tx) => setLicenseTotal(tx, 1000));
  const who = { resourceId: shop.access.resource.id, courierId, password: "letmein-2026" };
  const { status, body } = await world
    .api(null, "/courier/v1")
    .post("/sessions", { ...who, deviceId, deviceTitle: "P" });
  if (status !== 201) throw new Error(`the courier could not log in: ${JSON.stringify(body)}`);
  return { token: body.token, ...world.api(body.token, "/courier/v1") };
}

export async function fillCatalog(shop: Pick<Api, "post">): Promise<void> {
  await created(
    shop.post("/taxes", [
      { taxId: 1, title: "НДС 22%" },
      { taxId: 2, title: "НДС 10%" },
    ]),
  );
  await created(
    shop.post("/paymentTypes", [
      { paymentTypeId: 1, title: "Картой", closeTypeId: 1 },
      { paymentTypeId: 2, title: "Наличными", closeTypeId: 0 },
    ]),
  );
  await created(shop.post("/orderReturnReasons", [{ reasonId: 1, title: "Отказ", type: "cancel" }]));
  await created(shop.post("/couriers", [{ courierId: 7, title: "Сидоров Пётр", sourcePassword: "letmein-2026" }]));
  await created(shop.post("/warehouses", [{ warehouseId: 1, title: "Основной", phone: "+74950000000" }]));
  await created(
    shop.post("/goods", [
      { goodId: 501, parentId: null, taxId: 1, title: "Чай зелёный", price: 250.5, unit: "шт", calcId: 1 },
      { goodId: 502, parentId: null, taxId: 2, title: "Хлеб", price: 60, unit: "шт", calcId: 1 },
    ]),
  );
}

async function created(reply: Promise<Reply>): Promise<void> {
  const { status, body } = await reply;
  if (status !== 201) throw new Error(`the catalog could not be filled: ${JSON.stringify(body)}`);
}

export type OrderBody = NonNullable<paths["/v1/orders"]["post"]["requestBody"]>["content"]["application/json"][number];

/** A valid, unpaid order of 501.00. */
export function orderBody(changes: Partial<OrderBody> = {}): OrderBody {
  return {
    orderId: 1042,
    statusId: 0,
    deliveryStatusId: 0,
    courierId: 7,
    client: { firstname: "Анна", lastname: "Петрова", email: "anna@mail.example" },
    paymentId: 1,
    amountToPay: 501,
    deliveryTimeFrom: "2026-11-21 09:00:00",
    deliveryTimeTo: "2026-11-21 12:00:00",
    goods: [{ goodId: 501, count: 2, price: 250.5, total: 501, discountTotal: 0 }],
    ...changes,
  };
}

/** Takes wrong changes too. */
export function newOrder(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { ...orderBody(), ...changes };
}
