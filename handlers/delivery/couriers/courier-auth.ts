/** Logins of couriers: an id and a password open a session, which takes a licence. */
import { Fault } from "@fiscald/shared/fault.js";
import type { Request } from "express";
import type { z } from "zod";
import type { Backend, BackendRules } from "../backend/backend.js";
import { licenseTotal } from "../catalog/delivery-settings.js";
import { decoyHash, isPassword } from "../catalog/password-hash.js";
import { CABINET, type CatalogRecord, findRecords, textField } from "../catalog/records.js";
import { bearerToken } from "../http/callers.js";
import type { Caller } from "../store/access-tokens.js";
import { createSecretText, hashToken } from "../store/access-tokens.js";
import type { Reader } from "../store/delivery-store.js";
import type { loginIn } from "./courier-schemas.js";
import {
  closeSessions,
  countOpenSessions,
  expiredSessions,
  openSessions,
  type SessionScope,
} from "./courier-sessions.js";

type Login = z.output<typeof loginIn>;

/** Fault "api.unauthorized", the same for an unknown courier and a wrong password. */
export async function checkLogin(
  db: Reader,
  { resourceId, courierId, password }: Login,
  { passwordCost }: Pick<BackendRules, "passwordCost">,
): Promise<CatalogRecord> {
  const found = await findRecords(db, { resource: resourceId ?? CABINET, kind: "couriers", ids: [courierId] });
  const courier = found.get(courierId);
  const isRight = await isPassword(password, textField(courier?.body, "sourcePassword") ?? decoyHash(passwordCost));
  if (courier?.isActive === true && isRight) return courier;
  const meant = resourceId === undefined ? " Without resourceId a courier of the cabinet is meant." : "";
  throw new Fault("api.unauthorized", { message: `The courier or the password is wrong.${meant}` });
}

/** Ends the device's earlier session, which frees its licence. Fault "api.forbidden" if no licence is free. */
export async function openSession(scope: SessionScope, owner: number, login: Login) {
  const { tx, now } = scope;
  const earlier = await openSessions(tx, { owners: [owner], deviceId: login.deviceId, startedAfter: 0 });
  await closeSessions(scope, [...earlier, ...(await expiredSessions(scope))]);
  const total = await licenseTotal(tx);
  if ((await countOpenSessions(tx, now - scope.backend.rules.sessionMs)) >= total) {
    const what = total === 0 ? "There are no licences for couriers' sessions" : `All ${total} licences are in use`;
    throw new Fault("api.forbidden", { message: `${what}; \`fiscald-site licenses set N\` changes their number.` });
  }
  const token = createSecretText();
  const { id } = await tx
    .insertInto("delivery_sessions")
    .values({
      owner,
      courier_id: login.courierId,
      device_id: login.deviceId,
      device_title: login.deviceTitle,
      token_hash: hashToken(token),
      started_at: now,
      finished_at: null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { sessionId: id, token };
}

export async function identifyCourier({ store, clock, rules }: Backend, request: Request): Promise<Caller> {
  const token = bearerToken(request);
  if (token === null) throw new Fault("api.unauthorized");
  const session = await store.db
    .selectFrom("delivery_sessions")
    .select(["id", "owner", "courier_id"])
    .where("token_hash", "=", hashToken(token))
    .where("finished_at", "is", null)
    .where("started_at", ">", clock.now() - rules.sessionMs)
    .executeTakeFirst();
  if (session === undefined) throw new Fault("api.unauthorized");
  const { owner, courier_id: courierId, id: sessionId } = session;
  const found = await findRecords(store.db, { resource: owner, kind: "couriers", ids: [courierId] });
  const courier = found.get(courierId);
  if (courier?.isActive !== true) throw new Fault("api.unauthorized");
  const title = textField(courier.body, "title") ?? courierId;
  return {
    resource: owner,
    name: title,
    courier: { sessionId, courierId, owner, roleId: textField(courier.body, "roleId") },
  };
}
