/** Shops and their tokens. Commands make and revoke tokens; the database holds only hashes of tokens. */
import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { Fault } from "@fiscald/shared/fault.js";
import type { Selectable } from "kysely";
import { prepareQuery } from "../../store/prepared-query.js";
import type { DeliveryStore, Reader } from "./delivery-store.js";
import type { DeliveryTables } from "./delivery-tables.js";

/** A shop's system with its token (`courier` is null), or a courier with a session. */
export interface Caller {
  readonly resource: number;
  readonly name: string;
  readonly courier: CourierCaller | null;
}

export interface CourierCaller {
  readonly sessionId: number;
  readonly courierId: string;
  /** The courier's shop; 0: the cabinet. */
  readonly owner: number;
  readonly roleId: string | null;
}

export interface NewToken {
  readonly id: number;
  /** Shown once; only the token's hash is stored. */
  readonly token: string;
  readonly resource: ResourceAccess;
}

export interface ResourceAccess {
  readonly id: number;
  readonly name: string;
  readonly handlerSecret: string;
  /** Signs the callbacks (Standard Webhooks, `whsec_...`). */
  readonly callbackSecret: string;
}

export function createSecretText(): string {
  return randomBytes(32).toString("base64url");
}

export function hashToken(token: string): string {
  return hash("sha256", token);
}

/** Also makes the shop when its name is new. A shop may have several tokens, so that it can replace one. */
export async function createToken(store: DeliveryStore, name: string, now: number): Promise<NewToken> {
  const shop = name.trim();
  if (shop === "" || shop.length > 64) throw new Fault("usage.wrong", { message: "A name has 1 to 64 characters." });
  const token = createSecretText();
  return store.transaction(async (tx) => {
    await tx
      .insertInto("delivery_resources")
      .values({
        name: shop,
        // Hex text is also valid base64: one text serves as bearer token, in an address and as a signature's key.
        handler_secret: randomBytes(32).toString("hex"),
        callback_secret: `whsec_${randomBytes(32).toString("base64")}`,
        created_at: now,
      })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .execute();
    const resource = await tx
      .selectFrom("delivery_resources")
      .selectAll()
      .where("name", "=", shop)
      .executeTakeFirstOrThrow();
    const { id } = await tx
      .insertInto("delivery_tokens")
      .values({ resource: resource.id, name: shop, hash: hashToken(token), created_at: now, revoked_at: null })
      .returning("id")
      .executeTakeFirstOrThrow();
    return { id, token, resource: toAccess(resource) };
  });
}

export async function listTokens(store: DeliveryStore) {
  const columns = ["id", "name", "resource", "created_at as createdAt", "revoked_at as revokedAt"] as const;
  return store.db.selectFrom("delivery_tokens").select(columns).orderBy("id").execute();
}

export async function revokeToken(store: DeliveryStore, id: number, now: number): Promise<void> {
  const result = await store.transaction((tx) =>
    tx
      .updateTable("delivery_tokens")
      .set({ revoked_at: now })
      .where("id", "=", id)
      .where("revoked_at", "is", null)
      .executeTakeFirst(),
  );
  if (result.numUpdatedRows === 0n) throw new Fault("api.not-found", { message: `There is no valid token ${id}.` });
}

export async function findResource(db: Reader, id: number): Promise<ResourceAccess | null> {
  const row = await db.selectFrom("delivery_resources").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : toAccess(row);
}

function toAccess(row: Selectable<DeliveryTables["delivery_resources"]>): ResourceAccess {
  return { id: row.id, name: row.name, handlerSecret: row.handler_secret, callbackSecret: row.callback_secret };
}

const tokenByHash = prepareQuery((db: Reader, tokenHash: string) =>
  db
    .selectFrom("delivery_tokens")
    .select(["resource", "name", "hash"])
    .where("hash", "=", tokenHash)
    .where("revoked_at", "is", null),
);

/** The search is by hash, so its duration tells nothing about other tokens. */
export async function findCaller(db: Reader, token: string): Promise<Caller | null> {
  const wanted = hashToken(token);
  const [row] = await tokenByHash(db, wanted);
  if (row === undefined || !timingSafeEqual(Buffer.from(row.hash), Buffer.from(wanted))) return null;
  return { resource: row.resource, name: row.name, courier: null };
}
