/** A return that a person ordered at the till is stored as a receipt of its own, and counts. */

import { kopecks, toRoublesNumber } from "@fiscald/shared/amounts.js";
import { wireSigns } from "@fiscald/shared/exchange/online-receipt.js";
import { toReceiptId } from "@fiscald/shared/ids.js";
import { parseLocalTime } from "@fiscald/shared/local-time.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { toOnlineReceipt } from "@fiscald/shared/receipt/formats/to-online-receipt.js";
import { type SaleReceipt, signOf, totalOf } from "@fiscald/shared/receipt/receipt.js";
import type { PrintResult } from "#handlers/print-server/host-callbacks.js";
import { readResult } from "#handlers/print-server/http/read-call.js";
import { storeCallbacks } from "#handlers/print-server/store-callbacks.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";
import { databaseKinds } from "../../../support/site-databases.js";
import { refund, sale, useReceiptShop } from "../receipt-world.js";

const receiptId = toReceiptId("6c1f4c1e-7d0a-4d61-9a3e-00000000000f");
const returned: SaleReceipt = makeReceipt({
  ...{ operation: "return", receiptId, format: "online" },
  lines: [makeItem({ name: "Tea", price: kopecks(40_00), total: kopecks(40_00), tax: 1001 })],
});

const corrected = (digit: number, operation: "sale" | "return", roubles: number): SaleReceipt => ({
  ...returned,
  ...{ operation, receiptId: toReceiptId(`6c1f4c1e-7d0a-4d61-9a3e-00000000001${digit}`) },
  lines: [makeItem({ name: "Tea", price: kopecks(roubles * 100), tax: 1001 })],
  payments: [{ typeClose: 1, sum: kopecks(roubles * 100) }],
  correction: { type: "self", date: "2026-07-14", rateConfirmed: true },
  requisites: { additional: "12345" },
});

function told(
  outcome: "printed" | "unknown" | "failed",
  messageId = `m-${outcome}`,
  { of = returned, fdNumber = "77" } = {},
): PrintResult {
  const time = parseLocalTime("2026-11-29T12:00");
  if (time === null) throw new Error("not a time");
  const body = {
    ...{ action: "orderConfirm", kkm: "0001", inn: "7700000000", fn: "9999078900000001", orderId: "A-1" },
    receiptId: of.receiptId,
    ...{ resultCode: outcome === "printed" ? 0 : 4, outcome, operation: wireSigns[signOf(of)], fdNumber },
    total: toRoublesNumber(totalOf(of)),
    ...{ by: "operator", receipt: toOnlineReceipt(of, time) },
  };
  return readResult(JSON.parse(JSON.stringify(body)), messageId);
}

describe.each(databaseKinds)("on $name", (kind) => {
  const { check, shop } = useReceiptShop(kind);

  async function sold() {
    const { queue, handOutOne, report, store } = shop();
    await queue(sale("A-1", "100.00"));
    await report(await handOutOne());
    return store;
  }

  check(
    "a person's return is stored as a printed receipt of the order, and the site's callback gets it once",
    async () => {
      const store = await sold();
      const heard: PrintResult[] = [];
      const { onResult } = storeCallbacks(store, { onResult: (one) => void heard.push(one) }, silentLogger);
      await onResult?.(told("printed"));
      expect(heard).toMatchObject([{ by: "operator", operation: "return", receiptId, orderId: "A-1", stage: "whole" }]);
      expect(await store.findByOrder("A-1")).toMatchObject([
        { operation: "sale", state: "printed" },
        { operation: "return", state: "printed", receiptId, totalKopecks: 4000, result: { fdNumber: "77" } },
      ]);
      expect((await store.recordResult(told("printed"))).standing).toBe("repeated");
      expect(await store.findByOrder("A-1")).toHaveLength(2);
      expect(await shop().handOut()).toBeNull();
    },
  );

  check("a person's return lowers what the site can still return, even while its outcome is unknown", async () => {
    const store = await sold();
    expect(await store.recordResult(told("unknown"))).toMatchObject({
      standing: "applied",
      receipt: { state: "unknown" },
    });
    await expect(store.enqueue(refund("A-1", "61.00"))).rejects.toMatchObject({ code: "job.return-exceeds-sale" });
    await store.recordResult(told("printed"));
    await expect(store.enqueue(refund("A-1", "61.00"))).rejects.toMatchObject({ code: "job.return-exceeds-sale" });
    expect(await store.enqueue(refund("A-1", "60.00"))).toMatchObject({ isNew: true });
  });

  check("a person's return that failed after being unknown lowers no limit, and is offered to no till", async () => {
    const store = await sold();
    await store.recordResult(told("unknown"));
    await store.recordResult(told("failed"));
    expect(await shop().handOut()).toBeNull();
    expect(await store.enqueue(refund("A-1", "100.00"))).toMatchObject({ isNew: true });
  });

  check("a person's return whose receipt cannot be read fits no receipt of the store", async () => {
    const store = await sold();
    const { receipt: _, ...unread } = told("printed");
    expect((await store.recordResult(unread)).standing).toBe("unmatched");
  });

  check("after a correction of a wrong receipt at the till, the goods of the right one can be returned", async () => {
    const store = await sold();
    await store.recordResult(told("printed", "m-1", { of: corrected(1, "return", 100), fdNumber: "78" }));
    await expect(store.enqueue(refund("A-1", "1.00"))).rejects.toMatchObject({ code: "job.return-exceeds-sale" });
    await store.recordResult(told("printed", "m-2", { of: corrected(2, "sale", 90), fdNumber: "79" }));
    expect(await store.findByOrder("A-1")).toMatchObject([
      { operation: "sale", result: { fdNumber: expect.any(String) } },
      { operation: "return", result: { by: "operator", correction: true, fdNumber: "78" } },
      { operation: "sale", result: { by: "operator", correction: true, fdNumber: "79" } },
    ]);
    await expect(store.enqueue(refund("A-1", "91.00"))).rejects.toMatchObject({ code: "job.return-exceeds-sale" });
    expect(await store.enqueue(refund("A-1", "90.00"))).toMatchObject({ isNew: true });
  });

  check(
    "a missed settlement that was corrected at the till keeps the order from being enqueued as a sale",
    async () => {
      const { store } = shop();
      await store.recordResult(told("printed", "m-1", { of: corrected(1, "sale", 100) }));
      await expect(store.enqueue(sale("A-1", "100.00"))).rejects.toMatchObject({ code: "job.already-printed" });
    },
  );

  check("a retry of an order goes to the daemon at which a correction of the order has failed", async () => {
    const { queue, handOut, handOutOne, report, store } = shop();
    await queue(sale("A-1", "100.00"));
    await report(await handOutOne("d1"), { outcome: "failed", resultCode: 4 });
    await store.recordResult(told("unknown", "m-1", { of: corrected(1, "sale", 100) }));
    await store.recordResult(told("failed", "m-2", { of: corrected(1, "sale", 100) }));
    await queue(sale("A-1", "100.00"));
    expect(await handOut("d2")).toBeNull();
    expect(await handOut("d1")).not.toBeNull();
  });
});
