/** Corrections of format 1.05: FF35h begins one, FF4Ah, FF77h or FF7Ch (inferred) makes it (Shtrih-M protocol, 8.7). */
import { type Kopecks, kopecks } from "@fiscald/shared/amounts.js";
import type { VatCode } from "@fiscald/shared/receipt/vat.js";
import { operations } from "../../memory/documents.js";
import type { PaymentInput } from "../../memory/receipt-rules.js";
import { integer } from "../bytes.js";
import { type CommandContext, type CommandRow, fail, type Outcome, ok, outcomeOf, refuse } from "../command-table.js";
import { substitutedRate } from "../device.js";
import { makeShiftDocument } from "./shift.js";

/** The maker's "this command is not for the open document". */
const NOT_SUPPORTED = 0x5e;
const WRONG_STATE = 0x02;
const closing = { name: "close-receipt", password: "sys", paper: "document", ms: 366 } as const;

/** Codes of tag 1199 in the order of the fields. */
const ratesOfV2: readonly VatCode[] = [1, 2, 5, 6, 3, 4];
const ratesOfV3: readonly VatCode[] = [...ratesOfV2, 7, 8, 9, 10];
const ratesOfV4: readonly VatCode[] = [...ratesOfV3, 11, 12];

export const correctionCommands: readonly CommandRow[] = [
  {
    ...{ code: 0xff35, name: "begin-correction", password: "sys", modes: [2, 4], paper: "document", ms: 20 },
    run: begin,
  },
  { ...closing, code: 0xff4a, min: 63, max: 63, run: (context) => make(context, ratesOfV2) },
  { ...closing, code: 0xff77, min: 83, max: 83, run: (context) => make(context, ratesOfV3) },
  { ...closing, code: 0xff7c, min: 93, max: 93, run: (context) => make(context, ratesOfV4) },
];

/** A correction's direction comes only later, with the sums. */
function begin({ device, operator }: CommandContext): Outcome {
  if (device.core.shift === "closed") {
    const opened = makeShiftDocument("openShift", { device, operator });
    if (!opened.ok) return refuse(opened.refusal);
  }
  return outcomeOf(device.core.openReceipt({ operation: "sale", operator, document: "sums" }));
}

function make({ device, operator, fields }: CommandContext, rates: readonly VatCode[]): Outcome {
  const { core } = device;
  const type = fields.integer(1);
  const sign = fields.integer(1);
  const total = kopecks(fields.integer(5));
  const payments = ([0, 1, 2, 3, 4] as const).map((typeClose): PaymentInput => {
    return { typeClose, row: typeClose + 1, sum: kopecks(fields.integer(5)) };
  });
  const sums = rates.map((vat) => [vat, kopecks(fields.integer(5))] as const);
  const taxSystem = fields.integer(1);
  if (core.receipt?.document !== "sums") return fail(WRONG_STATE);
  // Operations 2 and 4 (returns) are not for this document; no program here uses operation 3 (purchase).
  if (operations[sign - 1] !== core.receipt.operation) return fail(NOT_SUPPORTED);
  if (type > 1) return fail(0x33);
  const cashier = device.cashierTags(operator).filter(({ tag }) => core.receipt?.tags.every((own) => own.tag !== tag));
  const registered = new Map<number, Kopecks>();
  for (const [vat, sum] of sums) if (sum > 0) registered.set(substitutedRate(device, vat), sum);
  const made = core.closeSums({
    ...{ total, payments, rates: registered },
    taxSystem: taxSystem === 0 ? null : taxSystem,
    paper: device.printsDocuments,
    tags: [{ tag: 1173, number: type }, ...cashier],
  });
  return outcomeOf(made, ({ fd, fiscalSign, receiptNumber }) => {
    device.lastReceiptFd = fd;
    device.forgetReceipt();
    device.documentMade();
    const answer = [integer(receiptNumber ?? 0, 2), integer(fd, 4), integer(fiscalSign, 4)];
    return ok(...answer);
  });
}
