/** Requests of the couriers' application. */
import { formatRoubles } from "@fiscald/shared/amounts.js";
import { z } from "zod";
import {
  coordinateIn,
  countIn,
  idIn,
  lineOf,
  moneyIn,
  nullIfAbsent,
  numberIn,
  optionalIn,
  piecesIn,
  resourceIdIn,
  textIn,
  timeIn,
} from "../http/wire-types.js";
import { toKopecks } from "../orders/rules.js";
import { deliveryStatusIn, maskCard, paymentIn } from "../orders/schema.js";
import { orderOut } from "../orders/view-schema.js";

/** Names the order. `resourceId` only where a courier of the cabinet carries two orders with one id. */
const pointer = {
  orderId: idIn,
  resourceId: resourceIdIn.optional(),
  isRefund: z.boolean().optional(),
};

/** Names a position of an order: by its good, or by its number where it has no good. */
const itemPointer = { goodId: optionalIn(idIn), position: optionalIn(numberIn) };

interface NamedItem {
  readonly goodId?: string | null | undefined;
  readonly position?: number | null | undefined;
}

/** A list of positions, each with its good or its number. */
function positionsOf<Item extends z.ZodType<NamedItem>>(item: Item) {
  const isNamed = ({ goodId, position }: NamedItem) => (goodId ?? position ?? null) !== null;
  const unnamed = { error: "is required, or the position's number", path: ["goodId"] };
  return z.array(item.refine(isNamed, unnamed)).max(1000);
}

const withoutLeadingZeros = (text: string) => text.replace(/^0+(?=\d)/, "");

/** A receipt of the courier's own register, sent with its order, so that it is not printed again. */
export const courierReceiptIn = z
  .object({
    serialNumber: textIn,
    shiftNumber: textIn,
    // These two numbers are keys in the table of receipts: one document needs one spelling.
    fn: lineOf(64).trim().min(1),
    fdNumber: lineOf(32).trim().min(1).overwrite(withoutLeadingZeros),
    receiptNumber: textIn,
    fiscalSign: textIn,
    dateTimeReceipt: timeIn,
  })
  .meta({ id: "CourierReceipt" });

export const loginIn = z
  .object({
    resourceId: resourceIdIn.optional().meta({ description: "The courier's shop; absent = the cabinet's courier." }),
    courierId: idIn,
    password: textIn,
    deviceId: lineOf(200).min(1),
    deviceTitle: lineOf(200),
  })
  .meta({ id: "CourierLogin" });

const placeFields = {
  longitude: coordinateIn.optional(),
  latitude: coordinateIn.optional(),
  accuracy: numberIn.optional(),
};

export const locationIn = z
  .object({
    createdAt: timeIn,
    longitude: coordinateIn,
    latitude: coordinateIn,
    accuracy: numberIn.optional(),
    orderId: idIn.optional(),
    resourceId: resourceIdIn.optional(),
  })
  .meta({ id: "CourierLocation" });

export const statusIn = z
  .object({
    ...pointer,
    deliveryStatusId: deliveryStatusIn,
    returnReasonId: idIn.nullable().optional(),
    ...placeFields,
    receipt: courierReceiptIn.optional(),
  })
  .meta({ id: "CourierStatus" });

export const takenIn = z
  .object({
    ...pointer,
    items: positionsOf(
      z.object({
        ...itemPointer,
        warehouseId: idIn,
        tookCount: countIn.refine((count) => count >= 0, { error: "must not be negative" }),
      }),
    ),
  })
  .meta({ id: "CourierTaken" });

export const canceledIn = z
  .object({ ...pointer, items: positionsOf(z.object({ ...itemPointer, returnReasonId: idIn, count: piecesIn })) })
  .meta({ id: "CourierCanceled" });

export const paymentsIn = z
  .object({ ...pointer, payments: z.array(paymentIn).min(1).max(100), receipt: courierReceiptIn.optional() })
  .meta({ id: "CourierPayments" });

export const returnsIn = z
  .object({
    ...pointer,
    returnReasonId: idIn.optional(),
    goods: positionsOf(z.object({ ...itemPointer, count: piecesIn, returnReasonId: idIn.optional() })).min(1),
    payments: z.array(paymentIn).max(100),
    receipt: courierReceiptIn.optional(),
  })
  .meta({ id: "CourierReturn" });

export const receiptIn = z
  .object({ ...pointer, operation: z.literal(["sale", "return"]), receipt: courierReceiptIn })
  .meta({ id: "CourierOrderReceipt" });

const roublesIn = moneyIn.transform((value) => formatRoubles(toKopecks(value)));

const logFields = {
  resourceId: resourceIdIn.optional(),
  errorCode: nullIfAbsent(textIn),
  errorText: nullIfAbsent(textIn),
  serialNumber: nullIfAbsent(textIn),
  amount: nullIfAbsent(roublesIn),
  orderId: nullIfAbsent(idIn),
};

export const terminalLogIn = z
  .object({
    terminalLogId: idIn,
    ...logFields,
    cardNumber: nullIfAbsent(textIn.transform(maskCard)),
    paymentSystem: nullIfAbsent(textIn),
    transactionCreatedAt: timeIn,
  })
  .meta({ id: "CourierTerminalLog" });

export const registerLogIn = z
  .object({ frId: idIn, ...logFields, commandExecutedAt: timeIn })
  .meta({ id: "CourierRegisterLog" });

export const correctionIn = z
  .object({
    correctionReceiptId: idIn,
    resourceId: resourceIdIn.optional(),
    orderId: nullIfAbsent(idIn),
    serialNumber: textIn,
    amount: roublesIn,
    commandExecutedAt: timeIn,
  })
  .meta({ id: "CourierCorrection" });

/** An order with its shop, and the number that the courier sees. */
export const carriedOrderOut = orderOut
  .extend({ resourceId: z.int(), displayId: z.string() })
  .meta({ id: "CarriedOrder" });
