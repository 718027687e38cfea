import type { DeliveryOperation } from "#handlers/delivery/backend/backend.js";
import { courierOperations, deliveryOperations } from "#handlers/delivery/endpoints/all-endpoints.js";
import { fullScans } from "../../support/full-scans.js";
import { waitFor } from "../../support/wait-for.js";
import { AccountSteps } from "./account/account-steps.js";
import { openReceiver } from "./callback-receiver.js";
import { type Api, newOrder } from "./delivery-world.js";
import { describeOnBothStores, useMoney } from "./use-world.js";

describeOnBothStores("the queries of the delivery API", (newDatabase) => {
  const { money } = useMoney(newDatabase, { printPrepaymentReceipt: true });

  async function callEach(api: Api, operations: readonly DeliveryOperation[]): Promise<void> {
    for (const { method, path, example } of operations) {
      const query = { ...example.query };
      if (method === "get") await api.get(path, query);
      else if (method === "delete") await api.delete(path, query);
      else await api[method](path, example.body, { query });
    }
  }

  /** Sends the document's examples; deletions come last. */
  async function callAll(): Promise<void> {
    await money.shop.post("/orders", [newOrder({ orderId: 1043 })]);
    for (const isDelete of [false, true]) {
      const part = (all: readonly DeliveryOperation[]) =>
        all.filter(({ method }) => (method === "delete") === isDelete);
      await callEach(money.shop, part(deliveryOperations));
      await callEach(money.courier, part(courierOperations));
    }
  }

  test("no call, receipt or callback scans the whole of a growing table", async () => {
    const receiver = await openReceiver();
    try {
      const scans = await fullScans(money.world.backend.store, async () => {
        receiver.status = 503;
        await money.shop.post("/orders/callback", { url: receiver.url, isActive: 1 });
        await new AccountSteps(money, 5001).take("order prepaid 200", "print", "courier collects 301", "status 3");
        await waitFor("the receiver is found to be down", () => receiver.received.length > 0);
        await new AccountSteps(money, 5001).take("print all", "refund of 1", "print all");
        await new AccountSteps(money, 5002).take("order paid online", "courier's sale receipt", "status 6");
        await callAll();
      });
      expect(scans).toEqual([]);
    } finally {
      receiver.close();
    }
  });
});
