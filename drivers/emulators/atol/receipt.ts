/** A receipt task on the fiscal core: all of it, or nothing. */

import type { StoredDocument } from "../memory/documents.js";
import type { FiscalCore } from "../memory/fiscal-core.js";
import type { FiscalTag } from "../memory/fiscal-tag.js";
import { markResult } from "../memory/marking-codes.js";
import type { PaymentInput } from "../memory/receipt-rules.js";
import type { CoreAnswer } from "../memory/refusals.js";
import { fiscalResult } from "./answers.js";
import { type DeviceOutcome, doneWith, failed } from "./commands.js";
import { codeOfRefusal } from "./errors.js";
import { hexOf, type MarkChecker } from "./marking.js";
import { paperRows } from "./paper.js";
import type { Settings } from "./settings.js";
import type { PositionItem, ReceiptTask } from "./task-schemas.js";

export interface ReceiptParts {
  readonly core: FiscalCore;
  readonly settings: Settings;
  readonly marks: MarkChecker;
}

const operations = { sell: "sale", sellReturn: "return", buy: "purchase", buyReturn: "purchase-return" } as const;
const taxSystems = { osn: 1, usnIncome: 2, usnIncomeOutcome: 4, envd: 8, esn: 16, patent: 32 } as const;
const paymentTypes = { cash: 0, electronically: 1, prepaid: 2, credit: 3, other: 4 } as const;
/** Tag 1199 by the task's name for it. */
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
/** Tag 1212 from 1 on. */
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
const FFD_12 = 4;

export function makeReceipt(task: ReceiptTask, parts: ReceiptParts): DeviceOutcome {
  const { core } = parts;
  if (task.operator === undefined) return failed(NO_OPERATOR);
  if (task.electronically && task.clientInfo?.emailOrPhone === undefined) return failed(NO_CONTACT);
  const opened = core.openReceipt({ operation: operations[task.type], operator: 1 });
  if (!opened.ok) return failed(codeOfRefusal(opened.refusal));
  const made = fillReceipt(task, parts);
  if (made.code !== 0) core.cancelReceipt();
  return made;
}

function fillReceipt(task: ReceiptTask, parts: ReceiptParts): DeviceOutcome {
  const { core, settings } = parts;
  for (const item of task.items) {
    if (item.type === "position") {
      const code = addPosition(item, parts);
      if (code !== 0) return failed(code);
    } else if (item.type === "userAttribute") {
      core.addReceiptTag({ tag: 1084, items: [...textTag(1085, item.name), ...textTag(1086, item.value)] });
    } else if (item.type === "additionalAttribute") {
      core.addReceiptTag({ tag: 1192, text: item.value });
    } else core.addReceiptPaper(paperRows(item, core));
  }
  if (task.total !== undefined && task.total !== core.subtotal) return failed(227);
  const closed = core.closeReceipt({
    payments: task.payments.map(
      ({ type, sum }): PaymentInput => ({ typeClose: paymentTypes[type], row: paymentTypes[type] + 1, sum }),
    ),
    taxSystem: task.taxationType === undefined ? null : taxSystems[task.taxationType],
    zeroTotal: "refused",
    paper: !task.electronically,
    tags: receiptTags(task, core, settings),
  });
  return outcomeOfDocument(closed, core);
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
    core.bindMark(mark, markResult(Buffer.from(mark, "hex")));
  }
  return 0;
}

