/** One shop with its receipt store, daemons that ask for its receipts, and stories that both play. */
import { isFault } from "@fiscald/shared/fault.js";
import { type ReceiptId, toFnSerial, toInn, toKkm, toOrderId, toReceiptId } from "@fiscald/shared/ids.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import type { OrderPoll, PrintResult } from "#handlers/print-server/host-callbacks.js";
import type { RecordedResult } from "#handlers/print-server/receipts/receipt-results.js";
import { openReceiptStore, type ReceiptStore } from "#handlers/print-server/receipts/receipt-store.js";
import { taskTable } from "#handlers/receipts/task-table-builder.js";
import { openStore, type Store } from "#handlers/store/open-store.js";
import type { NoTables } from "#handlers/store/opened-database.js";
import { createFakeClock } from "../../support/fake-clock.js";
import type { DatabaseKind } from "../../support/site-databases.js";
import { createTestLogger } from "../../support/test-logger.js";

export const kkm = toKkm("0001");
export const ownIds = {
  own: "6c1f4c1e-7d0a-4d61-9a3e-000000000001",
  other: "6c1f4c1e-7d0a-4d61-9a3e-000000000002",
};

interface Head {
  readonly receiptId?: string;
  readonly kkm?: string;
  readonly name?: string;
}

export function sale(orderId = "A-1", price = "100.00", { name = "Tea", ...head }: Head = {}) {
  return taskTable
    .sale({ orderId, ...head })
    .item({ name, price })
    .payRest("cash")
    .build();
}

export function refund(orderId: string, price: string, { name = "Tea", ...head }: Head = {}) {
  return taskTable
    .return({ orderId, ...head })
    .item({ name, price })
    .payRest("cash")
    .build();
}

export function pollBy(daemonId: string | null, more: Partial<OrderPoll> = {}): OrderPoll {
  return { kkm, daemonId, waitMs: 0, signal: new AbortController().signal, ...more };
}

/** The result of a printed receipt, as far as a test does not say something else. */
export function resultOf(
  { receiptId, orderId }: Pick<PrintResult, "receiptId" | "orderId">,
  more: Partial<PrintResult> = {},
): PrintResult {
  return {
    messageId: null,
    kkm,
    inn: toInn("7700000000"),
    fn: toFnSerial("9999078900000001"),
    outcome: "printed",
    resultCode: 0,
    resultInfo: "",
    orderId,
    receiptId,
    shiftNumber: "5",
    link: null,
    fiscalSign: "123",
    fdNumber: "42",
    receiptNumber: "1",
    time: null,
    operation: null,
    totalKopecks: null,
    stage: null,
    ...more,
  };
}

export type ReceiptShop = Awaited<ReturnType<typeof openShop>>;

/** `check` is `test` where the database is available. */
export function useReceiptShop(kind: DatabaseKind) {
  let opened: ReceiptShop | null = null;
  beforeEach(async () => {
    opened = kind.skipped === null ? await openShop(kind) : null;
  });
  afterEach(() => opened?.close());
  return {
    check: kind.skipped === null ? test : test.skip,
    shop(): ReceiptShop {
      if (opened === null) throw new Error("no shop is open");
      return opened;
    },
  };
}

async function openShop(kind: DatabaseKind) {
  const database = await kind.create();
  const clock = createFakeClock();
  const logged: string[] = [];
  const logger = createTestLogger((line) => logged.push(line));
  const shared: Store<NoTables> = await openStore({ address: database.address });
  const store = await openReceiptStore({ database: shared, clock, logger });
  const nodes: ReceiptStore[] = [];
  let reports = 0;

  /** Another node; with a `resource` of its own, another shop in the database. */
  async function openNode(resource = ""): Promise<ReceiptStore> {
    const node = await openReceiptStore({ database: database.address, clock, resource, logger });
    nodes.push(node);
    return node;
  }

  async function queue(...order: Parameters<ReceiptStore["enqueue"]>): Promise<ReceiptId> {
    return toReceiptId((await store.enqueue(...order)).receiptId);
  }

  function handOut(daemonId: string | null = "d1", more: Partial<OrderPoll> = {}): Promise<Receipt | null> {
    return store.nextReceipt(pollBy(daemonId, more));
  }

  async function handOutOne(daemonId: string | null = "d1", more: Partial<OrderPoll> = {}): Promise<Receipt> {
    const receipt = await handOut(daemonId, more);
    if (receipt === null) throw new Error("no receipt was handed out");
    return receipt;
  }

  /** Each report is about a new document, in a new message. */
  function report(
    receipt: Pick<PrintResult, "receiptId" | "orderId">,
    more: Partial<PrintResult> = {},
  ): Promise<RecordedResult> {
    reports += 1;
    return store.recordResult(resultOf(receipt, { messageId: `m${reports}`, fdNumber: String(reports), ...more }));
  }

  async function stateOf(receiptId: ReceiptId | null): Promise<string | null> {
    return receiptId === null ? null : ((await store.findByReceiptId(receiptId))?.state ?? null);
  }

  return {
    ...{ database, clock, logged, shared, store, openNode, queue, handOut, handOutOne, report, stateOf },
    async close(): Promise<void> {
      for (const node of [...nodes, store]) await node.close();
      await shared.close();
      await database.drop();
    },
  };
}

