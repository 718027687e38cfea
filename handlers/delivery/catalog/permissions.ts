/** What roles of couriers may do: a shop's own settings, and the cabinet's for the roles that all shops share. */
import { z } from "zod";
import { refuse } from "../http/api-errors.js";
import { flagIn, idIn, textIn } from "../http/wire-types.js";
import type { Reader, Writer } from "../store/delivery-store.js";
import { permissions } from "./dictionaries.js";
import { CABINET, type CatalogRecord, findRecords } from "./records.js";
import { loadNamed } from "./references.js";

export const permissionIn = z
  .object({ roleId: idIn, actionId: textIn, isAllowed: flagIn })
  .meta({ id: "AccessSettingRequest" });

export type ActionId = (typeof permissions)[number]["actionId"];

const actionIds: ReadonlySet<string> = new Set(permissions.map(({ actionId }) => actionId));

export interface Permission {
  readonly roleId: string;
  readonly role: CatalogRecord | undefined;
  readonly actionId: string;
  readonly isAllowed: boolean;
  readonly updatedAt: number;
}

/** By role and action: a shop's own setting goes before the cabinet's; a shop's own role has only the shop's. */
export async function findPermissions(
  db: Reader,
  resource: number,
  filter: { readonly roleId?: string | undefined; readonly actionId?: string | undefined } = {},
): Promise<readonly Permission[]> {
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
  const found = new Map<string, Permission>();
  for (const row of rows) {
    const role = roles.get(row.role_id);
    if (row.resource !== resource && role?.owner !== CABINET) continue;
    found.set(JSON.stringify([row.role_id, row.action_id]), {
      roleId: row.role_id,
      role,
      actionId: row.action_id,
      isAllowed: row.is_allowed === 1,
      updatedAt: row.updated_at,
    });
  }
  return [...found.values()];
}

/** Every action of a courier's application; what no setting of his role forbids is allowed. */
export async function rightsOf(db: Reader, resource: number, roleId: string | null) {
  const settings = roleId === null ? [] : await findPermissions(db, resource, { roleId });
  const forbidden = new Set(settings.flatMap(({ actionId, isAllowed }) => (isAllowed ? [] : [actionId])));
  return permissions.map((action) => ({ ...action, isAllowed: !forbidden.has(action.actionId) }));
}

/** Stores permissions. Fault "api.invalid" for an unknown role or action, and for a pair that comes twice. */
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
  refuse([
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
