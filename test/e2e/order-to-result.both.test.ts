/** The main road on real wire bytes: a site, the built daemon and an emulated register, each in a process of its own. */

import type { DaemonProcess } from "../support/daemon-process.js";
import type { EmulatedDocument, EmulatorProcess } from "../support/emulator-process.js";
import type { FakeSite } from "../support/fake-site.js";
import { hasSocat, needsSocat, openSerialPair } from "../support/serial-pair.js";
import { isFast } from "../support/tier.js";
import { waitFor } from "../support/wait-for.js";
import { cash, cashless, expectHeld, held } from "./held-document.js";
import { KKM, tillOn, useShop } from "./use-shop.js";

const fn = "9999078900000001";

interface Line {
  readonly type: string;
  readonly data?: string;
  readonly param?: Readonly<Record<string, unknown>>;
}

function table(orderId: string, lines: readonly Line[], root: Readonly<Record<string, unknown>> = {}) {
  return { response: { kkm: KKM, orderId, ...root, taskTable: lines.map((line) => ({ data: "", ...line })) } };
}

const open = { type: "OpenCheckSell" };
const close = { type: "CloseCheck" };
const item = (data: string, price: number, quantity: number, more: Readonly<Record<string, unknown>> = {}): Line => ({
  type: "Registration",
  data,
  param: { price, quantity, tax: 1, ...more },
});
const pay = (summ: number, typeClose = 0): Line => ({ type: "Payment", param: { summ, typeClose } });

const ways = [
  ["over TCP, link v1", "tcp", "v1"],
  ["over TCP, link v2", "tcp", "v2"],
  ["over a serial line", "serial", "v1"],
] as const;

for (const [name, kind, link] of isFast ? ways.slice(0, 1) : ways.slice(1)) {
  const able = kind === "tcp" || hasSocat;
  const title = `an order printed on a Shtrih-M register ${name}${able ? "" : needsSocat}`;
  (able ? describe : describe.skip)(title, () => describeOrders(kind, link));
}

