import { z } from "zod";
import { type DeliveryOperation, writeOperation } from "../backend/backend.js";
import { rightsOf } from "../catalog/permissions.js";
import { CABINET, textField } from "../catalog/records.js";
import { checkLogin, openSession } from "../couriers/courier-auth.js";
import { loginIn, rightOut } from "../couriers/courier-schemas.js";
import { closeSessions, isKnownDevice } from "../couriers/courier-sessions.js";
import { noBody } from "../http/endpoint.js";
import { idOut, toWireId } from "../http/wire-types.js";
import { lockShop } from "../store/delivery-store.js";

const sessionOut = z
  .strictObject({
    sessionId: z.int(),
    token: z.string(),
    courierId: idOut,
    title: z.string().nullable(),
    permissions: z.array(rightOut),
  })
  .meta({ id: "CourierSession" });

const openOperation = writeOperation({
  method: "post",
  path: "/sessions",
  summary: "Logs a courier in; the session takes a licence",
  open: true,
  body: loginIn,
  answer: sessionOut,
  example: {
    body: { resourceId: 1, courierId: 7, password: "letmein-2026", deviceId: "a1b2", deviceTitle: "Pixel 8" },
    answer: { sessionId: 1, token: "...", courierId: 7, title: "Сидоров Пётр", permissions: [] },
  },
  // Comparing the password is slow, so it stays outside the transaction.
  async prepare({ backend, address, body }) {
    const { resourceId = CABINET, courierId, deviceId } = body;
    const knownDevice = (await isKnownDevice(backend.store.db, { resourceId, courierId, deviceId })) ? deviceId : null;
    const isRight = backend.loginLimit.begin({ address, courier: `${resourceId}:${courierId}`, knownDevice });
    await checkLogin(backend.store.db, body, backend.rules);
    isRight();
    return body;
  },
  async run({ backend, body, now }, tx) {
    // Licences are counted over all shops, so logins take their turns under the cabinet's lock.
    await lockShop(backend.store.kind, tx, CABINET);
    const courier = await checkLogin(tx, body, backend.rules);
    const session = await openSession({ backend, tx, now }, courier.owner, body);
    const permissions = await rightsOf(tx, body.resourceId ?? CABINET, textField(courier.body, "roleId"));
    return { ...session, courierId: toWireId(body.courierId), title: textField(courier.body, "title"), permissions };
  },
});

const closeOperation = writeOperation({
  method: "delete",
  path: "/sessions",
  summary: "Ends the courier's own session and frees its licence",
  body: noBody,
  example: {},
  async run({ backend, caller, now }, tx) {
    const sessions = await tx
      .selectFrom("delivery_sessions")
      .selectAll()
      .where("id", "=", caller.courier?.sessionId ?? 0)
      .where("finished_at", "is", null)
      .execute();
    await closeSessions({ backend, tx, now }, sessions);
  },
});

export const courierSessionOperations: readonly DeliveryOperation[] = [openOperation, closeOperation];
