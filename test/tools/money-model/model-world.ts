/** The world of the money model: a shop with two tills and a courier, whose site may be restarted between two steps. */

import type { ReceiptId } from "@fiscald/shared/ids.js";
import { setLicenseTotal } from "#handlers/delivery/catalog/delivery-settings.js";
import { createTestTill, type TestTill } from "#handlers/print-server/http/test-till.js";
import { type Api, type DeliveryWorld, fillCatalog, openWorld } from "../../handlers/delivery/delivery-world.js";
import type { TestDatabase } from "../../support/site-databases.js";
import { kkm, syncCall } from "./money-world.js";

export interface ModelWorld {
  readonly shop: Api;
  readonly courier: Api;
  /** Two print servers of one register: the receipt of one goes to the other only after its release. */
  readonly tills: readonly [TestTill, TestTill];
  release(receiptId: ReceiptId): Promise<void>;
  restart(): Promise<void>;
  /** Sets whether the site prints receipts of prepayments, by a restart if this changes. */
  printPrepayments(isOn: boolean): Promise<void>;
  close(): Promise<void>;
}

export interface ModelWorldOptions {
  /**
   * Worlds with different numbers do not block each other on PostgreSQL, where a shop is locked by its number in the
   * whole database, of which each world has a schema.
   */
  readonly number?: number;
  /** How many nodes the site has on one database; the calls go to the nodes in turn. */
  readonly nodes?: number;
}

export async function openModelWorld(
  database: TestDatabase,
  { number = 0, nodes = 1 }: ModelWorldOptions = {},
): Promise<ModelWorld> {
  let printPrepaymentReceipt = true;
  const open = async () => {
    const options = { delivery: { printPrepaymentReceipt } };
    const first = await openWorld(database, options);
    const others: DeliveryWorld[] = [];
    while (others.length < nodes - 1) others.push(await openWorld(database, options));
    return { first, all: [first, ...others] };
  };
  const close = async () => {
    for (const world of site.all) await world.close();
  };
  const restart = async () => {
    await close();
    site = await open();
  };
  let site = await open();
  let calls = 0;
  const next = () => {
    calls += 1;
    return site.all[calls % nodes] ?? site.first;
  };
  for (let other = 0; other < number; other += 1) await site.first.shop();
  const { access } = await site.first.shop();
  const { id, handlerSecret } = access.resource;
  /** The address changes with each start. */
  const here = (token: string, base?: string): Api => {
    const api = () => next().api(token, base);
    return {
      get: (...call) => api().get(...call),
      post: (...call) => api().post(...call),
      put: (...call) => api().put(...call),
      delete: (...call) => api().delete(...call),
    };
  };
  const address = () => `${next().origin}/fiscal/${id}`;
  const addresses = {
    get order() {
      return address();
    },
    get result() {
      return address();
    },
    get sync() {
      return address();
    },
    activity: "",
    zreport: "",
    error: "",
  };
  const auth = { kind: "bearer" as const, token: handlerSecret };
  const till = (daemonId: string, fn: string) => createTestTill({ site: addresses, kkm, fn, auth, daemonId });
  const tills = [till("till", "9999078900000001"), till("other till", "9999078900000003")] as const;

  const shop = here(access.token);
  await fillCatalog(shop);
  const cheese = { goodId: 503, parentId: null, taxId: 2, title: "Сыр", price: 370.72, unit: "кг", calcId: 1 };
  await shop.post("/goods", [cheese]);
  await tills[0].call("sync", syncCall);
  await site.first.backend.store.transaction((tx) => setLicenseTotal(tx, 1000));
  const login = { resourceId: id, courierId: 7, password: "letmein-2026", deviceId: "a", deviceTitle: "A" };
  const session = await next().api(null, "/courier/v1").post("/sessions", login);

  return {
    shop,
    courier: here(session.body.token, "/courier/v1"),
    tills,
    async release(receiptId) {
      const receipts = await next().bridge?.receiptsOf(id);
      await receipts?.release(receiptId);
    },
    restart,
    async printPrepayments(isOn) {
      if (isOn === printPrepaymentReceipt) return;
      printPrepaymentReceipt = isOn;
      await restart();
    },
    close,
  };
}