function describeOrders(kind: "tcp" | "serial", link: "v1" | "v2"): void {
  const shop = useShop();
  let emulator: EmulatorProcess;
  let site: FakeSite;
  let daemon: DaemonProcess;

  beforeAll(async () => {
    const pair = kind === "serial" ? await openSerialPair(shop.folder) : null;
    shop.undo(() => pair?.close());
    const listen = pair === null ? {} : { listen: `serial:${pair.device}` };
    emulator = await shop.emulate({ ...listen, args: ["--protocol", link, "--inn", "7700000000", "--fn", fn] });
    site = await shop.openSite();
    const serial = pair === null ? {} : { connection: { kind: "serial", path: pair.host, baudRate: 115_200 } };
    const names = { title: "Зал", cashier: { name: "Иванова А.А.", inn: "770000000012" } };
    const till = tillOn(emulator, { ...names, ...serial, options: { link }, receiptLink: { preset: "platforma-ofd" } });
    // Row 1 of this register is 20 %.
    daemon = await shop.run({ siteUrl: site.url, site: { rates: { allow20: true } }, registers: [till] });
  });

  async function print(orderId: string, order: unknown): Promise<EmulatedDocument> {
    const told = site.results(orderId).length;
    site.offer(orderId, order);
    const result = await waitFor("the result arrives", () => site.results(orderId)[told]);
    expect(result).toMatchObject({ resultCode: 0, outcome: "printed", kkm: KKM, inn: "7700000000", fn });
    const document = (await emulator.receipts()).at(-1);
    if (document === undefined) throw new Error("no document on the register");
    expect(result).toMatchObject({
      fdNumber: String(document.fd),
      shiftNumber: String(document.shift),
      receiptNumber: String(document.receiptNumber),
    });
    expect(Number(result["fpd"])).toBe(Number(document.fiscalSign));
    const link = Buffer.from(String(result["OFDLink"]), "base64").toString("utf8");
    expect(link).toContain(`fn=${fn}`);
    expect(link).toContain(`i=${document.fd}`);
    return document;
  }

  test("the daemon sends the site the list of registers, with their own taxes and payment types", async () => {
    const { body } = await site.call("sync");
    expect(body["data"]).toMatchObject([{ kkm: KKM, inn: "7700000000", fn, name: "Зал" }]);
    expect(JSON.stringify(body["data"])).toContain("22%");
    await site.call("KKMConnected", (activity) => activity["kkm"] === KKM);
  });

  test("the first order of a connection that names a tax row the register lacks is told the field of that row", async () => {
    site.offer("T-1", table("T-1", [open, item("Чай", 100, 1, { tax: 99 }), pay(100), close]));
    const result = await waitFor("the result arrives", () => site.results("T-1")[0]);
    expect(result).toMatchObject({
      outcome: "failed",
      errors: [{ path: "taskTable[1].param.tax", code: "device.tax-unknown" }],
    });
  });

  test("letters of a sale that the register lacks, and a picture that is not there, are warnings of its result", async () => {
    const picture = { type: "Image", data: "lost.png" };
    await print("A-0", table("A-0", [open, item("Чай ☕", 100, 1), picture, pay(100), close]));
    const warnings = ["☕", "картинки «lost.png» нет"].map((words) => ({
      path: "",
      message: expect.stringContaining(words),
    }));
    expect(site.results("A-0")).toMatchObject([{ warnings: expect.arrayContaining(warnings) }]);
  });

  test("a sale is in the fiscal drive as it was ordered", async () => {
    const order = table("A-1", [open, item("Чай чёрный", 100.5, 2), item("Сахар", 59.9, 1), pay(260.9), close]);
    expectHeld(await print("A-1", order), "A-1", {
      totalKopecks: 26_090,
      items: [
        held({ name: "Чай чёрный", priceKopecks: 10_050, quantity: 2, sumKopecks: 20_100, vatSumKopecks: 3350 }),
        held({ name: "Сахар", priceKopecks: 5990, quantity: 1, vatSumKopecks: 998 }),
      ],
      payments: [cash(26_090)],
      vatTotals: [{ vat: 1, sumKopecks: 4348 }],
    });
  });

  test("a sale is paid in several ways, with change in cash and a cancelled payment", async () => {
    const payments = [pay(100, 0), pay(-100, 0), pay(50, 0), pay(40, 1), pay(20, 2)];
    const document = await print("A-2", table("A-2", [open, item("Кофе", 100, 1), ...payments, close]));
    expectHeld(document, "A-2", {
      totalKopecks: 10_000,
      items: [held({ name: "Кофе", priceKopecks: 10_000, quantity: 1, vatSumKopecks: 1667 })],
      payments: [cash(4000, 5000), cashless(4000), cashless(2000, 2)],
      changeKopecks: 1000,
      vatTotals: [{ vat: 1, sumKopecks: 1667 }],
    });
  });

  test("a return of sold goods is printed", async () => {
    const lines = [{ type: "OpenCheckReturn" }, { ...item("Сахар", 59.9, 1), type: "Return" }, pay(59.9), close];
    expectHeld(await print("A-1", table("A-1", lines)), "A-1", {
      operation: "return",
      totalKopecks: 5990,
      items: [held({ name: "Сахар", priceKopecks: 5990, quantity: 1, vatSumKopecks: 998 })],
      payments: [cash(5990)],
      vatTotals: [{ vat: 1, sumKopecks: 998 }],
    });
  });

  test("an order in the online format is printed", async () => {
    const order = {
      timestamp: "20.11.2026 14:05:00",
      external_id: "B-1",
      isInternetPayment: 0,
      service: { inn: "7700000000", payment_address: "", callback: "" },
      receipt: {
        attributes: { sno: "", email: "buyer@example.com", phone: "+79031234567" },
        items: [{ name: "Билет", price: 500, quantity: 2, sum: 950, tax: 11, tax_sum: 171.31 }],
        total: 950,
        payments: [{ type: 1, sum: 950 }],
      },
    };
    const ticket = { name: "Билет", priceKopecks: 47_500, quantity: 2, sumKopecks: 95_000 };
    expectHeld(await print("B-1", order), "B-1", {
      contact: "buyer@example.com",
      totalKopecks: 95_000,
      items: [held({ ...ticket, taxId: 11, vat: 11, vatSumKopecks: 17_131 })],
      payments: [cashless(95_000)],
      vatTotals: [{ vat: 11, sumKopecks: 17_131 }],
    });
  });

  test("the log describes one receipt in three lines", async () => {
    const infoLines = () =>
      daemon.child
        .output()
        .split("\n")
        .filter((line) => line.includes(" INFO "))
        .map((line) => line.slice(line.indexOf(" INFO ") + " INFO ".length));
    const delivered = (orderId: string) => daemon.child.line(new RegExp(`order=${orderId} event delivered$`));
    const orderOf = (orderId: string) => table(orderId, [open, item("Мёд", 250, 1), pay(250), close]);
    // What came before has told all of its own by then: one register, one site, one thing after the other.
    await print("L-0", orderOf("L-0"));
    await delivered("L-0");
    const before = infoLines().length;
    const document = await print("L-1", orderOf("L-1"));
    await delivered("L-1");
    expect(infoLines().slice(before)).toEqual([
      expect.stringMatching(/^intake site=shop accepted an order job=\d+ order=L-1 register=till-1 sum=250\.00$/),
      expect.stringMatching(
        new RegExp(`^registers register=till-1 printed job=\\d+ order=L-1 fd=${document.fd} sum=250\\.00$`),
      ),
      expect.stringMatching(
        new RegExp(`^sites site=shop .*kind=result job=\\d+ register=till-1 kkm=${KKM} order=L-1 event delivered$`),
      ),
    ]);
  });
}
