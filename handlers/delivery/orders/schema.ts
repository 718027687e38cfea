/** Fields of orders in requests ("Order" and its parts in the API's document). Fields of answers are ignored. */
import { z } from "zod";
import { addressPartsIn } from "../catalog/record-fields.js";
import {
  absentIfNull,
  booleanIn,
  dictionaryId,
  flagIn,
  idIn,
  moneyIn,
  noneIfEmpty,
  nullIfAbsent,
  nullIfEmpty,
  numberIn,
  objectIn,
  optionalId,
  optionalIn,
  piecesIn,
  priceIn,
  receiptTextOf,
  textIn,
  textOrFlagIn,
  timeIn,
  unitIn,
  unitPriceIn,
} from "../http/wire-types.js";

const MAX_ITEMS = 1000;

const addressIn = z
  .object({
    ...addressPartsIn,
    // A village may have no streets.
    city: textIn,
    street: textIn,
    home: textIn.refine((home) => home !== "", { error: "must not be empty" }),
    isUseExternalGeo: textOrFlagIn,
  })
  .meta({ id: "Address" });

const clientIn = z.object({
  firstname: nullIfAbsent(textIn),
  lastname: nullIfAbsent(textIn),
  email: nullIfAbsent(textIn),
});

/** Tag 1230. A code that was sent as a number has lost its leading zeros. */
const countryIn = z.preprocess(
  (value) => (typeof value === "number" ? String(value).padStart(3, "0") : value),
  z.string().regex(/^\d{3}$/, { error: "must be the three digits of a country, such as 643" }),
);

/** A code that a receipt carries in so many bytes. */
function codeOf(bytes: number) {
  return textIn.refine((code) => Buffer.byteLength(code) <= bytes, { error: `must have 1 to ${bytes} bytes` });
}

const itemIn = z
  .object({
    goodId: nullIfEmpty(idIn),
    count: piecesIn,
    price: unitPriceIn,
    total: moneyIn,
    discountTotal: moneyIn.meta({ description: "Negative = discount, positive = markup." }),
    taxId: nullIfEmpty(idIn),
    position: nullIfEmpty(numberIn),
    unit: nullIfAbsent(unitIn),
    vedCode: nullIfEmpty(codeOf(32)),
    countryCode: nullIfEmpty(countryIn),
    customDeclarationCode: nullIfEmpty(receiptTextOf(32)),
    markValue: nullIfEmpty(codeOf(256)),
    markBinaryValue: nullIfEmpty(codeOf(256)).meta({ deprecated: true }),
    weight: nullIfEmpty(numberIn),
    description: nullIfAbsent(textIn),
    warehouses: absentIfNull(
      z.array(z.object({ warehouseId: idIn, count: piecesIn })).max(1, { error: "only one warehouse may be given" }),
    ),
    specificities: absentIfNull(z.array(z.object({ specificityId: idIn, price: moneyIn, count: piecesIn })).max(100)),
  })
  .meta({ id: "OrderItemRequest" });

export const paymentIn = z
  .object({
    paymentId: idIn,
    paymentTypeId: idIn,
    price: moneyIn,
    paidIn: timeIn,
    cardMask: nullIfAbsent(textIn),
    rrn: nullIfAbsent(textIn),
    cardAuth: nullIfAbsent(textIn),
  })
  .meta({ id: "PaymentRequest" });

export const paymentStatusIn = dictionaryId([0, 1], "orderStatuses");
export const deliveryStatusIn = dictionaryId([0, 1, 2, 3, 4, 5, 6], "orderDeliveryStatuses");

/** Says which order an id means, because a sale and its refund order may share it; without this parameter, the sale. */
export const refundQuery = {
  isRefund: z
    .literal(["0", "1", "false", "true"], { error: "must be 1 or 0" })
    .transform((value) => value === "1" || value === "true")
    .optional()
    .meta({ description: "1 = the refund order with this id." }),
};

const fields = {
  orderId: idIn,
  codeAlias: optionalIn(textIn),
  isInternetPayment: absentIfNull(flagIn),
  internetPaymentUrl: optionalIn(textIn),
  statusId: paymentStatusIn,
  deliveryStatusId: deliveryStatusIn,
  isAgreed: absentIfNull(booleanIn),
  returnReasonId: optionalId,
  courierId: idIn,
  clientId: optionalId,
  supplierId: optionalId,
  client: objectIn(clientIn).meta({ description: "Used only without clientId." }),
  paymentId: idIn,
  amountToPay: priceIn,
  prePaymentSum: optionalIn(moneyIn),
  cash: optionalIn(priceIn),
  addressFrom: optionalIn(textIn),
  addressTo: optionalIn(textIn),
  addressFromEntity: objectIn(addressIn),
  addressToEntity: objectIn(addressIn),
  phone: optionalIn(textIn),
  deliveryTimeFrom: timeIn,
  deliveryTimeTo: timeIn,
  description: optionalIn(textIn),
  goods: absentIfNull(z.array(itemIn).max(MAX_ITEMS)),
  isRefund: absentIfNull(booleanIn),
  payments: absentIfNull(z.array(paymentIn).max(100)),
  returnedOrderId: optionalId.meta({ description: "Of a refund order: the sale that it gives back (ours)." }),
};

export const orderCreateIn = z.object(fields).meta({ id: "OrderCreate" });

/** The body of PUT /orders: any of the fields. */
export const orderEditIn = z
  .object({ ...fields, courierId: noneIfEmpty(idIn) })
  .partial()
  .meta({ id: "OrderEdit" });

/** One element of the body of POST /orders/replace; a new order needs the fields of a creation. */
export const orderReplaceIn = orderEditIn.required({ orderId: true }).meta({ id: "OrderReplace" });

/** The only attributes that multipleUpdate changes. */
const multipleAttributes = {
  statusId: paymentStatusIn.optional(),
  deliveryStatusId: deliveryStatusIn.optional(),
  returnReasonId: optionalId,
  courierId: optionalId,
  addressTo: optionalIn(textIn),
  deliveryTimeFrom: timeIn.optional(),
  deliveryTimeTo: timeIn.optional(),
};

export const multipleUpdateIn = z
  .object({
    orderIds: z.array(idIn).max(500),
    attributes: z.strictObject(multipleAttributes, {
      error: ({ code }) => (code === "unrecognized_keys" ? `is none of ${Object.keys(multipleAttributes)}` : undefined),
    }),
  })
  .meta({ id: "MultipleUpdate" });

export type OrderCreate = z.output<typeof orderCreateIn>;
export type OrderEdit = z.output<typeof orderEditIn>;
export type OrderReplace = z.output<typeof orderReplaceIn>;
export type AddressIn = Readonly<z.output<typeof addressIn>>;
export type ClientIn = Readonly<z.output<typeof clientIn>>;
export type ItemIn = z.output<typeof itemIn>;
export type PaymentIn = z.output<typeof paymentIn>;
export type MultipleUpdate = z.output<typeof multipleUpdateIn>;

/** A card's number: 12 to 19 digits, in groups or not. */
const cardNumber = /(?<!\d)\d(?:[\s-]?\d){11,18}(?!\d)/g;

/** Masks each card number in the text: only the first six and the last four digits stay. */
export function maskCard(text: string | null): string | null {
  return (
    text?.replace(cardNumber, (number) => {
      const digits = number.replace(/\D/g, "");
      return `${digits.slice(0, 6)}${"*".repeat(digits.length - 10)}${digits.slice(-4)}`;
    }) ?? null
  );
}
