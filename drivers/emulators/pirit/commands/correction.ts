/** Command 58: in format 1.05 a whole correction from sums, in format 1.2 only its opening (PIRIT protocol, 6). */
import { type Kopecks, sumKopecks } from "@fiscald/shared/amounts.js";
import { localTimeOf } from "@fiscald/shared/local-time.js";
import type { CoreOperation } from "../../memory/documents.js";
import { basisTags, textTags } from "../../memory/fiscal-tag.js";
import type { PaymentInput } from "../../memory/receipt-rules.js";
import { type CommandRow, command } from "../command-table.js";
import { cashierTags, emptyDocument, type PiritDevice, typeOf } from "../device.js";
import { FFD_12, type Fields } from "../fields.js";
import { badFormat, type Outcome, ok, refuse, wrongState } from "../outcomes.js";

/** Codes of tag 1199 in the order of the fields. */
const rates = [1, 2, 5, 6, 3, 4];
const kinds = [0, 1, 2, 3, 4] as const;
/** Payment row of the stored document, by kind of payment. */
const rows = [1, 2, 14, 15, 16];
const bits = { byOrder: 1, purchase: 2, ratesFollow: 32, isReturn: 64 } as const;
const reasons = { noCashier: 33, documentOpen: 9, date: 39, taxSystem: 43, number: 77 } as const;

export const correctionCommands: readonly CommandRow[] = [
  command({
    code: "58",
    name: ({ core }) => (core.registration.ffd === FFD_12 ? "open-receipt" : "close-receipt"),
    needs: "work",
    ms: 366,
    read: (fields) => ({
      fields,
      operator: fields.text(77),
      payments: kinds.map(() => fields.money()),
      ...basis(fields),
    }),
    run: (device, input) => (device.core.registration.ffd === FFD_12 ? open(device, input) : make(device, input)),
  }),
];

function basis(fields: Fields) {
  return { mask: fields.integer(), date: fields.text(6), number: fields.text(32) };
}

interface Opening extends ReturnType<typeof basis> {
  readonly operator: string;
}

interface Basis {
  readonly operation: CoreOperation;
  readonly taxSystem: number;
  readonly tags: ReturnType<typeof basisTags>;
}

function basisOf(device: PiritDevice, { mask, date, number, operator }: Opening): Basis | Outcome {
  if (device.documentStatus !== 0) return wrongState(reasons.documentOpen);
  if (operator === "") return wrongState(reasons.noCashier);
  const day = dayOf(date);
  if (day === null) return badFormat(reasons.date);
  const isByOrder = (mask & bits.byOrder) !== 0;
  if (isByOrder && number === "") return badFormat(reasons.number);
  const taxSystem = 1 << ((mask >> 2) & 7);
  if ((device.core.registration.taxSystems & taxSystem) === 0) return badFormat(reasons.taxSystem);
  const [plain, back] = (mask & bits.purchase) === 0 ? (["sale", "return"] as const) : purchases;
  const operation = (mask & bits.isReturn) === 0 ? plain : back;
  return { operation, taxSystem, tags: basisTags(isByOrder ? 1 : 0, day, number) };
}

const purchases = ["purchase", "purchase-return"] as const;

/** `ddmmyy` as `2026-07-14`. Null: no such day exists. */
function dayOf(date: string): string | null {
  const [, day, month, year] = /^(\d\d)(\d\d)(\d\d)$/.exec(date) ?? [];
  const time = localTimeOf({ year: 2000 + Number(year), month: Number(month), day: Number(day), hour: 0, minute: 0 });
  return time?.slice(0, 10) ?? null;
}

function open(device: PiritDevice, input: Opening): Outcome {
  const read = basisOf(device, input);
  if (!("operation" in read)) return read;
  const { operation, taxSystem, tags } = read;
  const paper = device.printsDocuments;
  const refusal = paper ? device.printerRefusal : null;
  if (refusal !== null) return refusal;
  const opened = device.core.openReceipt({ operation, operator: 1, document: "correction" });
  if (!opened.ok) return refuse(opened.refusal);
  for (const tag of tags) device.core.addReceiptTag(tag);
  device.setDocument({ ...emptyDocument(typeOf(operation, true)), operator: input.operator, taxSystem, paper });
  return ok();
}

interface Whole extends Opening {
  readonly payments: readonly Kopecks[];
  readonly fields: Fields;
}

function make(device: PiritDevice, input: Whole): Outcome {
  const read = basisOf(device, input);
  if (!("operation" in read)) return read;
  const { operation, taxSystem, tags } = read;
  // Without this bit the first sum would be the number of a tax row, and the register would compute the taxes.
  if ((input.mask & bits.ratesFollow) === 0) return badFormat();
  const { fields } = input;
  const sums = rates.map((vat) => [vat, fields.skip(vat === 1 ? 1 : 0).money()] as const);
  const texts = textTags([1192, fields.text(16)], [1227, fields.text(256)], [1228, fields.text(12)]);
  if (fields.malformed) return badFormat();
  const paper = device.printsDocuments;
  const refusal = paper ? device.printerRefusal : null;
  if (refusal !== null) return refusal;
  const { core } = device;
  const opened = core.openReceipt({ operation, operator: 1, document: "sums" });
  if (!opened.ok) return refuse(opened.refusal);
  for (const tag of [...tags, ...texts]) core.addReceiptTag(tag);
  const payments = input.payments.map((sum, kind): PaymentInput => {
    return { typeClose: kinds[kind] ?? 0, row: rows[kind] ?? 1, sum };
  });
  const made = core.closeSums({
    ...{ total: sumKopecks(input.payments), payments, taxSystem, paper },
    rates: new Map(sums.filter(([, sum]) => sum > 0)),
    tags: cashierTags(input.operator),
  });
  if (!made.ok) core.cancelReceipt();
  return device.afterPrint(made);
}
