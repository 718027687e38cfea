/** Access settings: what a role of couriers may do in the application. */
import { z } from "zod";
import { invalid } from "./api-errors.js";
import { batchOf } from "./batch.js";
import { permissions } from "./dictionaries.js";
import { type Operation, readOperation, type Writer, writeOperation } from "./operation.js";
import { findRecords } from "./records.js";
import { checkReferences, loadReferences } from "./references.js";
import { textField } from "./stored-json.js";
import { formatWireTime } from "./wire-time.js";
import { flagIn, idIn, idOut, lineIn, textIn, timeOut, toWireId } from "./wire-types.js";

const settingIn = z.object({ roleId: idIn, actionId: textIn, isAllowed: flagIn }).meta({ id: "AccessSettingRequest" });

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
const tag = "permissions";

export function permissionOperations(): readonly Operation[] {
  return [
    readOperation({
      method: "get",
      path,
      tag,
      summary: "Access settings, of one role or one permission where asked for",
      query: z.object({ roleId: idIn.optional(), permissionId: lineIn.optional() }),
      answers: { 200: z.array(settingOut) },
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
        const { roleId, permissionId } = query;
        const rows = await db
          .selectFrom("delivery_permissions")
          .selectAll()
          .where("resource", "=", caller.resource)
          .$if(roleId !== undefined, (rest) => rest.where("role_id", "=", roleId ?? ""))
          .$if(permissionId !== undefined, (rest) => rest.where("action_id", "=", permissionId ?? ""))
          .orderBy("role_id")
          .orderBy("action_id")
          .execute();
        const ids = rows.map((row) => row.role_id);
        const roles = await findRecords(db, { resource: caller.resource, kind: "userRoles", ids });
        const body = rows.map((row) => ({
          roleId: toWireId(row.role_id),
          actionId: row.action_id,
          roleTitle: textField(roles.get(row.role_id)?.body, "title"),
          isAllowed: row.is_allowed === 1 ? "1" : "0",
          description: descriptions.get(row.action_id) ?? "",
          updatedAt: formatWireTime(row.updated_at),
        }));
        return { status: 200, body };
      },
    }),
    writeOperation({
      method: "post",
      path: `${path}/replace`,
      tag,
      summary: "Sets what roles may do",
      query: z.object({}),
      body: batchOf(settingIn),
      answers: { 204: null },
      example: { body: [{ roleId: 2, actionId: "order.cancel", isAllowed: 1 }] },
      async run({ caller, body, now }, tx) {
        await setPermissions(tx, { resource: caller.resource, now }, body);
        return { status: 204 };
      },
    }),
  ];
}

async function setPermissions(
  tx: Writer,
  { resource, now }: { readonly resource: number; readonly now: number },
  settings: readonly z.output<typeof settingIn>[],
): Promise<void> {
  const seen = new Set<string>();
  for (const [position, { roleId, actionId }] of settings.entries()) {
    if (!descriptions.has(actionId)) {
      throw invalid(`[${position}].actionId`, "must be an id of /dictionary/permissions");
    }
    const key = JSON.stringify([roleId, actionId]);
    if (seen.has(key)) throw invalid(`[${position}]`, "repeats the role and action of an earlier element");
    seen.add(key);
  }
  const references = settings.map(({ roleId }, position) => ({
    kind: "userRoles" as const,
    id: roleId,
    place: `[${position}].roleId`,
  }));
  checkReferences(references, await loadReferences(tx, resource, references));
  if (settings.length === 0) return;
  await tx
    .insertInto("delivery_permissions")
    .values(
      settings.map(({ roleId, actionId, isAllowed }) => ({
        resource,
        role_id: roleId,
        action_id: actionId,
        is_allowed: isAllowed,
        updated_at: now,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(["resource", "role_id", "action_id"]).doUpdateSet((expression) => ({
        is_allowed: expression.ref("excluded.is_allowed"),
        updated_at: expression.ref("excluded.updated_at"),
      })),
    )
    .execute();
}
