/** Operations on orders: checked against the database and the rules, then written by `commitAccounts`. */
import { formatRoubles, sumKopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { Checked } from "@fiscald/shared/http/schema-problems.js";
import { markWarning } from "@fiscald/shared/receipt/marking-code.js";
import type { Backend } from "../backend/backend.js";
import type { RecordKind } from "../catalog/records.js";
import {
  existsProblems,
  type FoundRecords,
  keepNamed,
  loadNamed,
  type Reference,
  repeatProblems,
} from "../catalog/references.js";
import { missing, type Problem, problemLines, throwIfProblems } from "../http/api-errors.js";
import { isOddContact, ODD_CONTACT } from "../http/wire-types.js";
import type { CommitScope, OrderChange } from "../orders/order-change.js";
import { bareMarkOf, markField, prepaidSum, unprintableGoods } from "../orders/receipt-policy.js";
import { chooseOrder, findOrders, hideOrder, keyText, requireOrder, saleIdOf } from "../orders/rows.js";
import { itemSum, orderProblems, orderReferences, orderTotal, toKopecks, withoutZeros } from "../orders/rules.js";
import type { MultipleUpdate, OrderCreate, OrderEdit, OrderReplace } from "../orders/schema.js";
import type { StoredOrder } from "../orders/stored-order.js";
import { type OrderView, renderOrder } from "../orders/view.js";
import { unlinkRefund } from "../refunds/link-refunds.js";
import { commitAccounts, settleWritten } from "../settling/settle-accounts.js";
import { buildOrder, editOrder } from "./build.js";

interface WriteOptions<Element> {
  readonly isRefundVariant: boolean;
  /** All orders are created. Otherwise known orders, deleted ones too, are updated. */
  readonly isNew: boolean;
  /** Checks and completes an order that is not known. */
  readNew(element: Element, position: number): Checked<OrderCreate>;
}

export async function writeOrders<Element extends OrderReplace>(
  scope: CommitScope,
  elements: readonly Element[],
  { isRefundVariant, isNew, readNew }: WriteOptions<Element>,
): Promise<readonly OrderView[]> {
  const keyOf = ({ orderId, isRefund }: Element) =>
    keyText({ orderId, isRefund: isRefundVariant || isRefund === true });
  const keys = elements.map(keyOf);
  const ids = elements.map(({ orderId }) => orderId);
  const known = await findOrders(scope.tx, scope.resource, ids);
  const asked = elements.map((fields, position) => {
    const { order: before = null, isActive = true } = (isNew ? undefined : known.get(keyOf(fields))) ?? {};
    const isRefund = isRefundVariant || fields.isRefund === true;
    return { fields, place: `[${position}].`, before, isRefund, isRestored: !isActive };
  });
  const { found, problems } = await loadNamedBy(scope, asked);
  const incomplete: Problem[] = [];
  const changes = asked.flatMap(
    ({ fields: given, place, before, isRefund, isRestored }, position): readonly PlacedChange[] => {
      const fields = withoutZeros(given, found);
      if (before !== null) return [{ before, after: editOrder(before, fields, found), place, isRestored }];
      const checked = readNew(fields, position);
      if (checked.problems === null) return [{ before, after: buildOrder(checked.value, isRefund, found), place }];
      incomplete.push(...checked.problems);
      return [];
    },
  );
  throwIfProblems([
    ...repeatProblems(keys, "orderId"),
    ...(isNew ? existsProblems(ids, "orderId", (position) => known.has(keys[position] ?? "")) : []),
    ...incomplete,
    ...asked.flatMap(({ fields, place, before }) => movedRefund(before, fields, place)),
    ...problems,
    ...ruleProblems(scope.backend, changes),
  ]);
  for (const [index, { fields, place }] of asked.entries()) warnOfOddities(scope, fields, changes[index]?.after, place);
  return commitAndRender(scope, changes, found);
}

/** An unreadable contact stops only an order that is paid on the internet, so it is a warning here. */
function warnOfOddities(
  { warn }: CommitScope,
  { phone, client, amountToPay, goods, payments }: OrderEdit,
  after: StoredOrder | undefined,
  place: string,
): void {
  if (isOddContact(phone)) warn?.(`${place}phone`, ODD_CONTACT);
  if (isOddContact(client?.email)) warn?.(`${place}client.email`, ODD_CONTACT);
  for (const [index, { discountTotal }] of (goods ?? []).entries()) {
    if (discountTotal > 0) warn?.(`${place}goods[${index}].discountTotal`, "is a markup: a discount is negative");
  }
  if (after === undefined || after.goods.length === 0) return;
  for (const [index, item] of after.goods.entries()) {
    const oddMark = goods === undefined || after.isRefund ? null : markWarning(bareMarkOf(item) ?? "");
    if (oddMark !== null) warn?.(`${place}goods[${index}].${markField(item)}`, oddMark.en);
    const isWithout = item.taxId === null && after.supplierId === null && !after.isRefund && itemSum(item) > 0;
    if (isWithout) warn?.(`${place}goods[${index}].taxId`, "is missing: without it there is no receipt of the order");
  }
  const [cost, prepaid] = [orderTotal(after), prepaidSum(after)];
  const price = sumKopecks(after.goods.map(({ total }) => toKopecks(total)));
  const isAmount = [price, cost, price - prepaid, cost - prepaid].includes(toKopecks(after.amountToPay));
  if (!isAmount && (amountToPay ?? goods) !== undefined) {
    const sum = formatRoubles(cost);
    warn?.(`${place}amountToPay`, `is not what the positions come to, ${sum}: receipts are made of the positions`);
  }
  const paid = sumKopecks((after.namedPayments ?? []).map((one) => toKopecks(one.price)));
  if ((payments ?? null) !== null && paid !== 0 && !after.isRefund && ![cost, prepaid, cost - prepaid].includes(paid))
    warn?.(`${place}payments`, `come to ${formatRoubles(paid)}, and the order to ${formatRoubles(cost)}`);
}

/** A body with `isRefund` changes the refund order of this id, so that our answer can be sent back as it is. */
export async function editOneOrder(
  scope: CommitScope,
  { orderId, isRefund }: { readonly orderId: string; readonly isRefund?: boolean | undefined },
  edit: OrderEdit,
): Promise<OrderView> {
  const wanted = { orderId, isRefund: isRefund ?? (edit.isRefund === true ? true : undefined) };
  const before = await requireOrder(scope.tx, scope.resource, wanted);
  const { found, problems } = await loadNamedBy(scope, [
    { fields: edit, place: "", before, isRefund: before.isRefund },
  ]);
  const change = { before, after: editOrder(before, withoutZeros(edit, found), found), place: "" };
  const fixed = (["orderId", "isRefund"] as const).filter(
    (field) => edit[field] !== undefined && edit[field] !== before[field],
  );
  throwIfProblems([
    ...fixed.map((place) => ({ place, message: "cannot be changed" })),
    ...movedRefund(before, edit, ""),
    ...problems,
    ...ruleProblems(scope.backend, [change]),
  ]);
  warnOfOddities(scope, edit, change.after, "");
  const [view] = await commitAndRender(scope, [change], found);
  if (view === undefined) throw missing("order", wanted.orderId);
  return view;
}

function movedRefund(before: StoredOrder | null, { returnedOrderId }: OrderEdit, place: string): readonly Problem[] {
  const isMoved = before?.isRefund === true && (returnedOrderId ?? before.originalOrderId) !== before.originalOrderId;
  return isMoved ? [{ place: `${place}returnedOrderId`, message: "cannot be changed" }] : [];
}

/** Changes all orders or none. A fault names the wrong orders by index (`orderIds[2]`). */
export async function updateManyOrders(scope: CommitScope, { orderIds, attributes }: MultipleUpdate): Promise<void> {
  const known = await findOrders(scope.tx, scope.resource, orderIds);
  const { found, problems } = await loadNamed(scope.tx, scope.resource, orderReferences(attributes, "attributes."));
  throwIfProblems(problems);
  const edit = withoutZeros(attributes, found);
  const asked = [...new Set(orderIds)].map((orderId) => {
    return { orderId, at: `orderIds[${orderIds.indexOf(orderId)}]`, before: chooseOrder(known, { orderId }) };
  });
  const unknown = asked.filter(({ before }) => before === null);
  if (unknown[0] !== undefined) {
    const faults = unknown.map(({ orderId, at }) => ({ place: at, message: missing("order", orderId).message }));
    throw new Fault("api.not-found", { place: unknown[0].at, message: problemLines(faults) });
  }
  const changes = asked.flatMap(({ before, at }) => {
    return before === null ? [] : [{ before, after: editOrder(before, edit, found), place: `${at}.` }];
  });
  throwIfProblems(
    changes.flatMap((change, index) =>
      ruleProblems(scope.backend, [{ ...change, place: "attributes." }]).map(({ place, message }) => ({
        place: asked[index]?.at ?? "",
        message: `order ${JSON.stringify(change.before.orderId)}: ${place}: ${message}`,
      })),
    ),
  );
  await commitAccounts({ ...scope, isWritten: true }, changes);
}

/** An unpaid refund order is also taken off its sale. The shop has an alert where money of the order is left. */
export async function deleteOrder(
  scope: CommitScope,
  wanted: { readonly orderId: string; readonly isRefund?: boolean | undefined },
): Promise<void> {
  const order = await requireOrder(scope.tx, scope.resource, wanted);
  await hideOrder(scope.tx, scope, order);
  if (order.isRefund && order.statusId === 0) await commitAccounts(scope, await unlinkRefund(scope, order));
  else await settleWritten(scope, [saleIdOf(order)]);
}

interface AskedOrder {
  readonly fields: OrderCreate | OrderEdit;
  readonly place: string;
  readonly before: StoredOrder | null;
  readonly isRefund: boolean;
}

function loadNamedBy({ tx, resource }: CommitScope, asked: readonly AskedOrder[]) {
  return loadNamed(tx, resource, asked.flatMap(referencesOf));
}

/** References that the order has already stay valid. Goods can be returned even if they are not sold any more. */
function referencesOf({ fields, place, before, isRefund }: AskedOrder): readonly Reference[] {
  const references = orderReferences(fields, place);
  const kept = before === null ? references : keepNamed(references, orderReferences(before, ""));
  return isRefund ? kept.map((one) => (ofNewJob.has(one.kind) ? one : { ...one, mayBeDeleted: true })) : kept;
}

/** Who brings the goods back, and why, is new in a refund order: these records must not be deleted. */
const ofNewJob: ReadonlySet<string> = new Set<RecordKind>(["couriers", "orderReturnReasons"]);

type PlacedChange = OrderChange & { readonly place: string };

function ruleProblems(backend: Backend, changes: readonly PlacedChange[]): readonly Problem[] {
  const { strictTransitions } = backend.rules;
  return changes.flatMap((change) => [...orderProblems({ strictTransitions, ...change }), ...unprintableGoods(change)]);
}

/** Sales that a refund changes are committed too, but the answer holds only the requested orders. */
async function commitAndRender(
  scope: CommitScope,
  changes: readonly OrderChange[],
  known: FoundRecords,
): Promise<readonly OrderView[]> {
  const { changes: committed, found } = await commitAccounts({ ...scope, isWritten: true }, changes, { known });
  return committed.map(({ after }) => renderOrder(after, found));
}
