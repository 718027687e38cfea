/** The shop's address for results, and addresses for the results of single receipts at the same origin. */
import { isObject } from "@fiscald/shared/exchange/lenient-fields.js";
import { type OrderWarning, warning } from "@fiscald/shared/exchange/order-problem.js";
import type { Texts } from "@fiscald/shared/texts.js";
import type { Transaction } from "kysely";
import { z } from "zod";
import { findCallback, saveCallback } from "../delivery/callbacks/callback-outbox.js";
import { callbackTimeoutMs, sendTestCallback, tryAddress } from "../delivery/callbacks/deliver-callbacks.js";
import { flagIn, flagOut, lineIn } from "../delivery/http/wire-types.js";
import type { DeliveryTables } from "../delivery/store/delivery-tables.js";
import type { MigrationSet } from "../store/migrate.js";
import { type SidecarContext, sidecarRead, sidecarWrite } from "./sidecar-context.js";
import { refuseAt } from "./sidecar-errors.js";

export type ResultTables = { sidecar_result_addresses: { receipt_id: string; url: string } };

export const resultMigrations: MigrationSet = {
  name: "sidecar",
  migrations: [
    ({ text, run }) =>
      run(`create table sidecar_result_addresses (receipt_id ${text} primary key, url ${text} not null)`),
  ],
};

/** The kind of callback in the outbox. Null = the shop's own address. */
export function resultKind(url: string | null): string {
  return url === null ? "receipt" : `receipt ${url}`;
}

interface AddressIn {
  readonly url: string;
  readonly isActive: 0 | 1;
  readonly warning: string | null;
}

const addressIn = z
  .object({ url: lineIn, isActive: flagIn })
  .transform((given): AddressIn => ({ ...given, warning: null }))
  .meta({ id: "ResultAddressRequest", description: "isActive 0: nothing is sent." });
const addressOut = z
  .strictObject({
    url: z.string(),
    isActive: flagOut,
    warning: z.string().nullable().meta({ description: "Why the address did not take the test call; null = it did." }),
  })
  .meta({ id: "ResultAddress" });
const example = { url: "https://shop.example/fiscal-result", isActive: 1, warning: null };

export const addressOperations = [
  sidecarWrite({
    method: "post",
    path: "/receipts/callback",
    summary: "Sets the shop's address for results: each is sent there signed, again and again until it is taken",
    body: addressIn,
    answer: addressOut,
    status: 200,
    example: { body: { url: example.url, isActive: 1 }, answer: example },
    async prepare({ backend, caller, body }) {
      return { ...body, warning: body.isActive === 1 ? await checkAddress(backend, caller.resource, body.url) : null };
    },
    async run({ caller, body: { url, isActive, warning } }, tx) {
      await saveCallback(tx, { resource: caller.resource, kind: resultKind(null), url, is_active: isActive });
      await followAddress(tx, caller.resource, { url, isActive });
      return { url, isActive, warning };
    },
  }),
  sidecarRead({
    path: "/receipts/callback",
    summary: "The shop's address for results; null = it has none",
    answer: addressOut.nullable(),
    example: { answer: example },
    async run({ backend, caller }) {
      const found = await findCallback(backend.store.db, caller.resource, resultKind(null));
      return found === undefined ? null : { url: found.url, isActive: found.is_active, warning: null };
    },
  }),
];

async function checkAddress(backend: SidecarContext, resource: number, url: string): Promise<string | null> {
  const { store, clock, resolve, allowPrivate, stopping } = backend;
  const sending = { resolve, allowPrivate, timeoutMs: callbackTimeoutMs, now: () => clock.now() };
  const doubt = await tryAddress(url, () => sendTestCallback(store, sending, { resource, url, body: {} }, stopping));
  if (doubt === null) return null;
  const { isRefused, text } = doubt;
  backend.logger.warn("the address for results did not take the test call", { resource, reason: text.en });
  if (isRefused) throw refuseAt("order.wrong-value", "url", text);
  return text.en;
}

/** An address of a single receipt counts while the shop's own address does, and only at its origin. */
async function followAddress(
  tx: Transaction<DeliveryTables>,
  resource: number,
  own: Pick<AddressIn, "url" | "isActive">,
): Promise<void> {
  const ofShop = tx.selectFrom("delivery_callbacks").select(["kind", "url"]).where("resource", "=", resource);
  for (const { kind, url } of await ofShop.where("kind", "like", resultKind("%")).execute()) {
    const counts = own.isActive === 1 && new URL(url).origin === new URL(own.url).origin;
    await saveCallback(tx, { resource, kind, url, is_active: counts ? 1 : 0 });
  }
}

const isAddress = (value: unknown): value is string => typeof value === "string" && URL.canParse(value);

const texts = {
  noAddress: {
    en: "is left out: the shop has no address for results; set it by POST /receipts/callback, or ask by GET /receipts",
    ru: "не учтён: у магазина нет адреса для результатов; задайте его через POST /receipts/callback или спрашивайте GET /receipts",
  },
  elsewhere: (origin: string) => ({
    en: `is left out: it is not at ${origin}, where the shop's address for results is, which gets the result`,
    ru: `не учтён: он не на ${origin}, где адрес магазина для результатов; результат придёт туда`,
  }),
} satisfies Texts;

/** Null, with a warning, where no address counts: no paid order is refused for that. */
export async function addressOfBody(
  tx: Transaction<DeliveryTables>,
  { resource, body }: { readonly resource: number; readonly body: object },
): Promise<{ readonly url: string | null; readonly warnings: readonly OrderWarning[] }> {
  const [place] = placesIn(body);
  if (place === undefined) return { url: null, warnings: [] };
  const { path, given } = place;
  const own = await findCallback(tx, resource, resultKind(null));
  if (own === undefined || own.is_active === 0) return { url: null, warnings: [warning(path, texts.noAddress)] };
  const { origin } = new URL(own.url);
  if (isAddress(given) && new URL(given).origin === origin) return { url: given, warnings: [] };
  return { url: null, warnings: [warning(path, texts.elsewhere(origin))] };
}

function placesIn(body: unknown, at = ""): readonly { readonly path: string; readonly given: unknown }[] {
  if (!isObject(body)) return [];
  const { callback_url: given, service, response } = body;
  const own = given === undefined || given === null || given === "" ? [] : [{ path: `${at}callback_url`, given }];
  return [...own, ...(at === "" ? [...placesIn(service, "service."), ...placesIn(response, "response.")] : [])];
}

export async function keepAddress(
  tx: Transaction<DeliveryTables>,
  { resource, receiptId, url }: { readonly resource: number; readonly receiptId: string; readonly url: string },
): Promise<void> {
  await saveCallback(tx, { resource, kind: resultKind(url), url, is_active: 1 });
  await tx
    .withTables<ResultTables>()
    .insertInto("sidecar_result_addresses")
    .values({ receipt_id: receiptId, url })
    .onConflict((conflict) => conflict.column("receipt_id").doUpdateSet({ url }))
    .execute();
}
