import { kopecks, quantity } from "@fiscald/shared/amounts.js";
import { toInn, toKkm, toOrderId, toReceiptId } from "@fiscald/shared/ids.js";
import { parseLocalTime } from "@fiscald/shared/local-time.js";
import type { Receipt, SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { z } from "zod";

/** Schema of the receipt in a job row, which checks types only because the rules were checked at acceptance. */
const money = z.int().transform(kopecks);
const inn = z.string().transform(toInn);
const text = z.string().nullable();
/** The type of requisites that most orders lack. */
const some = z.string().exactOptional();
const phones = z.array(z.string()).exactOptional();
const localTime = z.string().transform((value, context) => {
  const time = parseLocalTime(value);
  if (time !== null) return time;
  context.addIssue({ code: "custom", message: "is no local time" });
  return z.NEVER;
});

const style = z.object({
  font: z.literal([0, 1, 2, 3]),
  bold: z.boolean(),
  italic: z.boolean(),
  doubleHeight: z.boolean(),
  underline: z.boolean(),
  overline: z.boolean(),
  negative: z.boolean(),
  rotation: z.literal([0, 1, 2, 3]),
  wrap: z.boolean(),
  alignment: z.enum(["left", "center", "right"]),
  newLine: z.boolean(),
  maxLineSpacing: z.boolean(),
});

const paperLines = [
  z.object({
    type: z.literal("text"),
    content: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("text"), text: z.string() }),
      z.object({ kind: z.literal("trait") }),
      z.object({ kind: z.literal("dash") }),
    ]),
    style,
  }),
  z.object({
    type: z.literal("barcode"),
    symbology: z.enum(["ean13", "code39", "qr"]),
    data: z.string(),
    heightMm: z.number(),
    printText: z.boolean(),
    alignment: style.shape.alignment,
  }),
  z.object({ type: z.literal("image"), source: z.string(), alignment: style.shape.alignment }),
  z.object({ type: z.enum(["header", "footer", "cut"]) }),
] as const;

const item = z.object({
  type: z.literal("item"),
  name: z.string(),
  price: money,
  quantity: z.int().transform(quantity),
  total: money,
  tax: z.int().nullable(),
  department: z.int(),
  subject: z.int(),
  method: z.int(),
  unit: text,
  measure: z.int(),
  agent: z
    .object({
      type: z.int(),
      supplierName: text,
      supplierPhones: z.array(z.string()),
      supplierInn: inn.nullable(),
      data: z
        .object({
          operation: some,
          agentPhones: phones,
          operatorPhones: phones,
          transferPhones: phones,
          transferName: some,
          transferAddress: some,
          transferInn: inn.exactOptional(),
        })
        .exactOptional(),
    })
    .nullable(),
  goodsCode: text,
  markingCode: text,
  countryCode: text,
  customsDeclaration: text,
  printSum: z.boolean(),
  requisites: z
    .object({
      additional: some,
      excise: money.exactOptional(),
      industry: z
        .object({ authority: z.string(), date: z.string(), number: z.string(), value: z.string() })
        .exactOptional(),
    })
    .exactOptional(),
});

const jobBase = {
  receiptId: z.string().transform(toReceiptId).nullable(),
  kkm: z.string().transform(toKkm).nullable(),
  format: z.enum(["task-table", "online"]),
  cancelFirst: z.boolean(),
};
const orderId = z.string().transform(toOrderId);
const isSo = z.literal(true).exactOptional();
const ofDay = { date: z.string(), rateConfirmed: isSo, ofOrder: isSo };

export const storedReceiptSchema: z.ZodType<Receipt, unknown> = z.discriminatedUnion("kind", [
  z.object({
    ...jobBase,
    kind: z.literal("receipt"),
    orderId,
    operation: z.enum(["sale", "return"]),
    lines: z.array(z.discriminatedUnion("type", [item, ...paperLines])),
    payments: z.array(z.object({ typeClose: z.int(), sum: money })),
    contact: text,
    printDoc: z.boolean(),
    internet: z.object({ url: z.string() }).nullable(),
    settlementPlace: text,
    cashier: z.object({ name: z.string(), inn: inn.nullable() }).nullable(),
    taxSystem: z.literal([1, 2, 4, 8, 16, 32]).nullable(),
    expectedInn: inn.nullable(),
    cancelledByOrder: z.boolean(),
    requisites: z
      .object({
        buyer: z
          .object({
            name: some,
            inn: inn.exactOptional(),
            birthDate: some,
            citizenship: some,
            documentCode: some,
            documentData: some,
            address: some,
          })
          .exactOptional(),
        additional: some,
        operating: z.object({ id: z.string(), data: z.string(), time: localTime }).exactOptional(),
        userProperty: z.object({ name: z.string(), value: z.string() }).exactOptional(),
      })
      .exactOptional(),
    paidAt: z.int().exactOptional(),
    settledOn: some,
    correction: z
      .discriminatedUnion("type", [
        z.object({ type: z.literal("self"), ...ofDay }),
        z.object({ type: z.literal("instruction"), number: z.string(), ...ofDay }),
      ])
      .exactOptional(),
    // A field that the schema lacks would be lost at the next start, and a correction might be printed as a sale.
  } satisfies Readonly<Record<keyof SaleReceipt, unknown>>),
  z.object({
    ...jobBase,
    kind: z.literal("service"),
    orderId: orderId.nullable(),
    lines: z.array(
      z.discriminatedUnion("type", [
        z.object({ type: z.literal("cash"), direction: z.enum(["in", "out"]), sum: money }),
        z.object({ type: z.literal("report"), report: z.enum(["z", "x", "sections", "cashiers", "hours"]) }),
        z.object({ type: z.literal("sync-time") }),
        ...paperLines,
      ]),
    ),
  }),
]);
