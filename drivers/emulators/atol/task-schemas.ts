/** Schemas of the JSON tasks, written independently of the driver's types. */
import { parseQuantity, parseRoubles } from "@fiscald/shared/amounts.js";
import { readBy } from "@fiscald/shared/exchange/lenient-fields.js";
import { z } from "zod";

const receiptTypes = ["sell", "sellReturn", "buy", "buyReturn"] as const;
const correctionTypes = ["sellCorrection", "sellReturnCorrection", "buyCorrection", "buyReturnCorrection"] as const;
const receipts = new Set<string>([...receiptTypes, ...correctionTypes]);

export function isReceiptTask({ type }: { readonly type: string }): boolean {
  return receipts.has(type);
}

/** A job may have at most one fiscal task. */
export function isFiscalTask(task: { readonly type: string }): boolean {
  return isReceiptTask(task) || task.type === "openShift" || task.type === "closeShift";
}

const roubles = z.number().transform(readBy(parseRoubles, "not a sum in roubles"));
const amount = z.number().transform(readBy(parseQuantity, "not a quantity"));

const operatorSchema = z.object({ name: z.string(), vatin: z.string().optional() });
const alignment = z.enum(["left", "center", "right"]).default("left");

const textItem = z.object({
  type: z.literal("text"),
  text: z.string().default(""),
  alignment: z.literal("left").optional(),
  wrap: z.literal("none").optional(),
  doubleHeight: z.boolean().default(false),
});

/** Only the types of bar codes that the tape can draw, of the fifteen that the service has. */
const barcodeItem = z.object({
  type: z.literal("barcode"),
  barcode: z.string(),
  barcodeType: z.enum(["EAN13", "CODE39", "QR"]),
  alignment,
  height: z.int().optional(),
  scale: z.int().optional(),
  printText: z.boolean().default(false),
});

const pixelsItem = z.object({
  type: z.literal("pixels"),
  pixels: z.base64(),
  width: z.int().min(1).max(2000),
  alignment,
});

const paperItemSchema = z.discriminatedUnion("type", [textItem, barcodeItem, pixelsItem]);
export type PaperItem = z.infer<typeof paperItemSchema>;

const checkResult = z.object({
  imcCheckFlag: z.boolean(),
  imcCheckResult: z.boolean(),
  imcStatusInfo: z.boolean(),
  imcEstimatedStatusCorrect: z.boolean(),
  ecrStandAloneFlag: z.boolean(),
});

export const imcSchema = z.object({
  imcType: z.literal("auto"),
  imc: z.base64(),
  itemEstimatedStatus: z.enum(["itemPieceSold", "itemDryForSale", "itemPieceReturn", "itemDryReturn"]),
  imcModeProcessing: z.literal(0),
  itemQuantity: z.number().positive().optional(),
  itemUnits: z.int().optional(),
  itemInfoCheckResult: checkResult.optional(),
});

export type ImcParams = z.infer<typeof imcSchema>;

const agentBits = [
  "bankPayingAgent",
  "bankPayingSubagent",
  "payingAgent",
  "payingSubagent",
  "attorney",
  "commissionAgent",
  "another",
] as const;

/** Tag 1214 (method), from 1 on. */
const methods = [
  "fullPrepayment",
  "prepayment",
  "advance",
  "fullPayment",
  "partialPayment",
  "credit",
  "creditPayment",
] as const;

const phones = z.array(z.string().max(19));