function positionTags(item: PositionItem): readonly FiscalTag[] {
  const { measurementUnit: unit, supplierInfo: supplier, nomenclatureCode: code } = item;
  return [
    ...(item.agentInfo === undefined ? [] : [{ tag: 1222, number: item.agentInfo.bits }, ...agentTags(item.agentInfo)]),
    ...(supplier === undefined
      ? []
      : [
          {
            tag: 1224,
            items: [...textTag(1225, supplier.name), ...supplier.phones.flatMap((phone) => textTag(1171, phone))],
          },
          ...textTag(1226, supplier.vatin),
        ]),
    ...(code === undefined ? [] : [{ tag: 1162, hex: Buffer.from(code, "base64").toString("hex") }]),
    ...(typeof unit === "string" ? textTag(1197, unit) : []),
    ...(typeof unit === "number" && unit !== 0 ? [{ tag: 2108, number: unit }] : []),
    ...textTag(1230, item.countryCode),
    ...textTag(1231, item.customsDeclaration),
    ...textTag(1191, item.additionalAttribute),
    ...(item.exciseSum === undefined ? [] : [{ tag: 1229, number: item.exciseSum }]),
    ...(item.industryInfo ?? []).map(({ fois, date, number, industryAttribute }) => ({
      tag: 1260,
      items: [
        ...textTag(1262, fois),
        ...textTag(1263, date.split(".").reverse().join(".")),
        ...textTag(1264, number),
        ...textTag(1265, industryAttribute),
      ],
    })),
  ];
}

function agentTags(info: NonNullable<PositionItem["agentInfo"]>): readonly FiscalTag[] {
  const { payingAgent: agent, receivePaymentsOperator: receiver, moneyTransferOperator: transfer } = info;
  const phones = (tag: number, list: readonly string[] = []) => list.flatMap((phone) => textTag(tag, phone));
  const items = [
    ...phones(1075, transfer?.phones),
    ...textTag(1044, agent?.operation),
    ...phones(1073, agent?.phones),
    ...phones(1074, receiver?.phones),
    ...textTag(1026, transfer?.name),
    ...textTag(1005, transfer?.address),
    ...textTag(1016, transfer?.vatin),
  ];
  return items.length === 0 ? [] : [{ tag: 1223, items }];
}

function receiptTags(task: ReceiptTask, core: FiscalCore, settings: Settings) {
  const { operator, clientInfo, paymentsPlace, customParameters, operationInfo } = task;
  const internet = customParameters.some(({ id, value }) => id === 1125 && (value === true || value === 1));
  return [
    ...operatorTags(operator),
    ...textTag(1008, clientInfo?.emailOrPhone),
    ...(internet && settings("internet") === "parameter" ? [{ tag: 1125, number: 1 }] : []),
    ...textTag(1187, paymentsPlace),
    ...buyerTags(clientInfo, core.registration.ffd === FFD_12),
    ...(operationInfo === undefined ? [] : [operationTag(operationInfo)]),
  ];
}

function buyerTags(info: ReceiptTask["clientInfo"], inContainer: boolean): readonly FiscalTag[] {
  const items = [
    ...textTag(1227, info?.name),
    ...textTag(1228, info?.vatin),
    ...textTag(1243, info?.birthDate),
    ...textTag(1244, info?.citizenship),
    ...textTag(1245, info?.identityDocumentCode),
    ...textTag(1246, info?.identityDocumentData),
    ...textTag(1254, info?.address),
  ];
  return inContainer && items.length > 0 ? [{ tag: 1256, items }] : items;
}

function operationTag({ id, dateTime, data }: NonNullable<ReceiptTask["operationInfo"]>): FiscalTag {
  const seconds = Date.parse(`${dateTime.slice(0, 10).replaceAll(".", "-")}T${dateTime.slice(11)}Z`) / 1000;
  return {
    tag: 1270,
    items: [
      { tag: 1271, number: id },
      { tag: 1272, text: data },
      { tag: 1273, number: seconds },
    ],
  };
}

export function operatorTags(operator: { name: string; vatin?: string | undefined } | undefined): readonly FiscalTag[] {
  return [...textTag(1021, operator?.name), ...textTag(1203, operator?.vatin)];
}

function textTag(tag: number, text: string | undefined): readonly FiscalTag[] {
  return text === undefined || text === "" ? [] : [{ tag, text }];
}
