/** An order with every carried tag, in each format and spelling, and an emulated register of each maker. */
import type { driverNames } from "@fiscald/drivers/registry.js";
import { defaultRules } from "@fiscald/shared/receipt/check-receipt.js";
import { fromOnlineReceipt } from "@fiscald/shared/receipt/formats/from-online-receipt.js";
import { toTaskTable } from "@fiscald/shared/receipt/formats/to-task-table.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { fromCloudReceipt } from "#handlers/receipts/from-cloud-receipt.js";
import { onlineReceipt } from "#handlers/receipts/online-receipt-builder.js";
import { taskTable } from "#handlers/receipts/task-table-builder.js";
import { readReceipt } from "#handlers/sidecar/receipt-operations.js";
import { atol, pirit, reference } from "../drivers/contract/maker-subjects.js";
import { shtrihSubject } from "../drivers/contract/shtrih-subject.js";
import type { ContractSubject } from "../drivers/contract/subject.js";
import type { ContractWorld } from "../drivers/contract/world.js";
import { type CarriedTag, fiscalTags } from "./fiscal-tags.js";
import { receiptFrom } from "./order-samples.js";

export type Ffd = 2 | 4;

export const makerSubjects: Readonly<Record<(typeof driverNames)[number], (ffd: Ffd) => ContractSubject>> = {
  shtrih: (ffd) => shtrihSubject({ ffd }),
  pirit: (ffd) => pirit({ ffd, model: ffd === 4 ? "viki-print-57" : "viki-print-80" }),
  atol: (ffd) => atol({ ffd }),
  reference: (ffd) => reference({ ffd }),
};

const goodsCode = "450D042F055DB008";
const mark = "010460000000000821A1B2C3D4E5F6G\u001d93dGVz";
const base64 = (text: string, encoding: BufferEncoding) => Buffer.from(text, encoding).toString("base64");
const phone = "+79990000001";
const industry = { federal_id: "030", date: "21.11.2023", number: "1944", value: "UUID=1&Time=2" };
const operating = { name: "0", value: "data", timestamp: "28.11.2026 12:00:00" };

interface Sample {
  /** The value in an order; `cloud` where a cloud service spells the value differently. */
  readonly given: unknown;
  readonly cloud?: unknown;
  /** The value in the document; for a container, some of its tags. No receipt has this value by default. */
  readonly seen: string;
}

const samples: Readonly<Record<number, Sample>> = {
  1008: { given: "b@example.org", seen: "b@example.org" },
  1021: { given: "Petrova", seen: "Petrova" },
  1203: { given: "770000000000", seen: "770000000000" },
  1055: { given: 2, cloud: "usn_income", seen: "2" },
  1192: { given: "1234567890", seen: "1234567890" },
  1084: { given: { name: "Table", value: "7" }, seen: '[{"tag":1085,"text":"Table"},{"tag":1086,"text":"7"}]' },
  1227: { given: "Romashka", seen: "Romashka" },
  1228: { given: "7736050003", seen: "7736050003" },
  1243: { given: "17.05.1990", seen: "17.05.1990" },
  1244: { given: "643", seen: "643" },
  1245: { given: "21", seen: "21" },
  1246: { given: "4500 000000", seen: "4500 000000" },
  1254: { given: "Tver", seen: "Tver" },
  1270: { given: operating, seen: "data" },
  1212: { given: 12, cloud: "composite", seen: "12" },
  1214: { given: 1, cloud: "full_prepayment", seen: "1" },
  1222: { given: 4, cloud: "paying_agent", seen: "4" },
  1044: { given: "Payment", seen: "Payment" },
  1073: { given: [phone], seen: phone },
  1074: { given: ["+79990000002"], seen: "+79990000002" },
  1075: { given: ["+79990000003"], seen: "+79990000003" },
  1026: { given: "Bank", seen: "Bank" },
  1005: { given: "Moscow", seen: "Moscow" },
  1016: { given: "7736050004", seen: "7736050004" },
  1225: { given: "Supplier", seen: "Supplier" },
  1171: { given: ["+79990000004"], seen: "+79990000004" },
  1226: { given: "7736050005", seen: "7736050005" },
  1162: { given: base64(goodsCode, "hex"), cloud: goodsCode, seen: goodsCode.toLowerCase() },
  1163: { given: base64(mark, "latin1"), seen: Buffer.from(mark, "latin1").toString("hex") },
  1191: { given: "requisite", seen: "requisite" },
  1197: { given: "kg", seen: "kg" },
  2108: { given: 11, seen: "11" },
  1229: { given: "1.50", seen: "150" },
  1230: { given: "156", seen: "156" },
  1231: { given: "10702020", seen: "10702020" },
  1260: { given: industry, seen: "UUID=1&Time=2" },
};

