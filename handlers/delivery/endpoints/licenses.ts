import { z } from "zod";
import { type DeliveryOperation, readOperation, writeOperation } from "../backend/backend.js";
import { licenseTotal } from "../catalog/delivery-settings.js";
import { closeSessions, countOpenSessions, openSessions, visibleOwners } from "../couriers/courier-sessions.js";
import { missing } from "../http/api-errors.js";
import { noBody } from "../http/endpoint.js";
import { formatApiTime, idOut, lineIn, timeOut, toWireId } from "../http/wire-types.js";

const licenseList = z
  .strictObject({
    licenseUse: z.int(),
    licenseTotal: z.int(),
    licenses: z.array(
      z.strictObject({ courierId: idOut, deviceId: z.string(), deviceTitle: z.string(), sessionStartAt: timeOut }),
    ),
  })
  .meta({ id: "LicenseList" });

export const licenseOperations: readonly DeliveryOperation[] = [
  readOperation({
    path: "/licenses",
    summary: "Licences in use and in all, with the sessions that this shop sees",
    answer: licenseList,
    example: {
      answer: {
        licenseUse: 1,
        licenseTotal: 5,
        licenses: [{ courierId: 7, deviceId: "a1b2", deviceTitle: "Pixel 8", sessionStartAt: "2026-11-20 08:00:00" }],
      },
    },
    async run({ backend, caller, now }, db) {
      const startedAfter = now - backend.rules.sessionMs;
      const sessions = await openSessions(db, { owners: visibleOwners(caller.resource), startedAfter });
      return {
        licenseUse: await countOpenSessions(db, startedAfter),
        licenseTotal: await licenseTotal(db),
        licenses: sessions.map((session) => ({
          courierId: toWireId(session.courier_id),
          deviceId: session.device_id,
          deviceTitle: session.device_title,
          sessionStartAt: formatApiTime(session.started_at),
        })),
      };
    },
  }),
  writeOperation({
    method: "post",
    path: "/licenses/close",
    summary: "Ends the session of a device and frees its licence",
    query: z.object({ deviceId: lineIn }),
    body: noBody,
    example: { query: { deviceId: "a1b2" } },
    async run({ backend, caller, query, now }, tx) {
      const { deviceId } = query;
      const sessions = await openSessions(tx, { owners: visibleOwners(caller.resource), deviceId, startedAfter: 0 });
      if (sessions.length === 0) throw missing("session of device", deviceId);
      await closeSessions({ backend, tx, now }, sessions);
    },
  }),
];
