/** Content of a document: commands 24, 42 to 47, 52 and 57. */
import { MAX_SUM, sumKopecks } from "@fiscald/shared/amounts.js";
import { containerTag, type FiscalTag, listTags, numberTag, textTags } from "../../memory/fiscal-tag.js";
import { isUsedAsChecked } from "../../memory/marking-codes.js";
import { type CommandRow, command } from "../command-table.js";
import { type OpenDocument, operationOf, type PiritDevice } from "../device.js";
import { dottedDate, FFD_12, type Fields } from "../fields.js";
import { badFormat, type Outcome, ok, refuse, wrongState } from "../outcomes.js";

const inDocument = { needs: "work", ms: 10 } as const;

interface ReceiptCommand<Input> {
  readonly code: string;
  readonly name: string;
  readonly ms?: number;
  /** States of the open sale or return in which the command is possible. */
  readonly states: readonly number[];
  /** Extended reason of error 01 in any other state. */
  readonly reason: number;
  readonly read: (fields: Fields) => Input;
  readonly run: (device: PiritDevice, input: Input, document: OpenDocument) => Outcome;
}

function inReceipt<Input>({ states, reason, run, ...row }: ReceiptCommand<Input>): CommandRow {
  return command({
    ...inDocument,
    ...row,
    run(device, input) {
      const { document, haltedDocument } = device;
      if (document === null) return wrongState(haltedDocument === null ? 8 : 15);
      if (operationOf(document.type) === null) return wrongState(16);
      return states.includes(document.state) ? run(device, input, document) : wrongState(reason);
    },
  });
}

export const itemCommands: readonly CommandRow[] = [
  inReceipt({ code: "24", name: "item-extras", states: [1], reason: 11, read: readExtras, run: keepExtras }),
  inReceipt({ code: "42", name: "item", ms: 20, states: [1], reason: 11, read: readItem, run: addItem }),
  command({
    ...inDocument,
    code: "52",
    name: "subtotal",
    read: (fields) => fields.money(),
    run: (device, sum) => {
      if (device.document === null) return wrongState(8);
      return sum === device.core.subtotal ? ok() : badFormat();
    },
  }),
  inReceipt({ code: "47", name: "payment", states: [1, 3], reason: 13, read: readPayment, run: pay }),
  inReceipt({ code: "57", name: "receipt-tag", states: [1, 3, 4], reason: 13, read: readTag, run: addTag }),
];

function paperRefusal(device: PiritDevice, document: OpenDocument): Outcome | null {
  return document.paper ? device.printerRefusal : null;
}

function readExtras(fields: Fields) {
  return {
    goodsCode: fields.code(32),
    requisite: fields.text(64),
    reserved: fields.text(16),
    agent: fields.integer(),
    supplierInn: fields.text(12),
    supplierPhones: fields.text(),
    supplierName: fields.text(256),
    transfer: { address: fields.text(256), inn: fields.text(12), name: fields.text(64), phones: fields.text() },
    operation: fields.text(24),
    agentPhones: fields.text(),
    operatorPhones: fields.text(),
    industry: [fields.text(3), fields.text(8), fields.text(32), fields.text(256)],
  };
}

function listOf(phones: string): readonly string[] {
  return phones.split(",").filter((phone) => phone !== "");
}

function keepExtras(device: PiritDevice, input: ReturnType<typeof readExtras>): Outcome {
  const { goodsCode, requisite, agent, supplierInn, supplierName, transfer } = input;
  const phones = listOf(input.supplierPhones);
  const data = [
    ...listTags(1075, listOf(transfer.phones)),
    ...textTags([1044, input.operation]),
    ...listTags(1073, listOf(input.agentPhones)),
    ...listTags(1074, listOf(input.operatorPhones)),
    ...textTags([1026, transfer.name], [1005, transfer.address], [1016, transfer.inn]),
  ];
  const [authority = "", date = "", number = "", value = ""] = input.industry;
  const industry = textTags([1262, authority], [1263, dottedDate(date)], [1264, number], [1265, value]);
  if (phones.some((phone) => !/^\+\d{1,18}$/.test(phone))) return badFormat(93);
  if (agent > 0x7f) return badFormat(64);
  const named = supplierInn !== "" || supplierName !== "" || phones.length > 0;
  if (agent === 0 && named) return badFormat(79);
  const in12 = device.core.registration.ffd === FFD_12;
  device.itemTags = [
    ...(goodsCode === "" || in12 ? [] : [{ tag: 1162, hex: goodsCode }]),
    ...textTags([1191, requisite]),
    ...numberTag(1222, agent),
    ...containerTag(1223, data),
    ...containerTag(1224, [...textTags([1225, supplierName]), ...listTags(1171, phones)]),
    ...(in12 ? containerTag(1260, industry) : []),
    ...textTags([1226, supplierInn]),
  ];
  return ok("");
}

