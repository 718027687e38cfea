/** Opening, closing and cancelling documents: commands 30 to 34, 48 and 54. */
import { kopecks } from "@fiscald/shared/amounts.js";
import { partsOf } from "@fiscald/shared/local-time.js";
import type { PaperRow } from "@fiscald/shared/paper/layout.js";
import type { StoredDocument } from "../../memory/documents.js";
import { buyerTags, containerTag, type FiscalTag, signText, textTags } from "../../memory/fiscal-tag.js";
import type { PaymentInput } from "../../memory/receipt-rules.js";
import { centredRow } from "../../paper/tape.js";
import { type CommandRow, command, nothing } from "../command-table.js";
import {
  cashierTags,
  documentTypes,
  emptyDocument,
  isReceipt,
  type OpenDocument,
  operationOf,
  type PiritDevice,
} from "../device.js";
import { dateField, dottedDate, type Fields, timeField } from "../fields.js";
import { badFormat, type Outcome, ok, refuse, wrongState } from "../outcomes.js";

const CLOSING_MS = 366;
const NO_PAPER = 0x80;
const PAID = 4;

export const documentCommands: readonly CommandRow[] = [
  command({
    code: "30",
    name: (_, fields) => (operationOf(fields.integer() & 0x0f) === null ? "open-document" : "open-receipt"),
    needs: "work",
    ms: 20,
    read: readOpening,
    run: openDocument,
  }),
  command({ code: "31", name: closingName, needs: "work", ms: CLOSING_MS, read: readClosing, run: closeDocument }),
  command({ code: "32", name: "cancel-receipt", needs: "work", ms: 50, read: nothing, run: cancelDocument }),
  command({
    code: "34",
    name: "cut",
    needs: "print",
    ms: 50,
    read: nothing,
    run: (device) => {
      if (device.document !== null) return wrongState(9);
      device.core.printRows([{ type: "cut" }, centredRow(device.core.registration.user, device.core.tape.columns)]);
      return ok();
    },
  }),
  command({
    code: "48",
    name: "cash-sum",
    needs: "print",
    read: (fields) => ({ banknote: fields.text(40), sum: fields.money() }),
    run: (device, { sum }) => {
      const { document } = device;
      if (document === null) return wrongState(8);
      if (!isCash(document)) return wrongState(17);
      if (sum <= 0) return badFormat(56);
      device.changeDocument({ cash: kopecks(document.cash + sum) });
      return ok();
    },
  }),
];

function readOpening(fields: Fields) {
  return {
    mode: fields.integer(),
    department: fields.integer(),
    operator: fields.text(77),
    number: fields.integer(),
    taxSystem: fields.text(),
  };
}

function openDocument(device: PiritDevice, input: ReturnType<typeof readOpening>): Outcome {
  const { mode, department, operator } = input;
  const type = mode & 0x0f;
  const paper = (mode & NO_PAPER) === 0 && device.printsDocuments;
  if (device.documentStatus !== 0) return wrongState(9);
  const refusal = paper ? device.printerRefusal : null;
  if (refusal !== null) return refusal;
  if (type < 1 || type > 7) return badFormat(40);
  if (department < 1 || department > 99) return badFormat(41);
  if (operator === "" && type !== documentTypes.service) return wrongState(33);
  const taxSystem = taxSystemBit(input.taxSystem);
  if (taxSystem === undefined) return badFormat(43);
  const operation = operationOf(type);
  if (operation !== null) {
    if (taxSystem !== null && (device.core.registration.taxSystems & taxSystem) === 0) return badFormat(43);
    const opened = device.core.openReceipt({ operation, operator: 1 });
    if (!opened.ok) return refuse(opened.refusal);
  }
  device.setDocument({ ...emptyDocument(type), department, operator, taxSystem, paper });
  return ok();
}

/** Null: the command names no tax system. Undefined: the text is none of 0 to 5. */
function taxSystemBit(text: string): number | null | undefined {
  if (text === "") return null;
  return /^[0-5]$/.test(text) ? 1 << Number(text) : undefined;
}

function isCash({ type }: OpenDocument): boolean {
  return type === documentTypes.cashIn || type === documentTypes.cashOut;
}

function closingName({ document, haltedDocument }: PiritDevice): string {
  if (isReceipt(haltedDocument)) return "finish-print";
  if (document === null || operationOf(document.type) !== null) return "close-receipt";
  if (document.type === documentTypes.cashIn) return "cash-in";
  return document.type === documentTypes.cashOut ? "cash-out" : "close-document";
}

