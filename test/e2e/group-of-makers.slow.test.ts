/** One config, a register of each maker in one group: a job leaves the one that is stuck, and means the same on the other. */
import { z } from "zod";
import type { DaemonProcess } from "../support/daemon-process.js";
import type { EmulatorProcess } from "../support/emulator-process.js";
import type { FakeSite } from "../support/fake-site.js";
import { waitFor } from "../support/wait-for.js";
import { tillOn, useShop } from "./use-shop.js";

const makers = ["shtrih", "pirit", "atol"] as const;
type Maker = (typeof makers)[number];
const kkmOf: Readonly<Record<Maker, string>> = {
  shtrih: "0000000000000001",
  pirit: "0000000000000002",
  atol: "0000000000000003",
};

/** Rows of the registers as the site is told of them. */
const told = z.array(
  z.looseObject({ kkm: z.string(), taxes: z.array(z.looseObject({ id: z.coerce.number(), title: z.string() })) }),
);
const taxed = z.array(
  z.looseObject({ type: z.string(), items: z.array(z.looseObject({ taxId: z.number(), vat: z.number() })) }),
);

const shop = useShop();
let emulators: Readonly<Record<Maker, EmulatorProcess>>;
let site: FakeSite;
let daemon: DaemonProcess;

const start = (maker: Maker) =>
  shop.emulate({ maker, kkm: kkmOf[maker], args: ["--fn", `999907890000000${kkmOf[maker].slice(-1)}`] });

beforeAll(async () => {
  emulators = { shtrih: await start("shtrih"), pirit: await start("pirit"), atol: await start("atol") };
  site = await shop.openSite();
  const common = { group: "hall", moveAfterSeconds: 1, cashier: { name: "Иванова А.А." } };
  const registers = makers.map((driver) => tillOn(emulators[driver], { id: driver, driver, ...common }));
  daemon = await shop.run({ siteUrl: site.url, registers });
});

/** The row for 10 % on a register. */
async function taxRow(maker: Maker): Promise<number> {
  const { body } = await site.call("sync", ({ data }) => JSON.stringify(data).includes(kkmOf[maker]));
  const rows = told.parse(body["data"]).find(({ kkm }) => kkm === kkmOf[maker])?.taxes ?? [];
  const row = rows.find(({ title }) => /(^|\D)10 ?%/.test(title));
  if (row === undefined) throw new Error(`no row for 10 % in ${JSON.stringify(rows)}`);
  return row.id;
}

const taskTable = (tax: number) => [
  { type: "OpenCheckSell", data: "" },
  { type: "Registration", data: "Молоко", param: { price: 100, quantity: 1, tax } },
  { type: "Payment", data: "", param: { summ: 100, typeClose: 0 } },
  { type: "CloseCheck", data: "" },
];

function offer(orderId: string, tax: number, maker: Maker = "shtrih"): void {
  site.offer(orderId, { response: { kkm: kkmOf[maker], orderId, taskTable: taskTable(tax) } });
}

/** An order that names no register, answered to the poll for one. */
function offerTo(maker: Maker, orderId: string, response: object): void {
  site.offer(orderId, { response: { orderId, ...response } });
  site.onCall = ({ action, body }) => (action === "order" && body["kkm"] !== kkmOf[maker] ? { body: "" } : undefined);
}

afterEach(() => {
  site.onCall = null;
});

test("an internet receipt is printed by the PIRIT that was polled for, and a plain order after that", async () => {
  const tax = await taxRow("pirit");
  const online = {
    isInternetPayment: 1,
    internetPaymentUrl: "https://shop.example",
    clientContact: "buyer@example.ru",
  };
  offerTo("pirit", "I-1", { taskTable: taskTable(tax), ...online });
  expect(await site.result("I-1")).toMatchObject({ outcome: "printed", kkm: kkmOf.pirit });
  expect((await emulators.pirit.receipts()).at(-1)).toMatchObject({
    internet: true,
    settlementPlace: "https://shop.example",
    contact: "buyer@example.ru",
  });
  expect(await lastItem("pirit")).toMatchObject({ taxId: tax, vat: 2 });
  offerTo("pirit", "P-1", { taskTable: taskTable(tax) });
  expect(await site.result("P-1")).toMatchObject({ outcome: "printed", kkm: kkmOf.pirit });
});

async function lastItem(maker: Maker) {
  const documents = taxed.parse(await emulators[maker].get("/documents"));
  return documents.filter(({ type }) => type === "receipt").at(-1)?.items[0];
}

test("an order of a stuck Shtrih-M is printed by the PIRIT of its group, with its row of the same rate", async () => {
  const [own, other] = [await taxRow("shtrih"), await taxRow("pirit")];
  expect(own).not.toBe(other);
  offer("A-1", own);
  expect(await site.result("A-1")).toMatchObject({ outcome: "printed", kkm: kkmOf.shtrih });
  expect(await lastItem("shtrih")).toMatchObject({ taxId: own, vat: 2 });

  await emulators.shtrih.addFault({ effect: "paper-out", when: "now", times: 1 });
  await daemon.child.line(/register=shtrih register blocked/);
  offer("A-2", own);
  expect(await site.result("A-2")).toMatchObject({ outcome: "printed", kkm: kkmOf.pirit });
  expect(await lastItem("pirit")).toMatchObject({ taxId: other, vat: 2 });

  const receipts = await Promise.all(makers.map(async (maker) => (await emulators[maker].receipts()).length));
  expect(receipts).toEqual([1, 3, 0]);
  await waitFor("the daemon has told of the move", () => /\bmoved\b/.test(daemon.child.output()));
});
