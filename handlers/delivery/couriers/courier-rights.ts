/** Permissions that a courier's role needs for a report. */
import { Fault } from "@fiscald/shared/fault.js";
import { type ActionId, rightsOf } from "../catalog/permissions.js";
import { textField } from "../catalog/records.js";
import { loadReferences } from "../catalog/references.js";
import type { CommitScope } from "../orders/order-change.js";
import type { StoredOrder, StoredPayment } from "../orders/stored-order.js";
import type { Caller } from "../store/access-tokens.js";
import type { Reader } from "../store/delivery-store.js";

export interface RightsScope {
  readonly db: Reader;
  readonly caller: Caller;
  readonly resource: number;
  /** Given if the report has a document of the courier's register: such a report is stored with a warning. */
  readonly warn?: (place: string, message: string) => void;
}

export async function requireRights(
  { db, caller, resource, warn }: RightsScope,
  needs: readonly ActionId[],
): Promise<void> {
  const roleId = caller.courier?.roleId ?? null;
  if (needs.length === 0 || roleId === null) return;
  const rights = await rightsOf(db, resource, roleId);
  const missing = rights.find(({ actionId, isAllowed }) => !isAllowed && needs.includes(actionId));
  if (missing === undefined) return;
  const message = `The courier's role may not do this: ${missing.actionId} (${missing.description}).`;
  if (warn === undefined) throw new Fault("api.forbidden", { message });
  warn("receipt", `is stored, because it is printed. ${message}`);
}

const CASH = "0";

/** Cash and card each need a permission. So does a payment type other than the order's. */
export async function needsOfPayments(
  { tx, resource }: CommitScope,
  order: StoredOrder,
  payments: readonly Pick<StoredPayment, "paymentTypeId">[],
): Promise<readonly ActionId[]> {
  const named = payments.map(({ paymentTypeId }) => ({ kind: "paymentTypes" as const, id: paymentTypeId, place: "" }));
  const types = (await loadReferences(tx, resource, named)).get("paymentTypes");
  return payments.flatMap(({ paymentTypeId }): readonly ActionId[] => {
    const isCash = textField(types?.get(paymentTypeId)?.body, "closeTypeId") === CASH;
    const isOther = ![order.originalPaymentId, order.paymentId].includes(paymentTypeId);
    const needs: readonly ActionId[] = [isCash ? "payment.cash" : "payment.card"];
    return isOther ? [...needs, "order.changePaymentType"] : needs;
  });
}
