/** Whatever a site's developer passes to the builders, the daemon reads the same receipt from the JSON. */

import { formatQuantity, formatRoubles, kopecks, multiply } from "@fiscald/shared/amounts.js";
import type { WireTextParam } from "@fiscald/shared/exchange/task-table.js";
import { readOrder } from "@fiscald/shared/receipt/formats/read-order.js";
import {
  type ItemLine,
  ownPropertyOf,
  type PaperLine,
  type SaleReceipt,
  type TextStyle,
} from "@fiscald/shared/receipt/receipt.js";
import { rateOfTaxId } from "@fiscald/shared/receipt/vat.js";
import fc from "fast-check";
import type { ItemInput, TaxRate } from "#handlers/receipts/item-input.js";
import { onlineReceipt } from "#handlers/receipts/online-receipt-builder.js";
import type { ReceiptInput } from "#handlers/receipts/receipt-input.js";
import { type ReceiptTableBuilder, taskTable } from "#handlers/receipts/task-table-builder.js";
import { anyOnlineReceipt, anyTableReceipt } from "../../support/receipt-arbitrary.js";

const alignments = { left: "Left", center: "Center", right: "Right" } as const;
const symbologies = { ean13: "EAN13", code39: "Code39", qr: "QR" } as const;

/** A developer leaves out what is null. */
function given<K extends string, V>(key: K, value: V | null): Partial<Record<K, V>> {
  const entry: Partial<Record<K, V>> = {};
  if (value !== null) entry[key] = value;
  return entry;
}

function bytesOf(base64: string | null): Uint8Array | null {
  return base64 === null ? null : Uint8Array.from(Buffer.from(base64, "base64"));
}

function itemInput(item: ItemLine): ItemInput {
  const off = kopecks(multiply(item.price, item.quantity) - item.total);
  const { agent } = item;
  const industry = item.requisites?.industry;
  return {
    name: item.name,
    price: formatRoubles(item.price),
    quantity: formatQuantity(item.quantity),
    ...(off === 0 ? {} : { discount: { roubles: formatRoubles(off) } }),
    department: item.department,
    subject: item.subject,
    method: item.method,
    measure: item.measure,
    ...given("tax", taxInput(item.tax)),
    ...given("unit", item.unit),
    ...given("goodsCode", bytesOf(item.goodsCode)),
    ...given("markingCode", bytesOf(item.markingCode)),
    ...given("countryCode", item.countryCode),
    ...given("customsDeclaration", item.customsDeclaration),
    ...given("additionalProps", item.requisites?.additional ?? null),
    ...given("excise", item.requisites?.excise === undefined ? null : formatRoubles(item.requisites.excise)),
    ...given("industryProps", industry === undefined ? null : { federal_id: industry.authority, ...industry }),
    ...given(
      "agent",
      agent === null
        ? null
        : {
            type: agent.type,
            supplierPhones: agent.supplierPhones,
            ...given("supplierName", agent.supplierName),
            ...given("supplierInn", agent.supplierInn),
            ...given("data", agent.data ?? null),
          },
    ),
  };
}

const rateNames: Readonly<Record<number, TaxRate>> = {
  2: "10 %",
  4: "10/110",
  5: "0 %",
  6: "none",
  7: "5 %",
  8: "7 %",
  9: "5/105",
  10: "7/107",
  11: "22 %",
  12: "22/122",
};

function taxInput(tax: number | null): TaxRate | number | null {
  const rate = rateOfTaxId(tax);
  return rate === null ? tax : (rateNames[rate] ?? null);
}

function receiptInput(receipt: SaleReceipt): ReceiptInput {
  const { cashier } = receipt;
  return {
    orderId: receipt.orderId,
    ...given("receiptId", receipt.receiptId),
    ...given("kkm", receipt.kkm),
    ...given("contact", receipt.contact),
    ...given("internetUrl", receipt.internet?.url ?? null),
    ...given("settlementPlace", receipt.settlementPlace),
    ...given("inn", receipt.expectedInn),
    ...given("taxSystem", receipt.taxSystem),
    ...given("buyer", receipt.requisites?.buyer ?? null),
    ...given("additionalCheckProps", receipt.requisites?.additional ?? null),
    ...given("additionalUserProps", ownPropertyOf(receipt)),
    electronicOnly: !receipt.printDoc,
    ...given("cashier", cashier === null ? null : { name: cashier.name, ...given("inn", cashier.inn) }),
  };
}

function textParam(style: TextStyle): WireTextParam {
  const { doubleHeight, underline, overline, rotation, maxLineSpacing, alignment, ...rest } = style;
  return {
    ...rest,
    dblHeight: doubleHeight,
    underLine: underline,
    overLine: overline,
    charRotation: rotation,
    lineSpacingMax: maxLineSpacing,
    alignment: alignments[alignment],
  };
}

function addPaper(builder: ReceiptTableBuilder, line: PaperLine): ReceiptTableBuilder {
  switch (line.type) {
    case "text":
      if (line.content.kind === "trait") return builder.trait();
      if (line.content.kind === "dash") return builder.dash();
      return builder.text(line.content.text, textParam(line.style));
    case "barcode": {
      const { data, heightMm, printText, alignment } = line;
      const type = symbologies[line.symbology];
      return builder.barcode({ type, data, heightMm, printText, alignment: alignments[alignment] });
    }
    case "image":
      return builder.image(line.source, { alignment: alignments[line.alignment] });
    default:
      return builder[line.type]();
  }
}

/** Builders set neither the style of a full-width line nor a printed sum. */
function asBuilt(receipt: SaleReceipt): SaleReceipt {
  return {
    ...receipt,
    lines: receipt.lines.map((line) => {
      if (line.type === "item") return { ...line, printSum: false };
      if (line.type !== "text" || line.content.kind === "text") return line;
      return { ...line, style: expect.anything() };
    }),
  };
}

function readBack(body: object): unknown {
  const answer = readOrder(JSON.stringify(body), { format: "auto" });
  return answer.kind === "receipt" ? answer.receipt : answer;
}

describe("receipts that are built, written as JSON and read by the daemon", () => {
  test("any receipt built in the task-table format is read back by the daemon as the same receipt", () => {
    fc.assert(
      fc.property(anyTableReceipt, (receipt) => {
        const { operation, cancelFirst } = receipt;
        const builder = taskTable[operation]({ ...receiptInput(receipt), cancelFirst });
        for (const line of receipt.lines) {
          if (line.type === "item") builder.item(itemInput(line));
          else addPaper(builder, line);
        }
        for (const { typeClose, sum } of receipt.payments) builder.payment(typeClose, formatRoubles(sum));
        expect(readBack(builder.build())).toEqual(asBuilt(receipt));
      }),
    );
  });

  test("any receipt built in the online format is read back by the daemon as the same receipt", () => {
    fc.assert(
      fc.property(anyOnlineReceipt, (receipt) => {
        const builder = onlineReceipt[receipt.operation]({
          ...receiptInput(receipt),
          timestamp: "20.11.2026 14:05:00",
        });
        for (const line of receipt.lines) if (line.type === "item") builder.item(itemInput(line));
        for (const { typeClose, sum } of receipt.payments) builder.payment(typeClose, formatRoubles(sum));
        expect(readBack(builder.build())).toEqual(asBuilt(receipt));
      }),
    );
  });
});
