/** Each event of a site is heard once, although the print server repeats its calls, on any node and after a restart. */
import { toOrderId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import type { HostCallbacks } from "#handlers/print-server/host-callbacks.js";
import { createPrintServerRouter } from "#handlers/print-server/http/create-router.js";
import { createTestTill, type TestTill } from "#handlers/print-server/http/test-till.js";
import type { PrintEvents } from "#handlers/print-server/print-events.js";
import type { ReceiptStore } from "#handlers/print-server/receipts/receipt-store.js";
import { taskTable } from "#handlers/receipts/task-table-builder.js";
import { databaseKinds } from "../../support/site-databases.js";
import { createTestLogger } from "../../support/test-logger.js";
import { refund, sale, useReceiptShop } from "./receipt-world.js";

const register = { kkm: "0001", device: "ШТРИХ", title: "Зал" };
const shift = {
  ...{ action: "ZReport", kkm: "0001", inn: "7700000000", fn: "99", resultCode: 0, resultInfo: "" },
  ...{ closedSession: "12", sessionSumm: 10 },
};

type Site = PrintEvents & Pick<HostCallbacks, "onSync" | "onResult" | "onActivity" | "onZReport">;

function listen() {
  const heard: string[] = [];
  const events: Site = {
    onPrinted: ({ orderId, outcome, link }) => void heard.push(`${orderId} ${outcome} ${link}`),
    onFailed: ({ orderId, outcome, resultInfo }) => void heard.push(`${orderId} ${outcome} ${resultInfo}`),
    onUnknown: ({ orderId, outcome }) => void heard.push(`${orderId} ${outcome}`),
    onConnected: ({ title }) => void heard.push(`connected ${title}`),
    onDisconnected: ({ title }) => void heard.push(`disconnected ${title}`),
    onShiftClosed: ({ closedShift, shiftTotalKopecks: sum }) => void heard.push(`shift ${closedShift} of ${sum}`),
    onSync: (registers) => void heard.push(`${registers.length} registers`),
  };
  return { heard, events };
}

const tills: TestTill[] = [];
function tillOf(events: Site, store?: ReceiptStore): TestTill {
  const source = store === undefined ? { nextReceipt: () => null } : { store };
  const site = createPrintServerRouter({ auth: { kind: "none" }, logger: silentLogger, ...events, ...source });
  const till = createTestTill({ site });
  tills.push(till);
  return till;
}

function printedAs({ orderId, receiptId }: Receipt) {
  const register = { kkm: "0001", inn: "7700000000", fn: "99" };
  const document = { shiftNumber: "1", OFDLink: "", fdNumber: "7" };
  return {
    action: "orderConfirm",
    ...register,
    ...document,
    resultCode: 0,
    resultInfo: "",
    orderId,
    receiptId,
    outcome: "printed",
  };
}

async function polled(till: TestTill): Promise<Receipt> {
  const receipt = await till.poll();
  if (receipt === null) throw new Error("nothing waits");
  return receipt;
}

afterEach(async () => {
  for (const till of tills.splice(0)) await till.close();
});

describe.each(databaseKinds)("the site's events over a store on $name", (kind) => {
  const { check, shop } = useReceiptShop(kind);

  async function openNode(events: Site) {
    const store = await shop().openNode();
    return { store, till: tillOf(events, store) };
  }

  async function openLogged(events: Site) {
    const lines: string[] = [];
    const store = await shop().openNode();
    const logger = createTestLogger((line) => lines.push(line));
    const till = createTestTill({
      site: createPrintServerRouter({ store, auth: { kind: "none" }, logger, ...events }),
    });
    tills.push(till);
    return { store, till, lines };
  }

  check("a result without a document has the operation and the key of its receipt", async () => {
    const results: unknown[] = [];
    const keep = ({ operation, key }: object & { operation?: unknown; key?: unknown }) =>
      void results.push([operation, key]);
    const { store, till } = await openNode({ onUnknown: keep, onFailed: keep, onPrinted: keep });
    await store.enqueue(sale());
    await till.report(await polled(till), { outcome: "unknown" });
    await store.enqueue(refund("A-2", "1.00"), { key: "refund-17" });
    await till.report(await polled(till), { outcome: "failed" });
    expect(results).toEqual([
      ["sale", undefined],
      ["return", "refund-17"],
    ]);
  });

  check(
    "a print server's doubts about a printed receipt reach the event, the stored result and once the log",
    async () => {
      const heard: unknown[] = [];
      const { store, till, lines } = await openLogged({ onPrinted: ({ warnings }) => void heard.push(warnings) });
      await store.enqueue(sale());
      const receipt = await polled(till);
      const warnings = [{ path: "items[0].tax", message: "строка 10 у кассы НДС 7/107" }];
      const headers = { "webhook-id": "m1" };
      for (let time = 0; time < 2; time += 1) await till.call("result", { ...printedAs(receipt), warnings }, headers);
      expect(heard).toEqual([warnings]);
      expect(await store.list()).toMatchObject([{ state: "printed", result: { warnings } }]);
      const doubts = lines.filter((line) => line.includes("строка 10"));
      expect(doubts).toEqual([expect.stringContaining(`"receipt":"${receipt.receiptId}"`)]);
    },
  );

  check("a result whose receiptId no receipt has, or is no UUID, changes nothing, and the log names it", async () => {
    const { store, till, lines } = await openLogged({});
    await store.enqueue(sale());
    const receipt = await polled(till);
    for (const receiptId of ["not-a-uuid", "6c1f4c1e-7d0a-4d61-9a3e-0000000000ff"]) {
      await till.call("result", { ...printedAs(receipt), receiptId });
      expect(lines.splice(0)).toEqual([
        expect.stringMatching(`fits no receipt.*"receipt":"${receiptId}","outcome":"printed","fd":"7"`),
      ]);
    }
    expect(await store.list()).toMatchObject([{ state: "handed" }]);
  });

  check("a result without an outcome is matched by its order number, not by its receiptId", async () => {
    const { store, till } = await openLogged({});
    await store.enqueue(sale());
    const { outcome: _, ...body } = printedAs(await polled(till));
    await till.call("result", { ...body, receiptId: 17 });
    expect(await store.list()).toMatchObject([{ state: "printed" }]);
  });

  check("a result that is repeated, also after a restart or to another node, is reported once", async () => {
    const { heard, events } = listen();
    const { store, till } = await openNode(events);
    await store.enqueue(sale());
    const receipt = await polled(till);
    await till.report(receipt, { outcome: "unknown", messageId: "m1" });
    await till.report(receipt, { outcome: "printed", messageId: "m2" });
    await till.report(receipt, { outcome: "printed", messageId: "m3" });
    const { till: other } = await openNode(events);
    await other.report(receipt, { outcome: "unknown", messageId: "m1" });
    await other.report(receipt, { outcome: "printed", messageId: "m2" });
    expect(heard).toEqual(["A-1 unknown", expect.stringMatching(/^A-1 printed https:/)]);
  });

  check("a receipt that fails twice is reported to the site twice, with its reason each time", async () => {
    const { heard, events } = listen();
    const { store, till } = await openNode(events);
    await store.enqueue(sale());
    const receipt = await polled(till);
    for (const messageId of ["m1", "m1", "m2", "m2"]) {
      await till.report(receipt, { outcome: "failed", resultInfo: `no paper, ${messageId}`, messageId });
    }
    expect(heard).toEqual(["A-1 failed no paper, m1", "A-1 failed no paper, m2"]);
  });

  check("a result of an unknown receipt is passed to onResult, and causes no event", async () => {
    const { heard, events } = listen();
    const { store, till } = await openNode({
      ...events,
      onResult: ({ orderId }) => void heard.push(`result ${orderId}`),
    });
    await store.enqueue(sale());
    const receipt = await polled(till);
    for (const outcome of ["printed", "failed", "unknown"] as const) {
      await till.report({ ...receipt, orderId: toOrderId("B-1"), receiptId: null }, { outcome });
    }
    expect(heard).toEqual(["result B-1", "result B-1", "result B-1"]);
    await till.report(receipt);
    expect(heard.slice(3)).toEqual(["result A-1", expect.stringMatching(/^A-1 printed/)]);
  });

  check("the events of a prepayment, its settlement and a plain sale say which of them was printed", async () => {
    const stages: unknown[] = [];
    const { store, till } = await openNode({ onPrinted: ({ orderId, stage }) => void stages.push([orderId, stage]) });
    const goods = { name: "Tea", price: "100.00" };
    const prepaid = taskTable.prepayment({ orderId: "A-2" }).item(goods).payRest("electronic");
    const settled = taskTable.settlement({ orderId: "A-2" }).item(goods).payRest("prepayment");
    for (const order of [prepaid, settled, taskTable.service({ orderId: "S-1" }).cashIn("10.00")]) {
      await store.enqueue(order.build());
      await till.printNext();
    }
    await store.enqueue(sale());
    await till.printNext();
    expect(stages).toEqual([
      ["A-2", "prepayment"],
      ["A-2", "settlement"],
      ["S-1", null],
      ["A-1", "whole"],
    ]);
    expect((await store.findByOrder("A-2")).map(({ stage, result }) => [stage, result?.stage])).toEqual([
      ["prepayment", "prepayment"],
      ["settlement", "settlement"],
    ]);
  });

  check("an event of a register or shift is reported once, even if its repeat comes to another node", async () => {
    const { heard, events } = listen();
    const nodes = [await openNode(events), await openNode(events)];
    for (const { till } of nodes) {
      await till.call("sync", { action: "sync", data: [] }, { "webhook-id": "s1" });
      await till.call("activity", { action: "KKMConnected", ...register }, { "webhook-id": "a1" });
      await till.call("activity", { action: "KKMDisconnected", ...register }, { "webhook-id": "a2" });
      await till.call("zreport", shift);
      await till.call("zreport", { ...shift, closedSession: "13", resultCode: 4, resultInfo: "no paper" });
    }
    expect(heard).toEqual(["0 registers", "connected Зал", "disconnected Зал", "shift 12 of 1000"]);
  });

  check("an event whose handler throws is reported to the site again until the handler has succeeded", async () => {
    let calls = 0;
    const { till } = await openNode({
      onShiftClosed: () => {
        calls += 1;
        if (calls < 3) throw new Error("the accounting is down");
      },
    });
    const codes = [];
    for (const _ of "1234") codes.push(await till.call("zreport", shift));
    expect(codes).toMatchObject([{ resultCode: 4 }, { resultCode: 4 }, { resultCode: 0 }, { resultCode: 0 }]);
    expect(calls).toBe(3);
  });

  check("an event that one node handles is refused by another node, which handles it after a minute", async () => {
    let calls = 0;
    let start = () => {};
    const started = new Promise<void>((resolve) => {
      start = resolve;
    });
    const slow = await openNode({
      onShiftClosed: () => {
        calls += 1;
        start();
        return new Promise<void>(() => {});
      },
    });
    const { till } = await openNode({
      onShiftClosed: () => {
        calls += 1;
      },
    });
    const hanging = slow.till.call("zreport", shift).catch(() => "closed");
    await started;
    expect([await till.call("zreport", shift), calls]).toMatchObject([{ resultCode: 4 }, 1]);
    await shop().clock.advance(60_000);
    expect([await till.call("zreport", shift), calls]).toMatchObject([{ resultCode: 0 }, 2]);
    await slow.till.close();
    await hanging;
  });
});

describe("the site's events without a store", () => {
  const result = {
    ...{ action: "orderConfirm", kkm: "0001", inn: "77", fn: "99", resultCode: 0, resultInfo: "", outcome: "printed" },
    ...{ shiftNumber: "1", OFDLink: "", orderId: "A-1" },
  };

  test("without a store, a document is reported once, and a return of the same order is reported too", async () => {
    const { heard, events } = listen();
    const till = tillOf(events);
    for (const fdNumber of ["7", "7", "8"]) await till.call("result", { ...result, fdNumber });
    expect(heard).toEqual(["A-1 printed null", "A-1 printed null"]);
  });

  test("without a store, each result that names neither document nor message is reported", async () => {
    const { heard, events } = listen();
    const till = tillOf(events);
    for (const _ of "12") await till.call("result", result, { "webhook-id": "" });
    expect(heard).toHaveLength(2);
  });

  test("onResult, onActivity and onZReport are called beside the events of the site", async () => {
    const { heard, events } = listen();
    const till = tillOf({
      ...events,
      onResult: ({ outcome }) => void heard.push(`result ${outcome}`),
      onActivity: ({ connected }) => void heard.push(`activity ${connected}`),
      onZReport: ({ resultCode }) => void heard.push(`report ${resultCode}`),
    });
    await till.call("result", { ...result, fdNumber: "7" });
    await till.call("activity", { action: "KKMConnected", ...register });
    await till.call("zreport", shift);
    expect(heard.map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual([
      "result printed",
      "A-1 printed",
      "activity true",
      "connected Зал",
      "report 0",
      "shift 12",
    ]);
  });
});