const outcomes = { prints: "printed", fails: "failed", doubts: "unknown" } as const;

/**
 * Plays steps such as `sale 100 -> 1 new`, one a line or between semicolons, and compares their answers. Receipts are
 * numbered in the order in which they come; a fault is its code and the receipt that it names.
 *
 *   sale 100, return 40, cash-in 500 [order=A-2 id=own key=k till=0002 name=Coffee printAnyway beyondSold]
 *   d1 polls, d1 prints, d1 fails, d1 doubts [till=0002]; the caller `unnamed` sends no id
 *   1 printed, 1 failed, 1 unknown [repeated]: the till reports, `repeated` in the message that came last
 *   release 1, withdraw 1, lost 1 (its answer broke), states [order=A-2], log WORDS, days 40
 */
export async function play(shop: ReceiptShop, story: string): Promise<void> {
  const { store, clock, logged, handOut, report } = shop;
  const ids: ReceiptId[] = [];
  let messages = 0;
  const idOf = (number = "") => ids[Number(number) - 1] ?? toReceiptId("nobody");

  function numberOf(receiptId: string): string {
    const known = ids.indexOf(toReceiptId(receiptId));
    if (known < 0) ids.push(toReceiptId(receiptId));
    return String(known < 0 ? ids.length : known + 1);
  }

  async function enqueue(kind: string, price: string, given: ReadonlyMap<string, string>): Promise<string> {
    const [id, till, key, orderId = "A-1"] = ["id", "till", "key", "order"].map((name) => given.get(name));
    const head = {
      ...(id === undefined ? {} : { receiptId: id === "own" ? ownIds.own : ownIds.other }),
      ...(till === undefined ? {} : { kkm: till }),
    };
    const goods = { ...head, name: given.get("name") ?? "Tea" };
    const order =
      kind === "sale"
        ? sale(orderId, price, goods)
        : kind === "return"
          ? refund(orderId, price, goods)
          : taskTable
              .service({ orderId, ...head })
              .cashIn(price)
              .build();
    const { receiptId, isNew, state } = await store.enqueue(order, {
      ...(key === undefined ? {} : { key }),
      printAnyway: given.has("printAnyway"),
      beyondSold: given.has("beyondSold"),
    });
    return `${numberOf(receiptId)} ${isNew ? "new" : state}`;
  }

  async function poll(caller: string, what: string, given: ReadonlyMap<string, string>): Promise<string> {
    const till = toKkm(given.get("till") ?? kkm);
    const receipt = await handOut(caller === "unnamed" ? null : caller, { kkm: till });
    const outcome = Object.entries(outcomes).find(([verb]) => verb === what)?.[1];
    if (receipt !== null && outcome !== undefined) await tell(receipt, outcome);
    return receipt === null ? "none" : numberOf(receipt.receiptId ?? "");
  }

  async function tell(receipt: Pick<Receipt, "receiptId" | "orderId">, outcome: PrintResult["outcome"], again = "") {
    if (again === "") messages += 1;
    return (await report(receipt, { outcome, messageId: `message ${messages}` })).standing;
  }

  async function act(what: string): Promise<string | undefined> {
    const [first = "", second = "", ...more] = what.split(" ");
    const given = new Map([second, ...more].map((word) => [word.replace(/=.*/, ""), word.replace(/^.*?=/, "")]));
    const receiptId = idOf(second);
    switch (first) {
      case "sale":
      case "return":
      case "cash-in":
        return enqueue(first, `${second}.00`, given);
      case "release":
        return store.release(receiptId);
      case "withdraw":
        return String(await store.withdraw(receiptId));
      case "lost":
        return void (await store.onAnswerLost(await receiptNamed(receiptId), pollBy("d1")));
      case "states": {
        const rows = await store.findByOrder(toOrderId(given.get("order") ?? "A-1"));
        return rows.map((row) => `${numberOf(row.receiptId)} ${row.state}`).join(", ") || "none";
      }
      case "log": {
        const lines = logged.filter((line) => line.includes(what.replace(/^log /, ""))).join();
        const named = ids.flatMap((id, index) => (lines.includes(id) ? [index + 1] : []));
        return lines === "" ? "no" : named.join(", ") || "yes";
      }
      case "days":
        return void clock.setWallClock(clock.now() + Number(second) * 86_400_000);
    }
    const outcome = Object.values(outcomes).find((one) => one === second);
    return outcome === undefined
      ? poll(first, second, given)
      : tell({ receiptId: idOf(first), orderId: null }, outcome, more[0]);
  }

  async function receiptNamed(receiptId: ReceiptId): Promise<Receipt> {
    const found = await store.findByReceiptId(receiptId);
    if (found === null) throw new Error(`no receipt ${receiptId}`);
    return found.receipt;
  }

  const steps = story.split(/[;\n]/).flatMap((step) => step.trim() || []);
  const heard: string[] = [];
  for (const step of steps) {
    const [what = "", expected] = step.split(" -> ");
    try {
      const answer = await act(what);
      heard.push(expected === undefined ? what : `${what} -> ${answer}`);
    } catch (error) {
      if (!isFault(error)) throw error;
      const { receiptId } = error.details;
      heard.push(`${what} -> ${error.code}${typeof receiptId === "string" ? ` of ${numberOf(receiptId)}` : ""}`);
    }
  }
  expect(heard).toEqual(steps);
}
