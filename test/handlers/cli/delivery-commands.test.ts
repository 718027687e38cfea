import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Command } from "@fiscald/shared/command-line.js";
import { addDeliveryCommands } from "#handlers/cli/delivery-commands.js";
import { licenseTotal } from "#handlers/delivery/catalog/delivery-settings.js";
import { findPermissions } from "#handlers/delivery/catalog/permissions.js";
import { listRecords } from "#handlers/delivery/catalog/records.js";
import { migrated } from "#handlers/delivery/open-delivery.js";
import { findCaller } from "#handlers/delivery/store/access-tokens.js";
import type { DeliveryStore } from "#handlers/delivery/store/delivery-store.js";
import { openStore } from "#handlers/store/open-store.js";
import { useTempFolder } from "../../support/temp-folder.js";

describe("the commands of the delivery API", () => {
  const folder = useTempFolder();

  async function run(...words: string[]): Promise<readonly string[]> {
    const lines: string[] = [];
    const program = new Command().exitOverride();
    addDeliveryCommands(program, { print: (line) => lines.push(line) });
    await program.parseAsync([...words, "--database", join(folder(), "site.sqlite")], { from: "user" });
    return lines;
  }

  async function look<T>(at: (store: DeliveryStore) => Promise<T>): Promise<T> {
    const opened = await openStore({ address: join(folder(), "site.sqlite") });
    try {
      return await at(await migrated(opened));
    } finally {
      await opened.close();
    }
  }

  test("token create prints a token on the last line, which works until revoked and is never listed", async () => {
    const made = await run("token", "create", "shop");
    const token = made.at(-1) ?? "";
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(made.join("\n")).toContain("/fiscal/1");
    expect(await look((store) => findCaller(store.db, token))).toMatchObject({ resource: 1, name: "shop" });
    expect((await run("token", "list")).join("\n")).not.toContain(token);
    expect(JSON.parse((await run("token", "list", "--json"))[0] ?? "")).toMatchObject([{ id: 1, revokedAt: null }]);
    await run("token", "revoke", "1");
    expect(await look((store) => findCaller(store.db, token))).toBeNull();
    await expect(run("token", "revoke", "1")).rejects.toMatchObject({ code: "api.not-found" });
    await expect(run("token", "revoke", "x")).rejects.toMatchObject({ code: "usage.wrong" });
  });

  test("cabinet load makes the records that all shops share, and refuses an unknown role or kind", async () => {
    const file = join(folder(), "cabinet.json");
    const couriers = [{ courierId: 7, title: "Общий", roleId: 2 }];
    const userRoles = [{ roleId: 2, title: "Курьер" }];
    const permissions = [{ roleId: 2, actionId: "order.cancel", isAllowed: 1 }];
    await writeFile(file, JSON.stringify({ couriers, userRoles, permissions }));
    await run("token", "create", "shop");
    expect(await run("cabinet", "load", file)).toEqual(["3 records loaded"]);
    await run("cabinet", "on");
    await run("licenses", "set", "3");
    expect(await look((store) => licenseTotal(store.db))).toBe(3);
    const page = { limit: 9, offset: 0 };
    const loaded = await look((store) => listRecords(store.db, { resource: 1, kind: "couriers", page }));
    expect(loaded).toMatchObject([{ owner: 0, id: "7", body: { title: "Общий" } }]);
    expect(await look((store) => findPermissions(store.db, 1))).toMatchObject([{ roleId: "2", isAllowed: true }]);
    const unknown = [{ roleId: 9, actionId: "order.cancel", isAllowed: 1 }];
    await writeFile(file, JSON.stringify({ permissions: unknown }));
    await expect(run("cabinet", "load", file)).rejects.toMatchObject({ code: "api.invalid", place: "[0].roleId" });
    await writeFile(file, JSON.stringify({ goods: [] }));
    await expect(run("cabinet", "load", file)).rejects.toMatchObject({ code: "api.invalid", place: "goods" });
  });

  test.each([
    "token list",
    "token revoke 1",
    "callbacks list",
    "callbacks replay dead",
    "courier password c-1",
    "licenses set 2",
    "cabinet on",
  ])("`%s` does not create a missing database, and says that it is missing", async (words) => {
    const refused = { code: "usage.wrong", message: expect.stringContaining("there is no database") };
    await expect(run(...words.split(" "))).rejects.toMatchObject(refused);
    expect(existsSync(join(folder(), "site.sqlite"))).toBe(false);
  });

  test("callbacks list prints an empty list without callbacks, and replay says how many are sent again", async () => {
    await run("token", "create", "shop");
    expect(await run("callbacks", "list", "--json")).toEqual(["[]"]);
    expect(await run("callbacks", "list", "--state", "dead", "--json")).toEqual(["[]"]);
    expect(await run("callbacks", "replay", "dead")).toEqual(["0 callbacks will be sent again"]);
  });

  test("callbacks list refuses an unknown state, and callbacks replay refuses an unknown id", async () => {
    await run("token", "create", "shop");
    await expect(run("callbacks", "list", "--state", "died")).rejects.toThrow("Allowed choices are fresh, sending");
    await expect(run("callbacks", "replay", "987654")).rejects.toMatchObject({ code: "api.not-found" });
  });

  test("account prints an order's statement, and asks for the shop if several have an order of that id", async () => {
    await run("token", "create", "shop");
    await expect(run("account", "1042")).rejects.toMatchObject({ code: "api.not-found" });
    const body = JSON.stringify({ orderId: "1042", isRefund: false, goods: [], payments: [] });
    const flags = { is_refund: 0, is_active: 1, callback_sequence: 0, updated_at: 0 };
    const rest = { ...flags, sort_key: "1042", courier_id: null, body };
    const put = (resource: number) => (store: DeliveryStore) =>
      store.db
        .insertInto("delivery_orders")
        .values({ resource, order_id: "1042", ...rest })
        .execute();
    await look(put(1));
    const entry = {
      ...{ resource: 1, sale_id: "1042", seq: 1, kind: "sale" as const, basis_seq: null, refund_id: null },
      ...{ issued_by: "shop" as const, state: "registered" as const, receipt_id: "r-1", fn: "9999", fd: "318" },
      ...{ lines: "[]", payments: "[]", total: 50100, tax_system: null, is_assumed: 0, details: null, created_at: 0 },
    };
    await look((store) => store.db.insertInto("account_entries").values(entry).execute());
    expect(await run("account", "1042")).toEqual([
      "order 1042 balances: cost 0.00, collected 0.00, prepaid 0.00, used 0.00, sold 501.00, returned 0.00",
      "1\tsale\t501.00\tregistered, shop\tFD 318 of drive 9999",
    ]);
    const [json = ""] = await run("account", "1042", "--json");
    expect(JSON.parse(json)).toMatchObject({ orderId: 1042, sold: "501.00" });
    const refund = JSON.stringify({ orderId: "R-1", isRefund: true, originalOrderId: "1042", goods: [], payments: [] });
    const refundRow = { resource: 1, order_id: "R-1", ...rest, is_refund: 1, body: refund };
    await look((store) => store.db.insertInto("delivery_orders").values(refundRow).execute());
    expect(await run("account", "R-1")).toEqual(await run("account", "1042"));
    await look(put(2));
    await expect(run("account", "1042")).rejects.toMatchObject({ code: "usage.wrong" });
    expect(await run("account", "1042", "--resource", "1")).toHaveLength(2);
  });
});