const positionItem = z.object({
  type: z.literal("position"),
  name: z.string().max(128),
  price: roubles,
  quantity: amount,
  amount: roubles,
  department: z.int().default(0),
  measurementUnit: z.union([z.string(), z.int()]).optional(),
  paymentMethod: z
    .enum(methods)
    .default("fullPayment")
    .transform((name) => methods.indexOf(name) + 1),
  paymentObject: z.union([z.int().min(1).max(33), z.string()]).default(1),
  tax: z.object({ type: z.string() }),
  nomenclatureCode: z.base64().optional(),
  imcParams: imcSchema.optional(),
  agentInfo: z
    .object({
      agents: z.array(z.enum(agentBits)).min(1),
      payingAgent: z.object({ operation: z.string().max(24).optional(), phones: phones.optional() }).optional(),
      receivePaymentsOperator: z.object({ phones }).optional(),
      moneyTransferOperator: z
        .object({
          phones: phones.optional(),
          name: z.string().max(64).optional(),
          address: z.string().max(256).optional(),
          vatin: z.string().optional(),
        })
        .optional(),
    })
    .transform(({ agents, ...data }) => ({
      bits: agents.reduce((bits, agent) => bits | (1 << agentBits.indexOf(agent)), 0),
      ...data,
    }))
    .optional(),
  additionalAttribute: z.string().max(64).optional(),
  exciseSum: roubles.optional(),
  industryInfo: z
    .array(
      z.object({
        fois: z.string().length(3),
        date: z.string().regex(/^\d{4}\.\d\d\.\d\d$/),
        number: z.string().max(32),
        industryAttribute: z.string().max(256),
      }),
    )
    .optional(),
  supplierInfo: z
    .object({ phones: z.array(z.string()).default([]), name: z.string().optional(), vatin: z.string().optional() })
    .optional(),
  countryCode: z.string().optional(),
  customsDeclaration: z.string().optional(),
});
export type PositionItem = z.infer<typeof positionItem>;

const userAttribute = z.object({
  type: z.literal("userAttribute"),
  name: z.string(),
  value: z.string(),
  print: z.boolean().default(true),
});

const additionalAttribute = z.object({ type: z.literal("additionalAttribute"), value: z.string().max(16) });

export const receiptSchema = z.object({
  type: z.enum([...receiptTypes, ...correctionTypes]),
  correctionType: z.enum(["self", "instruction"]).optional(),
  correctionBaseDate: z
    .string()
    .regex(/^\d{4}\.\d\d\.\d\d$/)
    .optional(),
  correctionBaseNumber: z.string().max(32).optional(),
  taxes: z.array(z.object({ type: z.string(), sum: roubles })).default([]),
  taxationType: z.enum(["osn", "usnIncome", "usnIncomeOutcome", "envd", "esn", "patent"]).optional(),
  electronically: z.boolean().default(false),
  operator: operatorSchema.optional(),
  clientInfo: z
    .object({
      emailOrPhone: z.string().optional(),
      name: z.string().max(256).optional(),
      vatin: z.string().max(12).optional(),
      birthDate: z.string().optional(),
      citizenship: z.string().optional(),
      identityDocumentCode: z.string().optional(),
      identityDocumentData: z.string().optional(),
      address: z.string().optional(),
    })
    .optional(),
  operationInfo: z
    .object({ id: z.int(), dateTime: z.string().regex(/^\d{4}\.\d\d\.\d\d \d\d:\d\d:\d\d$/), data: z.string().max(64) })
    .optional(),
  paymentsPlace: z.string().optional(),
  items: z
    .array(z.discriminatedUnion("type", [positionItem, userAttribute, additionalAttribute, ...paperItemSchema.options]))
    .default([]),
  payments: z.array(z.object({ type: z.enum(["cash", "electronically", "prepaid", "credit", "other"]), sum: roubles })),
  total: roubles.optional(),
  customParameters: z.array(z.object({ id: z.int(), value: z.unknown() })).default([]),
});
export type ReceiptTask = z.infer<typeof receiptSchema>;

export const shiftSchema = z.object({
  operator: operatorSchema.optional(),
  electronically: z.boolean().default(false),
});
export const cashSchema = z.object({ cashSum: roubles });
export const nonFiscalSchema = z.object({ items: z.array(paperItemSchema), printFooter: z.boolean().default(false) });
export const fnDocumentSchema = z.object({ fiscalDocumentNumber: z.int().min(1) });
export const dateTimeSchema = z.object({ dateTime: z.string().regex(/^\d{4}\.\d{2}\.\d{2} \d{2}:\d{2}:\d{2}$/) });