function readClosing(fields: Fields) {
  const head = { cut: fields.integer(), contact: fields.text(64), flags: fields.integer() };
  return {
    ...head,
    texts: textTags([1008, head.contact], [1187, fields.text(256)], [1117, fields.text(64)], [1036, fields.text(20)]),
    requisite: { name: fields.text(64), value: fields.text(256) },
    buyer: textTags(
      ...([
        [1227, fields.text(256)],
        [1228, fields.text(12)],
        [1243, dottedDate(fields.text(8))],
      ] as const),
      ...([
        [1244, fields.text(3)],
        [1245, fields.text(2)],
        [1246, fields.text(64)],
        [1254, fields.text(256)],
      ] as const),
    ),
  };
}

function closeDocument(device: PiritDevice, input: ReturnType<typeof readClosing>): Outcome {
  const halted = device.haltedDocument;
  if (isReceipt(halted)) return device.afterPrint(device.core.continuePrint(), () => receiptAnswer(device, halted));
  const { document } = device;
  if (document === null) return wrongState(8);
  if (document.type === documentTypes.service) return closeService(device, input.cut);
  if (isCash(document)) return closeCash(device, document);
  if (document.state !== PAID) return wrongState(14);
  return closeReceipt(device, document, input);
}

function closeService(device: PiritDevice, cut: number): Outcome {
  const refusal = device.printerRefusal;
  if (refusal !== null) return refusal;
  const rest: PaperRow[] = cut === 1 ? [] : [{ type: "cut" }];
  return device.afterPrint(device.core.printSlip(rest), (number) => ended(device, number));
}

function closeCash(device: PiritDevice, { type, cash }: OpenDocument): Outcome {
  const refusal = device.printerRefusal;
  if (refusal !== null) return refusal;
  if (cash === 0) return wrongState(26);
  const moved = device.core.moveCash(type === documentTypes.cashIn ? "in" : "out", cash);
  return device.afterPrint(moved, (number) => ended(device, number));
}

function ended(device: PiritDevice, number: number): Outcome {
  device.endDocument();
  return ok(number, number);
}

function closeReceipt(device: PiritDevice, document: OpenDocument, input: ReturnType<typeof readClosing>): Outcome {
  const { core } = device;
  const refusal = document.paper ? device.printerRefusal : null;
  if (refusal !== null) return refusal;
  const closed = core.closeReceipt({
    payments: document.payments.map(({ type, sum }) => paymentInput(type, sum)),
    taxSystem: document.taxSystem ?? lowestBit(core.registration.taxSystems),
    zeroTotal: "refused",
    paper: document.paper,
    tags: [...cashierTags(document.operator), ...closingTags(device, input)],
  });
  return device.afterPrint(closed, (receipt) => {
    device.endDocument();
    return receiptAnswer(device, receipt);
  });
}

function closingTags({ settings, core }: PiritDevice, input: ReturnType<typeof readClosing>): readonly FiscalTag[] {
  const { requisite, flags, buyer } = input;
  const internetBit = settings["internet-flag"] === "none" ? 0 : Number(settings["internet-flag"]);
  const keepsPlace = settings["place-of-settlement"] === "kept";
  return [
    ...input.texts.filter(({ tag }) => tag !== 1187 || keepsPlace),
    ...((flags & internetBit) === 0 ? [] : [{ tag: 1125, number: 1 }]),
    ...(requisite.value === "" ? [] : containerTag(1084, textTags([1085, requisite.name], [1086, requisite.value]))),
    ...buyerTags(buyer, core.registration.ffd),
  ];
}

function paymentInput(type: number, sum: PaymentInput["sum"]): PaymentInput {
  const typeClose = type === 0 ? 0 : type === 13 ? 2 : type === 14 ? 3 : type === 15 ? 4 : 1;
  return { typeClose, row: type + 1, sum };
}

function lowestBit(mask: number): number {
  return mask & -mask;
}

function receiptAnswer({ core, settings }: PiritDevice, document: StoredDocument): Outcome {
  const { fd, fiscalSign, shift, receiptNumber, time } = document;
  const date = dateField(time);
  const longDate = `${date.slice(0, 4)}${partsOf(time).year}`;
  return ok(
    core.through,
    core.through,
    `${fd} ${signText(fiscalSign)}`,
    fd,
    fiscalSign,
    shift,
    receiptNumber ?? 0,
    settings["close-date"] === "8" ? longDate : date,
    timeField(time),
  );
}

function cancelDocument(device: PiritDevice): Outcome {
  if (isReceipt(device.haltedDocument)) return wrongState(15);
  const { document } = device;
  if (document === null) return wrongState(8);
  if (document.state === PAID && device.settings["cancel-when-paid"] === "refused") return wrongState(13);
  if (device.core.receipt !== null) device.core.cancelReceipt();
  device.endDocument();
  return ok();
}
