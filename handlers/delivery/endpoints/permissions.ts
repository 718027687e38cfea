import { z } from "zod";
import { type DeliveryOperation, readOperation, writeOperation } from "../backend/backend.js";
import { permissions } from "../catalog/dictionaries.js";
import { findPermissions, permissionIn, setPermissions } from "../catalog/permissions.js";
import { textField } from "../catalog/records.js";
import { batchOf, formatApiTime, idIn, idOut, lineIn, timeOut, toWireId } from "../http/wire-types.js";

const settingOut = z
  .strictObject({
    roleId: idOut,
    actionId: z.string(),
    roleTitle: z.string().nullable(),
    isAllowed: z.literal(["0", "1"]),
    description: z.string(),
    updatedAt: timeOut,
  })
  .meta({ id: "AccessSetting" });

const descriptions = new Map<string, string>(permissions.map(({ actionId, description }) => [actionId, description]));
const path = "/permissions";

export const permissionOperations: readonly DeliveryOperation[] = [
  readOperation({
    path,
    summary: "Access settings, of one role or one permission where asked for",
    query: z.object({ roleId: idIn.optional(), permissionId: lineIn.optional() }),
    answer: z.array(settingOut),
    example: {
      query: { roleId: "2" },
      answer: [
        {
          roleId: 2,
          actionId: "order.cancel",
          roleTitle: "Курьер",
          isAllowed: "1",
          description: "Отмена заказа",
          updatedAt: "2026-11-20 14:05:00",
        },
      ],
    },
    async run({ caller, query }, db) {
      const { roleId, permissionId: actionId } = query;
      const found = await findPermissions(db, caller.resource, { roleId, actionId });
      return found.map((setting) => ({
        roleId: toWireId(setting.roleId),
        actionId: setting.actionId,
        roleTitle: textField(setting.role?.body, "title"),
        isAllowed: setting.isAllowed ? "1" : "0",
        description: descriptions.get(setting.actionId) ?? "",
        updatedAt: formatApiTime(setting.updatedAt),
      }));
    },
  }),
  writeOperation({
    method: "post",
    path: `${path}/replace`,
    summary: "Sets what roles may do",
    body: batchOf(permissionIn),
    example: { body: [{ roleId: 2, actionId: "order.cancel", isAllowed: 1 }] },
    async run({ caller, body, now }, tx) {
      await setPermissions(tx, { resource: caller.resource, now }, body);
    },
  }),
];
