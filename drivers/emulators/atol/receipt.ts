import { sumKopecks } from "@fiscald/shared/amounts.js";
import type { OpenReceiptRecord } from "../memory/core-state.js";
import type { StoredDocument } from "../memory/documents.js";
import type { FiscalCore } from "../memory/fiscal-core.js";
import {
  basisTags,
  buyerTags,
  containerTag,
  type FiscalTag,
  listTags,
  numberTag,
  operatingTag,
  textTags,
} from "../memory/fiscal-tag.js";
import { markResult } from "../memory/marking-codes.js";
import type { PaymentInput } from "../memory/receipt-rules.js";
import type { CoreAnswer } from "../memory/refusals.js";
import { fiscalResult } from "./answers.js";
import { type DeviceOutcome, doneWith, failed } from "./commands.js";
import { codeOfRefusal } from "./errors.js";
import { hexOf, type MarkChecker } from "./marking.js";
import { paperRows } from "./paper.js";
import type { AtolSettings } from "./settings.js";
import type { PositionItem, ReceiptTask } from "./task-schemas.js";

export interface ReceiptParts {
  readonly core: FiscalCore;
  readonly settings: AtolSettings;
  readonly marks: MarkChecker;
}

const operations = {
  sell: "sale",
  sellReturn: "return",
  buy: "purchase",
  buyReturn: "purchase-return",
  sellCorrection: "sale",
  sellReturnCorrection: "return",
  buyCorrection: "purchase",
  buyReturnCorrection: "purchase-return",
} as const;
const taxSystems = { osn: 1, usnIncome: 2, usnIncomeOutcome: 4, envd: 8, esn: 16, patent: 32 } as const;
const paymentTypes = { cash: 0, electronically: 1, prepaid: 2, credit: 3, other: 4 } as const;
/** Codes of tag 1199 (VAT rate), by the task's name for the rate. */
const taxCodes: Readonly<Record<string, number>> = {
  vat20: 1,
  vat10: 2,
  vat120: 3,
  vat110: 4,
  vat0: 5,
  none: 6,
  vat5: 7,
  vat7: 8,
  vat105: 9,
  vat107: 10,
  vat22: 11,
  vat122: 12,
};
/** Tag 1212 (subject), from 1 on. */
const objectNames = [
  "commodity",
  "excise",
  "job",
  "service",
  "gamblingBet",
  "gamblingPrize",
  "lottery",
  "lotteryPrize",
  "intellectualActivity",
  "payment",
  "agentCommission",
  "composite",
  "another",
  "proprietaryLaw",
  "nonOperatingIncome",
  "insuranceContributions",
  "merchantTax",
  "resortFee",
];

const NO_OPERATOR = 172;
const NO_CONTACT = 8;
/** Error for a correction of format 1.05 that has items, a receipt without items, or a correction without type or date. */
const WRONG_ITEMS = 17;
const FFD_105 = 2;
const FFD_12 = 4;

export function makeReceipt(task: ReceiptTask, parts: ReceiptParts): DeviceOutcome {
  const { core } = parts;
  if (task.operator === undefined) return failed(NO_OPERATOR);
  if (task.electronically && task.clientInfo?.emailOrPhone === undefined) return failed(NO_CONTACT);
  const document = documentOf(task, core);
  if (document === null) return failed(WRONG_ITEMS);
  const opened = core.openReceipt({ operation: operations[task.type], operator: 1, document });
  if (!opened.ok) return failed(codeOfRefusal(opened.refusal));
  const made = fillReceipt(task, parts);
  if (made.code !== 0) core.cancelReceipt();
  return made;
}

/** Null: the fields of the task do not fit together. In format 1.05 a correction has sums by rate, and no items. */
function documentOf(task: ReceiptTask, { registration }: FiscalCore): OpenReceiptRecord["document"] | null {
  const hasItems = task.items.length > 0;
  if (!task.type.endsWith("Correction")) return hasItems ? "receipt" : null;
  if (task.correctionType === undefined || task.correctionBaseDate === undefined) return null;
  if ((task.correctionType === "instruction") !== (task.correctionBaseNumber !== undefined)) return null;
  if (registration.ffd !== FFD_105) return hasItems ? "correction" : null;
  return hasItems ? null : "sums";
}

function fillReceipt(task: ReceiptTask, parts: ReceiptParts): DeviceOutcome {
  const { core, settings } = parts;
  for (const item of task.items) {
    if (item.type === "position") {
      const code = addPosition(item, parts);
      if (code !== 0) return failed(code);
    } else if (item.type === "userAttribute") {
      core.addReceiptTag({ tag: 1084, items: textTags([1085, item.name], [1086, item.value]) });
    } else if (item.type === "additionalAttribute") {
      core.addReceiptTag({ tag: 1192, text: item.value });
    } else core.addReceiptPaper(paperRows(item, core));
  }
  const isBySums = core.receipt?.document === "sums";
  if (!isBySums && task.total !== undefined && task.total !== core.subtotal) return failed(227);
  const closing = {
    payments: task.payments.map(
      ({ type, sum }): PaymentInput => ({ typeClose: paymentTypes[type], row: paymentTypes[type] + 1, sum }),
    ),
    taxSystem: task.taxationType === undefined ? null : taxSystems[task.taxationType],
    paper: !task.electronically,
    tags: [...receiptTags(task, core, settings), ...basisOf(task)],
  };
  if (!isBySums) return outcomeOfDocument(core.closeReceipt({ ...closing, zeroTotal: "refused" }), core);
  const rates = new Map(task.taxes.map(({ type, sum }) => [taxCodes[type] ?? 0, sum]));
  if (rates.has(0)) return failed(144);
  const total = task.total ?? sumKopecks(task.payments.map(({ sum }) => sum));
  return outcomeOfDocument(core.closeSums({ ...closing, total, rates }), core);
}

