/** The register's answers through the print service, checked and in this driver's own terms. */
import { parseRoubles } from "@fiscald/shared/amounts.js";
import { readBy } from "@fiscald/shared/exchange/lenient-fields.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toFnSerial, toInn, toKkm } from "@fiscald/shared/ids.js";
import { parseLocalTime } from "@fiscald/shared/local-time.js";
import { z } from "zod";
import type { DrawerTotals, RequestDocument } from "../../fiscal-driver.js";

export const roublesAnswered = z
  .union([z.number(), z.string()])
  .transform(readBy(parseRoubles, "not a sum in roubles"));

/** A time in ISO 8601: the part before the offset is the register's local time. */
export const placeTime = z
  .string()
  .transform(readBy((text: string) => parseLocalTime(text.slice(0, 19)), "not a time"));

/** The fiscal sign: a text, or a number where the service has lost the leading zeros. */
export const fiscalSign = z
  .union([z.string().regex(/^\d{1,10}$/), z.int().min(0)])
  .transform((sign) => String(sign).padStart(10, "0"));

const shiftWord = z.enum(["closed", "opened", "expired"]).transform((word) => (word === "opened" ? "open" : word));
const fnWarnings = z.object({
  memoryOverflow: z.boolean().default(false),
  needReplacement: z.boolean().default(false),
  ofdTimeout: z.boolean().default(false),
  resourceExhausted: z.boolean().default(false),
  criticalError: z.boolean().default(false),
});
const countSum = z.object({ count: z.int().default(0), sum: roublesAnswered });

export const fnStatusSchema = z.object({ fnStatus: z.object({ fiscalDocumentNumber: z.int().min(0) }) });

const shapes = {
  getDeviceInfo: z.object({
    deviceInfo: z.object({
      modelName: z.string(),
      serial: z.string(),
      firmwareVersion: z.string(),
      receiptLineLength: z.int().min(16).max(120),
      receiptLineLengthPix: z.int().nullish(),
      ffdVersion: z.string().nullish(),
    }),
  }),
  getRegistrationInfo: z.object({
    organization: z.object({ vatin: z.string().transform(toInn), taxationTypes: z.array(z.string()) }),
    device: z.object({
      registrationNumber: z.string().transform(toKkm),
      ffdVersion: z.string().nullish(),
      internet: z.boolean().nullish(),
    }),
  }),
  getFnInfo: z.object({
    fnInfo: z.object({
      serial: z.string().transform(toFnSerial),
      validityDate: placeTime.nullish().catch(null),
      livePhase: z.string().nullish().catch(null),
      warnings: fnWarnings.nullish(),
    }),
  }),
  getFnStatus: fnStatusSchema,
  getDeviceStatus: z.object({
    deviceStatus: z.object({
      currentDateTime: placeTime,
      shift: shiftWord,
      coverOpened: z.boolean(),
      paperPresent: z.boolean(),
      fnPresent: z.boolean().default(true),
      blocked: z.boolean().default(false),
    }),
  }),
  getShiftStatus: z.object({
    shiftStatus: z.object({ state: shiftWord, number: z.int(), expiredTime: placeTime.nullish().catch(null) }),
  }),
  getShiftTotals: z.object({
    shiftTotals: z.object({
      shiftNumber: z.int(),
      cashDrawer: z.object({ sum: roublesAnswered }),
      income: countSum,
      outcome: countSum,
      receipts: z.object({ sell: countSum, sellReturn: countSum }),
    }),
  }),
  ofdExchangeStatus: z.object({
    status: z.object({ notSentCount: z.int(), notSentFirstDocDateTime: placeTime.nullish().catch(null) }),
  }),
};
export type QueryType = keyof typeof shapes;
type Answers = { readonly [Type in QueryType]: z.output<(typeof shapes)[Type]> };
export type Answer<Type extends QueryType> = Answers[Type];
const questions: { readonly [Type in QueryType]: z.ZodType<Answers[Type]> } = shapes;

export function answerTo<Type extends QueryType>(type: Type, answer: unknown): Answer<Type> {
  return parseAnswer(type, questions[type], answer);
}

export function drawerOf(totals: Answer<"getShiftTotals">["shiftTotals"]): DrawerTotals {
  return { cash: totals.cashDrawer.sum, cashIn: totals.income.sum, cashOut: totals.outcome.sum };
}

export const fiscalResultSchema = z.object({
  fiscalParams: z.object({
    fiscalDocumentNumber: z.int().min(1),
    fiscalDocumentSign: fiscalSign,
    fiscalDocumentDateTime: placeTime,
    fiscalReceiptNumber: z.int().nullish(),
    shiftNumber: z.int(),
    fnNumber: z.string().transform(toFnSerial),
    total: roublesAnswered.nullish(),
  }),
  warnings: z.object({ notPrinted: z.boolean().nullish() }).nullish(),
});
export type FiscalParams = z.infer<typeof fiscalResultSchema>["fiscalParams"];

export function documentOf({ fiscalParams }: { readonly fiscalParams: FiscalParams }): RequestDocument {
  return {
    fn: fiscalParams.fnNumber,
    fd: fiscalParams.fiscalDocumentNumber,
    fiscalSign: fiscalParams.fiscalDocumentSign,
    shift: fiscalParams.shiftNumber,
    receiptNumber: fiscalParams.fiscalReceiptNumber ?? null,
    time: fiscalParams.fiscalDocumentDateTime,
    total: fiscalParams.total ?? null,
  };
}

/** Fault `link.foreign` when the answer has another shape. */
export function parseAnswer<Value>(what: string, schema: z.ZodType<Value>, answer: unknown): Value {
  const checked = schema.safeParse(answer);
  if (checked.success) return checked.data;
  throw new Fault("link.foreign", {
    message: `not a print service's answer to ${what}: ${z.prettifyError(checked.error)}`,
  });
}