export interface TagRow extends CarriedTag {
  readonly tag: number;
  readonly sample: Sample;
}

export const carriedRows: readonly TagRow[] = fiscalTags.flatMap(({ tag, fate }) => {
  const sample = samples[tag];
  if (fate.kind !== "carried") return [];
  if (sample === undefined) throw new Error(`there is no sample of tag ${tag}`);
  return [{ ...fate, tag, sample }];
});

function put(target: Record<string, unknown>, path: string, value: unknown): void {
  const [key = "", ...rest] = path.split(".");
  if (rest.length === 0) {
    target[key] = value;
    return;
  }
  const inner: Record<string, unknown> = {};
  Object.assign(inner, target[key]);
  put(inner, rest.join("."), value);
  target[key] = inner;
}

const position = { name: "Tea", price: 100, quantity: 1 };
const payment = { summ: 100, typeClose: 0 };

function ownKeys(chosen: readonly TagRow[]) {
  const [head, item]: Record<string, unknown>[] = [{}, {}];
  for (const { own, sample } of chosen) {
    const [, place, path = ""] = /^(root|item)\.(.*)$/.exec(own) ?? [];
    put((place === "root" ? head : item) ?? {}, path, sample.given);
  }
  return { head, item };
}

const day = "2026-11-28";

/** All readers of a body of a cloud service. */
export const cloudEntrances: Readonly<Record<string, (body: object) => Receipt>> = {
  "a cloud body": (body) => fromCloudReceipt(body, { operation: "sell", day }),
  "a cloud body that a site hands out": (body) =>
    fromOnlineReceipt(body, defaultRules, { taxes: [], today: day }).receipt,
  "POST /receipts with the operation in its address": (body) => readReceipt(body, "sell", day).receipt,
  "POST /receipts with the operation in its body": (body) =>
    readReceipt({ ...body, operation: "sell" }, undefined, day).receipt,
};

/** A table with further keys of services: `items[].x` for a key of its position, else a path from `receipt`. */
export function cloudTable(keys: readonly (readonly [path: string, value: unknown])[], place: "root" | "line"): object {
  const { name, ...rest } = position;
  const param: Record<string, unknown> = { ...rest, vat: { type: "vat22" } };
  const head: Record<string, unknown> = {};
  for (const [path, value] of keys) {
    if (path.startsWith("items[].")) put(param, path.slice("items[].".length), value);
    else put(head, path.replace(/^receipt\./, ""), value);
  }
  const taskTable = [
    { type: "OpenCheckSell", ...(place === "line" ? { param: head } : {}) },
    { type: "Registration", data: name, param },
    { type: "Payment", param: payment },
    { type: "CloseCheck" },
  ];
  return { response: { orderId: "A-1", ...(place === "root" ? head : {}), taskTable } };
}

