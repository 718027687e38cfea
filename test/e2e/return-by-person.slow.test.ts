/** A person returns receipts by `fiscald return` beside the returns of a site with the kit, through a kill of the daemon. */
import {
  createPrintServerRouter,
  openReceiptStore,
  type PrintResult,
  type ReceiptStore,
  taskTable,
} from "@fiscald/handlers";
import { silentLogger } from "@fiscald/shared/logger.js";
import type { DaemonProcess } from "../support/daemon-process.js";
import type { EmulatorProcess } from "../support/emulator-process.js";
import { serveSite } from "../support/fake-daemon.js";
import { waitFor } from "../support/wait-for.js";
import { patience, tillOn, useShop } from "./use-shop.js";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const shop = useShop();
const heard: PrintResult[] = [];
let store: ReceiptStore;
let emulator: EmulatorProcess;
let daemon: DaemonProcess;
let config: string;

beforeAll(async () => {
  emulator = await shop.emulate();
  store = await openReceiptStore({ database: ":memory:", logger: silentLogger });
  shop.undo(() => store.close());
  const auth = { kind: "signature", secret } as const;
  const onResult = (result: PrintResult) => void heard.push(result);
  const site = await serveSite(createPrintServerRouter({ store, auth, logger: silentLogger, onResult }));
  shop.undo(() => site.close());
  config = shop.configure({ siteUrl: `${site.url}/`, site: { auth }, registers: [tillOn(emulator)] });
  daemon = await shop.start(config);
});

afterEach(() => emulator.clearFaults());

const items = (orderId: string, pieces: number) =>
  ({ name: `Чай ${orderId}`, price: 10, quantity: pieces, tax: "22 %" }) as const;

async function sell(orderId: string): Promise<void> {
  await store.enqueue(taskTable.sale({ orderId }).item(items(orderId, 3)).payRest("cash").build());
  await statesOf(orderId, ["printed"]);
}

function statesOf(orderId: string, wanted: readonly string[]) {
  return waitFor(
    `the receipts of ${orderId} are ${wanted.join(", ")}`,
    async () => (await store.findByOrder(orderId)).map(({ state }) => state).join() === wanted.join(),
    patience,
  );
}

async function killAndStart(): Promise<void> {
  daemon.child.signal("SIGKILL");
  await daemon.child.ended;
  daemon = await shop.start(config);
}

async function printed(orderId: string) {
  const receipts = (await emulator.receipts()).filter(({ items }) => items[0]?.name === `Чай ${orderId}`);
  return receipts.map(({ operation, totalKopecks, items: [item] }) => ({ operation, totalKopecks, vat: item?.vat }));
}

test("a person's return beside the site's queued one stays within the sale, and is one document after a kill", async () => {
  await sell("A-1");
  await emulator.addFault({ effect: "paper-out" });
  await store.enqueue(taskTable.return({ orderId: "A-1" }).item(items("A-1", 1)).payRest("cash").build());
  await waitFor("the site's return is queued", async () => /return/i.test(await daemon.command("jobs")), patience);
  await expect(daemon.command("return", "A-1", "--items", "1:3", "--yes")).rejects.toThrow(/2 is left, and 3/);
  expect(await daemon.command("return", "A-1", "--yes")).toMatch(/^job \d+: accepted/);
  await killAndStart();
  await expect(daemon.command("return", "A-1", "--yes")).rejects.toThrow(/return/);
  await emulator.clearFaults();
  await statesOf("A-1", ["printed", "printed", "printed"]);
  expect(await printed("A-1")).toEqual([
    { operation: "sale", totalKopecks: 3000, vat: 11 },
    { operation: "return", totalKopecks: 1000, vat: 11 },
    { operation: "return", totalKopecks: 2000, vat: 11 },
  ]);
  expect(heard.filter(({ by }) => by === "operator")).toMatchObject([
    { orderId: "A-1", operation: "return", outcome: "printed", totalKopecks: 2000 },
  ]);
  const more = taskTable.return({ orderId: "A-1" }).item(items("A-1", 2)).payRest("cash").build();
  await expect(store.enqueue(more)).rejects.toMatchObject({ code: "job.return-exceeds-sale" });
});

test("a person's return is one document when the daemon is killed as soon as it has accepted the return", async () => {
  await sell("A-2");
  await daemon.command("return", "A-2", "--items", "1:2", "--fixes", "--reason", "wrong goods", "--yes");
  await killAndStart();
  await statesOf("A-2", ["printed", "printed"]);
  expect(await printed("A-2")).toMatchObject([{ operation: "sale" }, { operation: "return", totalKopecks: 2000 }]);
  await expect(daemon.command("return", "A-2", "--items", "1:2", "--yes")).rejects.toThrow(/1 is left, and 2/);
});

test("a return that a person does not confirm changes nothing", async () => {
  await sell("A-3");
  await expect(daemon.command("return", "A-3")).rejects.toThrow(/--yes/);
  expect(await printed("A-3")).toMatchObject([{ operation: "sale" }]);
});
