/** One of two shops to which the same happens: what is done to it, and what it has come to. */

import { toOrderId } from "@fiscald/shared/ids.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { setLicenseTotal } from "#handlers/delivery/catalog/delivery-settings.js";
import { createTestTill, type TestTill } from "#handlers/print-server/http/test-till.js";
import type { ReceiptTables } from "#handlers/print-server/receipts/receipt-tables.js";
import { type Api, type DeliveryWorld, fillCatalog, newOrder, type Reply, type Shop } from "../delivery-world.js";
import type { BatchStep } from "./batch-steps.js";
import { courierReceipt, kkm, tea } from "./money-world.js";

export interface Side {
  readonly shop: Shop;
  readonly till: TestTill;
  readonly courier: Api;
  readonly held: Receipt[];
  readonly logged: string[];
}

/** Without what is made up anew each time. */
export const anonymous = (text: string) =>
  text.replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "X");

export async function openSide(world: DeliveryWorld): Promise<Side> {
  const shop = await world.shop();
  await fillCatalog(shop);
  await shop.post("/suppliers", [
    { supplierId: 4, title: "ООО Поставщик", inn: "7700000001", phone: "8 495 111-22-33", taxId: 2 },
    { supplierId: 5, title: "ООО", phone: "+79990000000", inn: "123", taxId: 1 },
  ]);
  const { id: resource, handlerSecret } = shop.access.resource;
  const auth = { kind: "bearer" as const, token: handlerSecret };
  const till = createTestTill({ site: `${world.origin}/fiscal/${resource}`, kkm, auth, daemonId: "till" });
  const taxes = [
    { id: 21, title: "НДС 22%" },
    { id: 22, title: "НДС 10%" },
    { id: 23, title: "Без НДС" },
  ];
  await till.call("sync", {
    action: "sync",
    data: [{ name: "Касса", kkm, inn: "7700000000", fn: "1", taxes, typeClose: [] }],
  });
  await world.backend.store.transaction((tx) => setLicenseTotal(tx, 1000));
  const login = {
    resourceId: resource,
    courierId: 7,
    password: "letmein-2026",
    deviceId: `a${resource}`,
    deviceTitle: "A",
  };
  const session = await world.api(null, "/courier/v1").post("/sessions", login);
  await world.backend.store.db
    .insertInto("delivery_callbacks")
    .values({ resource, kind: "order", url: "http://127.0.0.1:9/", is_active: 1 })
    .execute();
  return { shop, till, courier: world.api(session.body.token, "/courier/v1"), held: [], logged: [] };
}

export async function run(
  world: DeliveryWorld,
  side: Side,
  one: BatchStep,
  { isAlone, at }: { readonly isAlone: boolean; readonly at: number },
): Promise<readonly Reply[]> {
  const { shop, till, courier } = side;
  const inTurn = async <T>(elements: readonly T[], call: (some: readonly T[]) => Promise<Reply>) => {
    if (!isAlone) return [await call(elements)];
    const replies: Reply[] = [];
    for (const element of elements) {
      const reply = await call([element]);
      replies.push(reply);
      if (reply.status >= 300) break;
    }
    return replies;
  };
  switch (one.do) {
    case "replace":
      return inTurn(one.orders, (orders) =>
        shop.post(
          "/orders/replace",
          orders.map((order) => newOrder(order)),
        ),
      );
    case "create":
      return inTurn(one.orders, (orders) =>
        shop.post(
          "/orders",
          orders.map((order) => newOrder(order)),
        ),
      );
    case "multi":
      return inTurn(isAlone ? [...new Set(one.ids)] : one.ids, (orderIds) =>
        shop.put("/orders/multipleUpdate", { orderIds, attributes: one.attributes }),
      );
    case "contact":
      return inTurn(one.ids, (orderIds) =>
        shop.post(
          "/orders/replace",
          orderIds.map((orderId) => ({ orderId, client: { email: one.email } })),
        ),
      );
    case "refund":
      return inTurn(one.ids, (all) =>
        shop.post(
          "/orders/replace",
          all.map((orderId) =>
            newOrder({
              orderId,
              isRefund: true,
              statusId: 1,
              amountToPay: one.count * 250.5,
              goods: [tea(one.count)],
              payments: [],
            }),
          ),
        ),
      );
    case "print":
    case "hold": {
      for (let receipt = await till.poll(); receipt !== null; receipt = await till.poll()) {
        if (side.held.some(({ receiptId }) => receiptId === receipt?.receiptId)) break;
        side.held.push(receipt);
      }
      if (one.do === "print") await reportAll(side, one.outcomes);
      return [];
    }
    case "report":
      await reportAll(side, one.outcomes);
      return [];
    case "delete":
      return [await shop.delete("/orders", { orderId: one.id })];
    case "catalog":
      if (one.what === "tax")
        return [
          await shop.post("/goods/replace", [
            {
              goodId: 501,
              parentId: null,
              taxId: (at % 2) + 1,
              title: `Чай ${at}`,
              price: 250.5,
              unit: "шт",
              calcId: 1,
            },
          ]),
        ];
      if (one.what === "closeType")
        return [await shop.post("/paymentTypes/replace", [{ paymentTypeId: 1, title: "Картой", closeTypeId: at % 2 }])];
      if (one.what === "supplier")
        return [
          await shop.post("/suppliers/replace", [
            { supplierId: 5, title: "ООО", phone: "+79990000000", inn: at % 2 ? "123" : "7700000001", taxId: 1 },
          ]),
        ];
      return [
        await shop.post("/partnerOnlineSettings/replace", {
          settingId: 1,
          login: "x",
          password: "y",
          isProduction: 1,
          company: { inn: "7700000000", taxSystem: at % 2 ? "usn_income" : "osn" },
          agent: { type: "commission_agent" },
        }),
      ];
    case "site": {
      const receipts = await world.bridge?.receiptsOf(shop.access.resource.id);
      const known = (
        await Promise.all([1, 2, 3, 4, 5, 6].map((n) => receipts?.findByOrder(toOrderId(String(n)))))
      ).flatMap((list) => list ?? []);
      const like = known.find(({ receipt }) => receipt.kind === "receipt" && receipt.operation === "sale");
      if (like?.receipt.kind === "receipt") {
        try {
          await receipts?.enqueue({ ...like.receipt, receiptId: null, orderId: toOrderId(String(one.id)) });
        } catch {
          // Refused: the same on both sides.
        }
      }
      return [];
    }
    case "own":
      return [
        await courier.post("/orders/receipts", {
          orderId: one.id,
          operation: one.operation,
          receipt: { ...courierReceipt, fdNumber: String(at) },
        }),
      ];
    case "cancel":
      return [
        await courier.post("/orders/canceledItems", {
          orderId: one.id,
          items: [{ goodId: 501, returnReasonId: 1, count: 1 }],
        }),
      ];
    case "collect":
      return [
        await courier.post("/orders/payments", {
          orderId: one.id,
          payments: [{ paymentId: `p${at}`, paymentTypeId: "1", paidIn: "2026-11-20 10:00:00", price: one.price }],
        }),
      ];
  }
}