/** `paymentMethod` for `payment_method`. */
function inCamelCase(path: string): string {
  return path.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** A sale with further keys: `items[].x` for a key of its position, else a path from the root. */
export function cloudBody(keys: readonly (readonly [path: string, value: unknown])[]): object {
  const item: Record<string, unknown> = { ...position, sum: 100, vat: { type: "vat22" } };
  const receipt = { items: [item], total: 100, payments: [{ type: 0, sum: 100 }] };
  const body: Record<string, unknown> = { external_id: "A-1", receipt };
  for (const [path, value] of keys) {
    if (path.startsWith("items[].")) put(item, path.slice("items[].".length), value);
    else put(body, path, value);
  }
  return body;
}

const refusedSamples: Readonly<Record<number, unknown>> = {
  1261: [industry],
  1291: { numerator: 1, denominator: 2 },
  1057: { type: "attorney" },
  1234: [{ sum: 100, method: 1, id: "A-7" }],
};

export const refusedRows = fiscalTags.flatMap(({ tag, fate }) => {
  if (fate.kind !== "refused") return [];
  const value = refusedSamples[tag];
  if (value === undefined) throw new Error(`there is no sample of the refused tag ${tag}`);
  return [{ tag, key: fate.key, value }];
});

function cloudKeys(chosen: readonly TagRow[]): readonly (readonly [path: string, value: unknown])[] {
  return chosen.map(({ cloud, sample }) => {
    const key = cloud.startsWith("items[].") ? cloud : `receipt.${cloud}`;
    return [key, sample.cloud ?? sample.given] as const;
  });
}

/** Orders with the keys of services in other places, or with other letter cases. */
const cloudSpellings: Readonly<Record<string, (chosen: readonly TagRow[]) => Receipt>> = {
  "a task table with the keys of services": (chosen) => receiptFrom(cloudTable(cloudKeys(chosen), "root")),
  "a task table with the keys of services on its lines": (chosen) => receiptFrom(cloudTable(cloudKeys(chosen), "line")),
  "a cloud body in camel case": (chosen) =>
    receiptFrom(cloudBody(cloudKeys(chosen).map(([key, value]) => [inCamelCase(key), value]))),
};

export const entrances: Readonly<Record<string, (chosen: readonly TagRow[]) => Receipt>> = {
  "a task table": (chosen) => {
    const { head, item } = ownKeys(chosen);
    const { name, ...param } = position;
    const lines = [
      { type: "OpenCheckSell" },
      { type: "Registration", data: name, param: { ...param, vat: { type: "vat22" }, ...item } },
      { type: "Payment", param: payment },
      { type: "CloseCheck" },
    ];
    return receiptFrom({ response: { orderId: "A-1", ...head, taskTable: lines } });
  },
  "the online format": (chosen) => {
    const { head, item } = ownKeys(chosen);
    const items = [{ ...position, sum: 100, vat: { type: "vat22" }, ...item }];
    return receiptFrom({
      external_id: "A-1",
      ...head,
      receipt: { items, total: 100, payments: [{ type: 0, sum: 100 }] },
    });
  },
  ...Object.fromEntries(
    Object.entries(cloudEntrances).map(([name, read]) => [
      name,
      (chosen: readonly TagRow[]) => read(cloudBody(cloudKeys(chosen))),
    ]),
  ),
  ...cloudSpellings,
  ...builderEntrances(),
  "a receipt that is written and read again": (chosen) => {
    const { head, item } = ownKeys(chosen);
    const items = [{ ...position, sum: 100, vat: { type: "vat22" }, ...item }];
    const order = { external_id: "A-1", ...head, receipt: { items, total: 100, payments: [{ type: 0, sum: 100 }] } };
    return receiptFrom(toTaskTable(receiptFrom(order)));
  },
};

function builderEntrances(): Readonly<Record<string, (chosen: readonly TagRow[]) => Receipt>> {
  const build = (format: typeof taskTable | typeof onlineReceipt) => (chosen: readonly TagRow[]) => {
    const input: Record<string, unknown> = { orderId: "A-1" };
    const item: Record<string, unknown> = { ...position, tax: "22 %" };
    for (const { builder, sample } of chosen) {
      const isCode = builder === "item.goodsCode" || builder === "item.markingCode";
      const value = isCode ? Buffer.from(String(sample.given), "base64") : sample.given;
      if (builder.startsWith("item.")) put(item, builder.slice("item.".length), value);
      else put(input, builder, value);
    }
    const made = Reflect.apply(format.sale, format, [input]);
    Reflect.apply(made.item, made, [item]);
    return made.payRest("cash").receipt();
  };
  return { "the builder of tables": build(taskTable), "the builder of online receipts": build(onlineReceipt) };
}

/** The samples whose tags exist in the format and are taken by the maker. */
export function rowsFor(maker: string, ffd: Ffd): readonly TagRow[] {
  return carriedRows.filter(
    ({ since12 = false, until11 = false, refusedBy = [] }) =>
      (ffd === 4 ? !until11 : !since12) && !refusedBy.includes(maker),
  );
}

/** The rows that fit one position: a marked position of format 1.2 is one piece and has a subject of its own. */
export function rowsByPosition(maker: string, ffd: Ffd): readonly (readonly TagRow[])[] {
  const isOfUnmarked = ({ tag }: TagRow) => ffd === 4 && (tag === 1212 || tag === 2108);
  const rows = rowsFor(maker, ffd);
  const others = rows.filter((row) => isOfUnmarked(row) || row.tag === 1055);
  return [rows.filter((row) => !isOfUnmarked(row)), ...(ffd === 4 ? [others] : [])];
}

/** A register with one tax system gives it to every document, whatever the receipt names. */
export async function registerForTwoTaxSystems(world: ContractWorld): Promise<void> {
  world.register.core.reregister({ taxSystems: 3 });
  await world.connect();
}

/** Gives the positions the row of 22 % in the register's own table. */
export function at22(receipt: Receipt, tax: number): Receipt {
  if (receipt.kind !== "receipt") return receipt;
  return { ...receipt, lines: receipt.lines.map((line) => (line.type === "item" ? { ...line, tax } : line)) };
}
