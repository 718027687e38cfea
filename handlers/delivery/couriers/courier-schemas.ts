import { formatRoubles } from "@fiscald/shared/amounts.js";
import { z } from "zod";
import {
  absentIfNull,
  booleanIn,
  coordinateIn,
  countIn,
  digitsIn,
  filled,
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

/** `resourceId` is needed only where a courier of the cabinet carries two orders with one id. */
const salePointer = { orderId: idIn, resourceId: absentIfNull(resourceIdIn) };
const pointer = { ...salePointer, isRefund: absentIfNull(booleanIn) };

/** A position is named by its good, or by its number where it has no good. */
const itemPointer = { goodId: optionalIn(idIn), position: optionalIn(numberIn) };

interface NamedItem {
  readonly goodId?: string | null | undefined;
  readonly position?: number | null | undefined;
}

function positionsOf<Item extends z.ZodType<NamedItem>>(item: Item) {
  const isNamed = ({ goodId, position }: NamedItem) => (goodId ?? position ?? null) !== null;
  const unnamed = { error: "is required, or the position's number", path: ["goodId"] };
  return z.array(item.refine(isNamed, unnamed)).max(1000);
}

/** Pieces of a position that the buyer did not take, or gave back. */
const partIn = z.object({ ...itemPointer, count: piecesIn, returnReasonId: optionalIn(idIn) });

/** A receipt of the courier's own register, sent with its order so that our registers print no second receipt. */
export const courierReceiptIn = z
  .object({
    serialNumber: textIn,
    shiftNumber: textIn,
    fn: digitsIn(/^\d{16}$/, "16 digits"),
    // `fn` and this number are the document's key. Leading zeros are left out, so that a document has one spelling.
    fdNumber: digitsIn(/^\d{1,10}$/, "1 to 10 digits").overwrite((text) => text.replace(/^0+(?=\d)/, "")),
    receiptNumber: textIn,
    fiscalSign: digitsIn(/^\d{1,10}$/, "1 to 10 digits"),
    dateTimeReceipt: timeIn,
  })
  .meta({ id: "CourierReceipt" });

export const loginIn = z
  .object({
    resourceId: absentIfNull(resourceIdIn).meta({ description: "The courier's shop; absent = the cabinet's courier." }),
    courierId: idIn,
    password: textIn,
    deviceId: filled(lineOf(200)),
    deviceTitle: lineOf(200),
  })
  .meta({ id: "CourierLogin" });

const placeFields = {
  longitude: absentIfNull(coordinateIn),
  latitude: absentIfNull(coordinateIn),
  accuracy: absentIfNull(numberIn),
};

export const locationIn = z
  .object({
    createdAt: timeIn,
    longitude: coordinateIn,
    latitude: coordinateIn,
    accuracy: absentIfNull(numberIn),
    orderId: absentIfNull(idIn),
    resourceId: absentIfNull(resourceIdIn),
  })
  .meta({ id: "CourierLocation" });

export const statusIn = z
  .object({
    ...pointer,
    deliveryStatusId: deliveryStatusIn,
    returnReasonId: optionalIn(idIn),
    ...placeFields,
    receipt: absentIfNull(courierReceiptIn),
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

export const canceledIn = z.object({ ...pointer, items: positionsOf(partIn) }).meta({ id: "CourierCanceled" });

export const paymentsIn = z
  .object({ ...pointer, payments: z.array(paymentIn).min(1).max(100), receipt: absentIfNull(courierReceiptIn) })
  .meta({ id: "CourierPayments" });

export const returnsIn = z
  .object({
    ...salePointer,
    returnReasonId: optionalIn(idIn),
    goods: positionsOf(partIn).min(1),
    payments: absentIfNull(z.array(paymentIn).max(100)),
    receipt: absentIfNull(courierReceiptIn),
  })
  .meta({ id: "CourierReturn" });

export const receiptIn = z
  .object({ ...pointer, operation: z.literal(["sale", "return"]), receipt: courierReceiptIn })
  .meta({ id: "CourierOrderReceipt" });

const roublesIn = moneyIn.transform((value) => formatRoubles(toKopecks(value)));

const logFields = {
  resourceId: absentIfNull(resourceIdIn),
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
    resourceId: absentIfNull(resourceIdIn),
    orderId: nullIfAbsent(idIn),
    serialNumber: textIn,
    amount: roublesIn,
    commandExecutedAt: timeIn,
  })
  .meta({ id: "CourierCorrection" });

export const rightOut = z
  .strictObject({ actionId: z.string(), description: z.string(), isAllowed: z.boolean() })
  .meta({ id: "CourierRight" });

/** `displayId`: the number that the courier sees. */
export const carriedOrderOut = orderOut
  .extend({ resourceId: z.int(), displayId: z.string() })
  .meta({ id: "CarriedOrder" });
