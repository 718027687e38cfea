import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { idOfContent, idOfKey, isAnonymous, uuidOfName } from "#handlers/print-server/receipts/receipt-ids.js";
import { taskTable } from "#handlers/receipts/task-table-builder.js";

const dns = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
const shop = { namespace: "0b6f7a52-6f0e-4b57-9f0c-2f3d2b9f6a11", resource: "shop-1" };

function sale(orderId = "A-1", more: { readonly contact?: string } = {}): Receipt {
  return taskTable
    .sale({ orderId, ...more })
    .item({ name: "Чай", price: "100.00" })
    .payRest("cash")
    .receipt();
}

function cashIn(kkm?: string): Receipt {
  return taskTable
    .service({ orderId: "CASH", ...(kkm === undefined ? {} : { kkm }) })
    .cashIn("500.00")
    .receipt();
}

test("a UUID of version 5 equals the example of RFC 9562", () => {
  expect(uuidOfName(dns, "www.example.com")).toBe("2ed6657d-e927-568b-95e1-2665a8aea6a2");
});

/** With other values the receipts of a restored database would get other ids and be printed once more. */
test.each([
  ["a sale", idOfContent(shop, sale()), "b71ca82b-5575-5f94-a6fa-2dbe744521f1"],
  ["a sale by a key", idOfKey(shop, sale(), "payment-17"), "74382adb-c3d7-5576-8af2-c8c8c069d938"],
  ["a service job", idOfContent(shop, cashIn()), "0e4d9202-1874-5a9e-923b-4c926e9fca7f"],
  [
    "a service job after an equal one",
    idOfContent(shop, cashIn(), [{ receipt_id: idOfContent(shop, cashIn()), state: "printed" }]),
    "ad743460-397b-561c-bab2-313b270c7941",
  ],
])("the id of %s stays the same in all versions of the kit", (_what, id, golden) => {
  expect(id).toBe(golden);
});

test("an order number in another spelling and an order with another contact have the same receipt id", () => {
  const id = idOfContent(shop, sale());
  expect(idOfContent(shop, sale("A\u200b-1"))).toBe(id);
  expect(idOfContent(shop, sale("A-1", { contact: "anna@mail.example" }))).toBe(id);
});

test("equal orders of two databases, two shops, two registers and two keys have different receipt ids", () => {
  const ids = [
    idOfContent(shop, sale()),
    idOfContent({ ...shop, namespace: dns }, sale()),
    idOfContent({ ...shop, resource: "shop-2" }, sale()),
    idOfContent(shop, sale("A-2")),
    idOfContent(shop, cashIn("0001")),
    idOfContent(shop, cashIn("0002")),
    idOfKey(shop, sale(), "1"),
    idOfKey(shop, sale(), "2"),
    idOfKey(shop, sale("A-2"), "1"),
  ];
  expect(new Set(ids).size).toBe(ids.length);
});

test.each([
  ["made of its content", dns, dns, true],
  ["made by an older version of the kit", "0193a1b2-0000-7000-8000-000000000001", `v1:${"0".repeat(64)}`, true],
  ["given by its caller with a time inside", "0193a1b2-0000-7000-8000-000000000001", dns, false],
  ["given by its caller", "6c1f4c1e-7d0a-4d61-9a3e-000000000001", dns, false],
])("a receipt id that was %s tells whether the kit made it", (_what, receipt_id, content_key, expected) => {
  expect(isAnonymous({ receipt_id, content_key })).toBe(expected);
});
