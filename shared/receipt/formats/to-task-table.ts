/** Reading the written table back gives the same receipt. */
import { kopecks, toQuantityNumber, toRoublesNumber } from "../../amounts.js";
import { reportNumbers, type TaskTableAnswer, type WireLine, type WireParam } from "../../exchange/task-table.js";
import { Fault } from "../../fault.js";
import {
  type Alignment,
  type BarcodeLine,
  givenFields,
  type ItemLine,
  type Line,
  plainStyle,
  type Receipt,
  type SaleReceipt,
  signOf,
  type TextLine,
  type TextStyle,
} from "../receipt.js";
import { grossOf } from "./item-line.js";
import { openings } from "./table-frame.js";
import { wireItemExtensions, wireJobHead, wireReceiptHead } from "./to-wire.js";

export function toTaskTable(receipt: Receipt): TaskTableAnswer {
  const head = {
    ...wireJobHead(receipt),
    ...(receipt.orderId === null ? {} : { orderId: receipt.orderId }),
    ...(receipt.kind === "receipt" ? wireReceiptHead(receipt) : {}),
  };
  const cancel: readonly WireLine[] = receipt.cancelFirst ? [{ type: "CancelCheck" }] : [];
  const lines =
    receipt.kind === "receipt" ? framedLines(receipt) : receipt.lines.map((line) => wireLine(line, "Registration"));
  return { response: { ...head, taskTable: [...cancel, ...lines] } };
}

function framedLines(receipt: SaleReceipt): readonly WireLine[] {
  const isSale = receipt.operation === "sale";
  const contact: readonly WireLine[] =
    receipt.contact === null && receipt.printDoc
      ? []
      : [
          {
            type: "ClientContact",
            data: receipt.contact ?? "",
            ...(receipt.printDoc ? {} : { param: { printDoc: false } }),
          },
        ];
  return [
    { type: openings[signOf(receipt)] },
    ...contact,
    ...receipt.lines.map((line) => wireLine(line, isSale ? "Registration" : "Return")),
    ...receipt.payments.map(
      ({ typeClose, sum }): WireLine => ({ type: "Payment", param: { summ: toRoublesNumber(sum), typeClose } }),
    ),
    { type: receipt.cancelledByOrder ? "CancelCheck" : "CloseCheck" },
  ];
}

function wireLine(line: Line, itemType: "Registration" | "Return"): WireLine {
  switch (line.type) {
    case "item":
      return { type: itemType, data: line.name, param: itemParam(line) };
    case "text":
      return withParam({ type: "String", data: textData(line) }, textParam(line.style));
    case "barcode":
      return withParam({ type: "BarCode", data: line.data }, barcodeParam(line));
    case "image":
      return withParam(
        { type: "Image", data: line.source },
        givenFields({ alignment: alignmentParam(line.alignment) }),
      );
    case "header":
      return { type: "PrintHeader" };
    case "footer":
      return { type: "PrintFooter" };
    case "cut":
      return { type: "Cut" };
    case "cash":
      return {
        type: line.direction === "in" ? "CashIncome" : "CashOutcome",
        param: { summ: toRoublesNumber(line.sum) },
      };
    case "report":
      return { type: "Report", param: { reportType: reportNumbers[line.report] } };
    case "sync-time":
      return { type: "SyncTime" };
  }
}

function withParam(line: WireLine, param: WireParam): WireLine {
  return Object.keys(param).length === 0 ? line : { ...line, param };
}

function itemParam(item: ItemLine): WireParam {
  const gross = grossOf(item.price, item.quantity);
  if (gross === null) throw new Fault("order.wrong-value", { message: `the line "${item.name}" is too large` });
  const discount = kopecks(gross - item.total);
  return {
    price: toRoublesNumber(item.price),
    quantity: toQuantityNumber(item.quantity),
    ...(discount === 0 ? {} : { discountType: 0, discountValue: toRoublesNumber(discount) }),
    ...wireItemExtensions(item),
    ...(item.printSum ? { enableCheckSumm: true } : {}),
  };
}

function textData({ content }: TextLine): string {
  if (content.kind === "text") return content.text;
  return content.kind === "trait" ? "Trait" : "Dash";
}

const spelling = { left: "Left", center: "Center", right: "Right" } as const satisfies Record<Alignment, string>;
const barcodeTypes = { ean13: "EAN13", code39: "Code39", qr: "QR" } as const;

function alignmentParam(alignment: Alignment): WireParam["alignment"] {
  return alignment === "left" ? undefined : spelling[alignment];
}

function barcodeParam({ symbology, heightMm, printText, alignment }: BarcodeLine): WireParam {
  return givenFields({
    barCodeType: symbology === "ean13" ? undefined : barcodeTypes[symbology],
    barCodeHeight: heightMm === 50 ? undefined : heightMm,
    barCodePrintText: printText || undefined,
    alignment: alignmentParam(alignment),
  });
}

function textParam(style: TextStyle): WireParam {
  const own = <Name extends keyof TextStyle>(name: Name) =>
    style[name] === plainStyle[name] ? undefined : style[name];
  return givenFields({
    ...{ font: own("font"), bold: own("bold"), italic: own("italic"), dblHeight: own("doubleHeight") },
    ...{ underLine: own("underline"), overLine: own("overline"), negative: own("negative") },
    ...{ charRotation: own("rotation"), wrap: own("wrap"), alignment: alignmentParam(style.alignment) },
    ...{ newLine: own("newLine"), lineSpacingMax: own("maxLineSpacing") },
  });
}