export function outcomeOfDocument(made: CoreAnswer<StoredDocument>, core: FiscalCore): DeviceOutcome {
  return made.ok ? doneWith(fiscalResult(made.value, core)) : failed(codeOfRefusal(made.refusal));
}

function addPosition(item: PositionItem, { core, marks }: ReceiptParts): number {
  const tax = taxCodes[item.tax.type];
  const subject =
    typeof item.paymentObject === "number" ? item.paymentObject : objectNames.indexOf(item.paymentObject) + 1;
  if (tax === undefined) return 144;
  if (subject < 1) return 216;
  const added = core.addLine({
    name: item.name,
    price: item.price,
    quantity: item.quantity,
    sum: item.amount,
    tax,
    department: item.department,
    subject,
    method: item.paymentMethod,
    tags: positionTags(item),
  });
  if (!added.ok) return codeOfRefusal(added.refusal);
  if (item.imcParams !== undefined) {
    if (core.registration.ffd !== FFD_12) return 59;
    if (!marks.covers(item.imcParams)) return codeOfRefusal("mark-unchecked");
    const mark = hexOf(item.imcParams);
    core.bindMark(mark, markResult(mark));
  }
  return 0;
}

function positionTags(item: PositionItem): readonly FiscalTag[] {
  const { measurementUnit: unit, supplierInfo: supplier, nomenclatureCode: code, agentInfo: agent } = item;
  return [
    ...(agent === undefined ? [] : [{ tag: 1222, number: agent.bits }, ...containerTag(1223, agentTags(agent))]),
    ...(supplier === undefined
      ? []
      : [{ tag: 1224, items: [...textTags([1225, supplier.name]), ...listTags(1171, supplier.phones)] }]),
    ...textTags([1226, supplier?.vatin]),
    ...(code === undefined ? [] : [{ tag: 1162, hex: Buffer.from(code, "base64").toString("hex") }]),
    ...(typeof unit === "number" ? numberTag(2108, unit) : textTags([1197, unit])),
    ...textTags([1230, item.countryCode], [1231, item.customsDeclaration], [1191, item.additionalAttribute]),
    ...(item.exciseSum === undefined ? [] : [{ tag: 1229, number: item.exciseSum }]),
    ...(item.industryInfo ?? []).map(({ fois, date, number, industryAttribute }) => ({
      tag: 1260,
      items: textTags(
        [1262, fois],
        [1263, date.split(".").reverse().join(".")],
        [1264, number],
        [1265, industryAttribute],
      ),
    })),
  ];
}

function agentTags(info: NonNullable<PositionItem["agentInfo"]>): readonly FiscalTag[] {
  const { payingAgent: agent, receivePaymentsOperator: receiver, moneyTransferOperator: transfer } = info;
  return [
    ...listTags(1075, transfer?.phones),
    ...textTags([1044, agent?.operation]),
    ...listTags(1073, agent?.phones),
    ...listTags(1074, receiver?.phones),
    ...textTags([1026, transfer?.name], [1005, transfer?.address], [1016, transfer?.vatin]),
  ];
}

function receiptTags(task: ReceiptTask, core: FiscalCore, settings: AtolSettings) {
  const { operator, clientInfo: client, paymentsPlace, customParameters, operationInfo: operation } = task;
  const internet = customParameters.some(({ id, value }) => id === 1125 && (value === true || value === 1));
  const buyer = textTags(
    ...([
      [1227, client?.name],
      [1228, client?.vatin],
      [1243, client?.birthDate],
      [1244, client?.citizenship],
    ] as const),
    ...([
      [1245, client?.identityDocumentCode],
      [1246, client?.identityDocumentData],
      [1254, client?.address],
    ] as const),
  );
  return [
    ...operatorTags(operator),
    ...textTags([1008, client?.emailOrPhone]),
    ...(internet && settings.internet === "parameter" ? [{ tag: 1125, number: 1 }] : []),
    ...textTags([1187, paymentsPlace]),
    ...buyerTags(buyer, core.registration.ffd),
    ...(operation === undefined ? [] : [operatingTag(operation.id, operation.data, localTime(operation.dateTime))]),
  ];
}

function basisOf(task: ReceiptTask): readonly FiscalTag[] {
  const { correctionType: type, correctionBaseDate: date, correctionBaseNumber: number } = task;
  if (type === undefined || date === undefined) return [];
  return basisTags(type === "self" ? 0 : 1, date.replaceAll(".", "-"), number);
}

function localTime(text: string): string {
  return text.replaceAll(".", "-").replace(" ", "T");
}

export function operatorTags(operator: { name: string; vatin?: string | undefined } | undefined): readonly FiscalTag[] {
  return textTags([1021, operator?.name], [1203, operator?.vatin]);
}
