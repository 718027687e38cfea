/** Orders of the campaign, in the print-server format, and how their documents are told apart: by the items' names. */
import type { TaskTableAnswer, WireLine } from "@fiscald/shared/exchange/task-table.js";

export interface CampaignOrder {
  /** Unique in its case; the names of its items begin with it. A sale and its return share the order id, not the key. */
  readonly key: string;
  readonly orderId: string;
  readonly operation: "sale" | "return";
  readonly totalKopecks: number;
  readonly lines: number;
  readonly answer: TaskTableAnswer;
}

export interface OrderOptions {
  readonly orderId: string;
  /** Default: the order id. */
  readonly key?: string;
  readonly operation: "sale" | "return";
  /** Prices in roubles; equal sums are told apart by the name. */
  readonly prices: readonly number[];
  /** Default: whichever register is polled. */
  readonly kkm?: string | undefined;
}

export function makeOrder({ orderId, key = orderId, operation, prices, kkm }: OrderOptions): CampaignOrder {
  const totalKopecks = prices.reduce((sum, price) => sum + Math.round(price * 100), 0);
  const item = operation === "sale" ? "Registration" : "Return";
  const taskTable: readonly WireLine[] = [
    { type: operation === "sale" ? "OpenCheckSell" : "OpenCheckReturn", data: "" },
    ...prices.map(
      (price, line): WireLine => ({ type: item, data: itemName(key, line), param: { price, quantity: 1, tax: 1 } }),
    ),
    { type: "Payment", data: "", param: { summ: totalKopecks / 100, typeClose: 0 } },
    { type: "CloseCheck", data: "" },
  ];
  return {
    key,
    orderId,
    operation,
    totalKopecks,
    lines: prices.length,
    answer: { response: { ...(kkm === undefined ? {} : { kkm }), orderId, taskTable } },
  };
}

export interface CashJob {
  readonly orderId: string;
  readonly kkm: string;
  readonly direction: "in" | "out";
  readonly sumKopecks: number;
  readonly answer: TaskTableAnswer;
}

export function makeCashJob({ orderId, kkm, direction, sumKopecks }: Omit<CashJob, "answer">): CashJob {
  const type = direction === "in" ? "CashIncome" : "CashOutcome";
  const taskTable: readonly WireLine[] = [{ type, data: "", param: { summ: sumKopecks / 100 } }];
  return { orderId, kkm, direction, sumKopecks, answer: { response: { kkm, orderId, taskTable } } };
}

export function itemName(key: string, line: number): string {
  return `${key} строка ${line + 1}`;
}

/** The key that a document's items name; null = nobody of ours. */
export function keyOf(document: { readonly items: readonly { readonly name: string }[] }): string | null {
  return /^(\S+) строка \d+$/.exec(document.items[0]?.name ?? "")?.[1] ?? null;
}
