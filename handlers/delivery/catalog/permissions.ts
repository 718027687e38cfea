/** What roles of couriers may do: a shop's own settings, and the cabinet's for roles that all shops share. */
import { z } from "zod";
import { insertRows } from "../../store/insert-rows.js";
import { throwIfProblems } from "../http/api-errors.js";
import { flagIn, idIn, textIn } from "../http/wire-types.js";
import type { Reader, Writer } from "../store/delivery-store.js";
import { permissions } from "./dictionaries.js";
import { CABINET, findRecords } from "./records.js";
import { loadNamed } from "./references.js";

export const permissionIn = z
  .object({ roleId: idIn, actionId: textIn, isAllowed: flagIn })
  .meta({ id: "AccessSettingRequest" });

export type ActionId = (typeof permissions)[number]["actionId"];

const actionIds: ReadonlySet<string> = new Set(permissions.map(({ actionId }) => actionId));

/** A shop's setting counts before the cabinet's. A role of the shop alone has only the shop's settings. */
export async function findPermissions(
  db: Reader,
  resource: number,
  filter: { readonly roleId?: string | undefined; readonly actionId?: string | undefined } = {},
) {
  const { roleId, actionId } = filter;
  const rows = await db
    .selectFrom("delivery_permissions")
    .selectAll()
    .where("resource", "in", [...new Set([CABINET, resource])])
    .$if(roleId !== undefined, (query) => query.where("role_id", "=", roleId ?? ""))
    .$if(actionId !== undefined, (query) => query.where("action_id", "=", actionId ?? ""))
    .orderBy("role_id")
    .orderBy("action_id")
    .orderBy("resource")
    .execute();
  const roles = await findRecords(db, { resource, kind: "userRoles", ids: rows.map((row) => row.role_id) });
  const visible = rows.filter((row) => row.resource === resource || roles.get(row.role_id)?.owner === CABINET);
  const found = visible.map(({ role_id: id, action_id: action, is_allowed: is, updated_at: updatedAt }) => {
    const setting = { roleId: id, role: roles.get(id), actionId: action, isAllowed: is === 1, updatedAt };
    return [JSON.stringify([id, action]), setting] as const;
  });
  return [...new Map(found).values()];
}

/** An action is allowed unless a setting of the courier's role forbids it. */
export async function rightsOf(db: Reader, resource: number, roleId: string | null) {
  const settings = roleId === null ? [] : await findPermissions(db, resource, { roleId });
  const forbidden = new Set(settings.flatMap(({ actionId, isAllowed }) => (isAllowed ? [] : [actionId])));
  return permissions.map((action) => ({ ...action, isAllowed: !forbidden.has(action.actionId) }));
}

export async function setPermissions(
  tx: Writer,
  { resource, now }: { readonly resource: number; readonly now: number },
  settings: readonly z.output<typeof permissionIn>[],
): Promise<void> {
  const references = settings.map(({ roleId }, position) => ({
    kind: "userRoles" as const,
    id: roleId,
    place: `[${position}].roleId`,
  }));
  const named = await loadNamed(tx, resource, references);
  const pairs = settings.map(({ roleId, actionId }) => JSON.stringify([roleId, actionId]));
  throwIfProblems([
    ...settings.flatMap(({ actionId }, position) =>
      actionIds.has(actionId)
        ? []
        : [{ place: `[${position}].actionId`, message: "must be an id of /dictionary/permissions" }],
    ),
    ...pairs.flatMap((pair, position) =>
      pairs.indexOf(pair) === position
        ? []
        : [{ place: `[${position}]`, message: "repeats the role and action of an earlier element" }],
    ),
    ...named.problems,
  ]);
  const rows = settings.map(({ roleId, actionId, isAllowed }) => ({
    resource,
    role_id: roleId,
    action_id: actionId,
    is_allowed: isAllowed,
    updated_at: now,
  }));
  const known = { key: ["resource", "role_id", "action_id"], replace: ["is_allowed", "updated_at"] } as const;
  await insertRows({ tx, table: "delivery_permissions", rows, known });
}