/** In an order that is the same on both sides. */
async function reportAll({ held, till }: Side, results: readonly ("printed" | "failed" | "unknown")[]): Promise<void> {
  const text = (receipt: Receipt) => JSON.stringify([receipt.orderId?.padStart(3), { ...receipt, receiptId: null }]);
  const sorted = held.splice(0).toSorted((one, other) => (text(one) < text(other) ? -1 : 1));
  for (const [index, receipt] of sorted.entries()) {
    await till.report(receipt, { outcome: results[index % results.length] ?? "printed" });
  }
}

export async function stateOf({ backend }: DeliveryWorld, { shop, logged }: Side) {
  const resource = shop.access.resource.id;
  const { db } = backend.store;
  const kit = db.withTables<ReceiptTables>();
  const rows = await kit
    .selectFrom("print_receipts")
    .selectAll()
    .where("resource", "=", String(resource))
    .orderBy("seq")
    .execute();
  const counts = new Map<string, number>();
  const names = new Map<string, string>();
  for (const { receipt_id, order_id } of rows) {
    const count = (counts.get(order_id ?? "") ?? 0) + 1;
    counts.set(order_id ?? "", count);
    names.set(receipt_id, `<${order_id}#${count}>`);
  }
  const clean = (value: unknown) => {
    let text = JSON.stringify(value);
    for (const [receiptId, name] of names) text = text.replaceAll(receiptId, name);
    return anonymous(text).replace(/shop [12]/g, "shop");
  };
  const of = async (
    table:
      | "delivery_fiscal_tasks"
      | "delivery_orders"
      | "delivery_journal"
      | "delivery_feed_records"
      | "delivery_outbox"
      | "delivery_order_receipts"
      | "delivery_receipt_lines"
      | "delivery_earlier_receipts"
      | "delivery_status_changes",
  ) => {
    const all = await db.selectFrom(table).selectAll().where("resource", "=", resource).execute();
    return all
      .map((row) => {
        const shown: Record<string, unknown> = { ...row };
        for (const name of [
          "id",
          "resource",
          "updated_at",
          "created_at",
          "due_at",
          "claimed_until",
          "record_id",
          "lane",
        ])
          Reflect.deleteProperty(shown, name);
        if (typeof shown.purpose === "string") shown.purpose = shown.purpose.replace(/:\d+$/, ":n");
        return clean(shown)
          .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "T")
          .replace(/FD \d+/g, "FD")
          .replace(
            /\\"(fdNumber|fpd|receiptNumber|fiscalSign|fiscalDocumentNumber|fiscalDocumentSign)\\":\\"?\d+\\"?/g,
            "F",
          )
          .replace(/refused:X|frId[^,]*,/g, "R");
      })
      .toSorted();
  };
  return {
    receipts: rows
      .map(({ receipt_id, order_id, kkm: register, receipt, state, forced, holder }) =>
        clean({ receipt_id, order_id, register, receipt, state, forced, holder }),
      )
      .toSorted(),
    tasks: await of("delivery_fiscal_tasks"),
    orders: await of("delivery_orders"),
    journal: await of("delivery_journal"),
    lines: await of("delivery_receipt_lines"),
    earlier: await of("delivery_earlier_receipts"),
    feed: await of("delivery_feed_records"),
    outbox: await of("delivery_outbox"),
    documents: await of("delivery_order_receipts"),
    statuses: await of("delivery_status_changes"),
    logged: logged
      .map((line) =>
        clean(line)
          .replace(/"?resource\\?":\\?"?\d+\\?"?/g, "S")
          .replace(/FD \d+/g, "FD"),
      )
      .toSorted(),
  };
}