function readItem(fields: Fields) {
  return {
    name: fields.text(256),
    article: fields.text(18),
    quantity: fields.quantity(),
    price: fields.money(),
    tax: fields.integer(),
    position: fields.text(4),
    section: fields.integer(),
    discountType: fields.integer(),
    unit: fields.text(16),
    discount: fields.money(),
    method: fields.integer(),
    subject: fields.integer(),
    country: fields.text(3),
    customs: fields.text(32),
    excise: fields.money(),
  };
}

function addItem(device: PiritDevice, input: ReturnType<typeof readItem>, document: OpenDocument): Outcome {
  const refusal = paperRefusal(device, document);
  if (refusal !== null) return refusal;
  const invalid = checkItem(input);
  if (invalid !== null) return badFormat(invalid);
  const { itemMark, itemTags } = device;
  const operation = operationOf(document.type) ?? "sale";
  const measure = Number(input.unit || "0");
  if (itemMark !== null && !isUsedAsChecked(itemMark, { operation, measure, quantity: input.quantity })) {
    return badFormat(81);
  }
  const added = device.core.addLine({
    name: input.name === "" ? "Товар" : input.name,
    price: input.price,
    quantity: input.quantity,
    sum: null,
    tax: input.tax,
    department: input.section === 0 ? document.department : input.section,
    method: input.method === 0 ? 4 : input.method,
    subject: input.subject === 0 ? 1 : input.subject,
    tags: [...unitTags(device, input.unit), ...originTags(input), ...itemTags],
    paper: document.paper,
  });
  if (!added.ok) return refuse(added.refusal);
  if (itemMark !== null) device.core.bindMark(itemMark.code, itemMark.result);
  device.itemTags = [];
  device.itemMark = null;
  return ok((added.value.vatSum / 100).toFixed(4));
}

/** The extended reason for refusing an item. Null: the item is good. */
function checkItem(input: ReturnType<typeof readItem>): number | null {
  if (input.quantity <= 0) return 46;
  if (input.price < 0 || input.price > MAX_SUM) return 47;
  if (input.section > 16) return 50;
  if (![0, 2, 4].includes(input.discountType)) return 51;
  if (input.method > 7) return 53;
  return input.country !== "" && !/^\d{3}$/.test(input.country) ? 89 : null;
}

function unitTags({ core }: PiritDevice, unit: string): readonly FiscalTag[] {
  if (unit === "") return [];
  return core.registration.ffd === FFD_12 ? [{ tag: 2108, number: Number(unit) }] : [{ tag: 1197, text: unit }];
}

function originTags({ country, customs, excise }: ReturnType<typeof readItem>): readonly FiscalTag[] {
  return [...textTags([1230, country], [1231, customs]), ...numberTag(1229, excise)];
}

function readPayment(fields: Fields) {
  return { type: fields.integer(), sum: fields.money(), text: fields.text(44) };
}

function pay(device: PiritDevice, { type, sum }: ReturnType<typeof readPayment>, document: OpenDocument): Outcome {
  const total = device.core.subtotal;
  if (total <= 0) return wrongState(26);
  if (type > 15) return badFormat(55);
  if (sum <= 0) return badFormat(56);
  const payments = [...document.payments, { type, sum }];
  const cashless = sumKopecks(payments.filter((payment) => payment.type !== 0).map((payment) => payment.sum));
  if (cashless > total) return badFormat(56);
  const paid = sumKopecks(payments.map((payment) => payment.sum));
  device.changeDocument({ payments, state: paid >= total ? 4 : 3 });
  return ok();
}

const receiptTags = [1005, 1016, 1026, 1044, 1057, 1073, 1074, 1075, 1171, 1192];

function readTag(fields: Fields) {
  return { tag: fields.integer(), attributes: fields.integer(), title: fields.text(72), value: fields.text(255) };
}

function addTag(device: PiritDevice, { tag, value }: ReturnType<typeof readTag>): Outcome {
  if (!receiptTags.includes(tag) || value === "") return badFormat(71);
  const added = device.core.addReceiptTag(tag === 1057 ? { tag, number: Number(value) } : { tag, text: value });
  return added.ok ? ok() : refuse(added.refusal);
}
