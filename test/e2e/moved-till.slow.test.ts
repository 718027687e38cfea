/** A till moves to another computer: `fiscald export` there, `fiscald import` here, and each order is printed once. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startChild } from "../support/child-process.js";
import { type DaemonProcess, fiscald } from "../support/daemon-process.js";
import type { EmulatorProcess } from "../support/emulator-process.js";
import type { FakeSite } from "../support/fake-site.js";
import { saleOf, tillOn, useShop } from "./use-shop.js";

const shop = useShop("each");
let emulator: EmulatorProcess;
let site: FakeSite;
let old: string;

beforeEach(async () => {
  emulator = await shop.emulate();
  site = await shop.openSite();
  const auth = { kind: "bearer", token: { fromFile: "shop.secret" } };
  old = shop.configure({ siteUrl: site.url, site: { auth }, registers: [tillOn(emulator)] }, "old");
  writeFileSync(join(shop.folder, "old/shop.secret"), "a secret of the shop\n");
});

const pack = () => join(shop.folder, "till.sqlite");
/** The config on the new computer, which does not exist before the import. */
function newConfig(name = "new"): string {
  mkdirSync(join(shop.folder, name), { recursive: true });
  return join(shop.folder, name, "config.json");
}

interface Said {
  readonly code: number | string;
  readonly output: string;
}

async function run(config: string, ...args: readonly string[]): Promise<Said> {
  const child = startChild([fiscald, ...args, "--config", config]);
  return { code: await child.ended, output: child.output() };
}

async function printsOne(orderId: string): Promise<void> {
  site.offer(orderId, saleOf(orderId));
  await site.result(orderId);
  site.withdraw(orderId);
}

async function exported(daemon: DaemonProcess): Promise<void> {
  expect(await daemon.command("export", pack(), "--yes")).toContain("Here the daemon has stopped and starts no more.");
  expect(await daemon.child.ended).toBe(0);
}

test("a running till that was exported prints each order once on another computer, and nothing more on the old one", async () => {
  const before = await shop.start(old);
  await printsOne("A-1");
  // Without paper the order waits, and it moves as one that waits.
  await emulator.addFault({ effect: "error", code: 0x6b, when: { command: "open-receipt" }, times: 1000 });
  site.offer("A-2", saleOf("A-2"));
  await before.child.line(/accepted an order .*order=A-2/);
  await expect(before.command("export", pack())).rejects.toThrow(/1 order waits and moves into the file/);
  await exported(before);
  expect(statSync(pack()).mode & 0o777).toBe(0o600);

  const refused = await run(old, "run");
  expect(refused).toEqual({ code: 2, output: expect.stringContaining("code=store.moved") });

  expect(await run(newConfig(), "import", pack())).toMatchObject({ code: 0 });
  const secret = join(shop.folder, "new/shop.secret");
  expect([readFileSync(secret, "utf8"), statSync(secret).mode & 0o777]).toEqual(["a secret of the shop\n", 0o600]);
  const after = await shop.start(newConfig());
  site.offer("A-1", saleOf("A-1"));
  await emulator.clearFaults();
  await site.result("A-2");
  await printsOne("A-3");
  expect(await emulator.receipts()).toHaveLength(3);
  expect(after.child.output()).not.toMatch(/lacks earlier prints|had forgotten/);
  expect(await after.command("jobs")).toMatch(/A-3[\s\S]*A-2[\s\S]*A-1/);
  const ids = new Set(site.calls.flatMap(({ headers }) => headers["fiscald-daemon"] ?? []));
  expect(ids.size).toBe(1);

  // The file is used up, but for a till that is lost.
  const third = newConfig("third");
  expect(await run(third, "import", pack())).toMatchObject({ code: 2 });
  expect(await run(third, "import", pack(), "--lost")).toMatchObject({ code: 0 });

  // The old place still refuses, also with a copy of its database put back.
  const [copy = ""] = readdirSync(join(shop.folder, "old/backup"));
  expect((await run(old, "restore", join(shop.folder, "old/backup", copy))).code).toBe(0);
  expect((await run(old, "run")).code).toBe(2);
});

test("after an export is undone, the old copy prints when it has been compared with the register", async () => {
  const before = await shop.start(old);
  await printsOne("A-1");
  await exported(before);
  expect(await run(old, "export", "--undo")).toMatchObject({ code: 2, output: expect.stringContaining("add --yes") });
  expect((await run(old, "run")).code).toBe(2);
  expect(await run(old, "export", "--undo", "--yes")).toMatchObject({ code: 0 });
  await shop.start(old);
  site.offer("A-1", saleOf("A-1"));
  await printsOne("A-2");
  expect(await emulator.receipts()).toHaveLength(2);
});
