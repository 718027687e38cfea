/** One day on the registers of every maker: an electronic receipt, a return, the closing, a night too long, its guard. */
import type { DaemonProcess } from "../support/daemon-process.js";
import type { EmulatorProcess } from "../support/emulator-process.js";
import type { FakeSite } from "../support/fake-site.js";
import { fakeTime, hasFakeTime } from "../support/fake-time.js";
import { makeOrder } from "../tools/campaign/plan/orders.js";
import { KKM, saleOf, tillOn, useShop } from "./use-shop.js";

describe.each([
  ["Shtrih-M, link v1", "shtrih", "v1"],
  ["Shtrih-M, link v2", "shtrih", "v2"],
  ["PIRIT", "pirit", null],
  ["ATOL, service v2", "atol", "v2"],
  ["ATOL, service v1", "atol", "v1"],
  ["the reference register", "reference", null],
])("a day on %s", (_name, maker, protocol) => {
  const shop = useShop();
  let emulator: EmulatorProcess;
  let site: FakeSite;
  let daemon: DaemonProcess;

  beforeAll(async () => {
    emulator = await shop.emulate({ maker, args: protocol === null ? [] : ["--protocol", protocol] });
    site = await shop.openSite();
    const more = { driver: maker, cashier: { name: "Кассир Иванова А.А." }, receiptLink: { preset: "1-ofd" } };
    // An idle register's state is read every ten seconds.
    const env = hasFakeTime ? fakeTime("+0 x4") : {};
    daemon = await shop.run({ siteUrl: site.url, registers: [tillOn(emulator, more)] }, env);
  });

  const zReport = async (shift: number) =>
    (await site.call("ZReport", (body) => body["closedSession"] === String(shift))).body;
  const types = async () =>
    (await emulator.documents()).map(({ type }) => type).filter((type) => type !== "registration");

  async function print(orderId: string, order: object) {
    site.offer(orderId, order);
    const result = await site.result(orderId);
    expect(result).toMatchObject({ resultCode: 0, resultInfo: "", outcome: "printed" });
    return result;
  }
  const sale = (orderId: string, price: number) => print(orderId, saleOf(orderId, price));

  test("an electronic receipt prints nothing on paper, and its link has the text of the QR code", async () => {
    const taskTable = [
      { type: "OpenCheckSell", data: "" },
      { type: "ClientContact", data: "buyer@example.com", param: { printDoc: false } },
      { type: "Registration", data: "Без бумаги", param: { price: 100.5, quantity: 1, tax: 2 } },
      { type: "Payment", data: "", param: { summ: 100.5, typeClose: 1 } },
      { type: "CloseCheck", data: "" },
    ];
    const result = await print("E-1", { response: { kkm: KKM, orderId: "E-1", taskTable } });
    const receipt = (await emulator.receipts()).at(-1);
    expect(receipt).toMatchObject({ contact: "buyer@example.com", totalKopecks: 10_050 });
    expect(await emulator.getText("/tape")).not.toContain("Без бумаги");
    const link = Buffer.from(String(result["OFDLink"]), "base64").toString("utf8");
    const { fn, fd, fiscalSign } = receipt ?? {};
    expect(link).toMatch(/^https:\/\/consumer\.1-ofd\.ru\/v1\?t=\d{8}T\d{4}&s=100\.50&fn=\d{16}&i=\d+&fp=\d+&n=1$/);
    const told = new URL(link).searchParams;
    expect([told.get("fn"), told.get("i"), Number(told.get("fp"))]).toEqual([fn, String(fd), Number(fiscalSign)]);
  });

  test("a Z report by command is reported to the site with sales less returns", async () => {
    await print("R-1", makeOrder({ orderId: "R-1", operation: "return", prices: [20.25] }).answer);
    await daemon.command("z-report", "till-1", "--reason", "test");
    expect(await zReport(1)).toMatchObject({ kkm: KKM, resultCode: 0, resultInfo: "", sessionSumm: 80.25 });
    expect(await types()).toEqual(["shift-open", "receipt", "receipt", "shift-close"]);
  });

  test("a shift that is too old is closed before the next receipt, which is not lost", async () => {
    await sale("A-1", 30);
    await emulator.post("/clock", { advanceSeconds: 25 * 3600 });
    await sale("A-2", 40);
    expect(await zReport(2)).toMatchObject({ sessionSumm: 30 });
    const after = ["shift-open", "receipt", "shift-close", "shift-open", "receipt"];
    expect((await types()).slice(4)).toEqual(after);
  });

  test("an idle register's shift is closed before it is 24 hours old", async () => {
    await emulator.post("/clock", { advanceSeconds: 24 * 3600 - 500 });
    expect(await zReport(3)).toMatchObject({ sessionSumm: 40 });
  });
});
