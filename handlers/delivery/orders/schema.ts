/** Fields of orders in requests ("Order" in the API's document). Fields that only answers have are ignored. */
import { z } from "zod";
import { addressPartsIn } from "../catalog/record-fields.js";
import {
  absentIfNull,
  booleanIn,
  dictionaryId,
  digitsIn,
  filled,
  flagIn,
  idIn,
  meantByNull,
  moneyIn,
  nullIfAbsent,
  numberIn,
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
    city: meantByNull(textIn, ""),
    street: meantByNull(textIn, ""),
    home: filled(textIn),
    isUseExternalGeo: textOrFlagIn,
  })
  .meta({ id: "Address" });

const clientIn = z.object({
  firstname: nullIfAbsent(textIn),
  lastname: nullIfAbsent(textIn),
  email: nullIfAbsent(textIn),
});

/** Tag 1230. A code that was sent as a number has lost its leading zeros. */
const countryIn = digitsIn(/^\d{1,3}$/, "the three digits of a country, such as 643").overwrite((digits) =>
  digits.padStart(3, "0"),
);

function codeOf(bytes: number) {
  return textIn.refine((code) => code !== "" && Buffer.byteLength(code) <= bytes, {
    error: `must have 1 to ${bytes} bytes`,
  });
}

const itemIn = z
  .object({
    goodId: nullIfAbsent(idIn),
    count: piecesIn,
    price: unitPriceIn,
    total: moneyIn,
    discountTotal: meantByNull(moneyIn, 0).meta({ description: "Negative = discount, positive = markup." }),
    taxId: nullIfAbsent(idIn),
    position: nullIfAbsent(numberIn),
    unit: nullIfAbsent(unitIn),
    vedCode: nullIfAbsent(codeOf(32)),
    countryCode: nullIfAbsent(countryIn),
    customDeclarationCode: nullIfAbsent(filled(receiptTextOf(32))),
    markValue: nullIfAbsent(codeOf(256)),
    markBinaryValue: nullIfAbsent(codeOf(256)).meta({ deprecated: true }),
    weight: nullIfAbsent(numberIn),
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

/** A sale and its refund order may share an id. Without this parameter the sale is meant. */
export const refundQuery = {
  isRefund: booleanIn.optional().meta({ description: "1 = the refund order with this id." }),
};

const fields = {
  orderId: idIn,
  codeAlias: optionalIn(textIn),
  isInternetPayment: absentIfNull(flagIn),
  internetPaymentUrl: optionalIn(textIn),
  statusId: paymentStatusIn,
  deliveryStatusId: deliveryStatusIn,
  isAgreed: absentIfNull(booleanIn),
  returnReasonId: optionalIn(idIn),
  courierId: meantByNull(idIn, null),
  clientId: optionalIn(idIn),
  supplierId: optionalIn(idIn),
  client: optionalIn(clientIn).meta({ description: "Used only without clientId." }),
  paymentId: idIn,
  amountToPay: priceIn,
  prePaymentSum: optionalIn(moneyIn),
  cash: optionalIn(priceIn),
  addressFrom: optionalIn(textIn),
  addressTo: optionalIn(textIn),
  addressFromEntity: optionalIn(addressIn),
  addressToEntity: optionalIn(addressIn),
  phone: optionalIn(textIn),
  deliveryTimeFrom: timeIn,
  deliveryTimeTo: timeIn,
  description: optionalIn(textIn),
  goods: absentIfNull(z.array(itemIn).max(MAX_ITEMS)),
  isRefund: absentIfNull(booleanIn),
  payments: absentIfNull(z.array(paymentIn).max(100)),
  returnedOrderId: optionalIn(idIn).meta({ description: "Of a refund order: the sale that it gives back (ours)." }),
};

export const orderCreateIn = z.object(fields).meta({ id: "OrderCreate" });

/** Fields that a creation needs: in an edit, null or an empty text leaves them as they are. */
const edited = {
  ...fields,
  statusId: absentIfNull(paymentStatusIn),
  deliveryStatusId: absentIfNull(deliveryStatusIn),
  paymentId: absentIfNull(idIn),
  amountToPay: absentIfNull(priceIn),
  deliveryTimeFrom: absentIfNull(timeIn),
  deliveryTimeTo: absentIfNull(timeIn),
};

export const orderEditIn = z.object(edited).partial().meta({ id: "OrderEdit" });

/** A new order needs the fields of a creation. */
export const orderReplaceIn = orderEditIn.required({ orderId: true }).meta({ id: "OrderReplace" });

const { statusId, deliveryStatusId, returnReasonId, courierId, addressTo, deliveryTimeFrom, deliveryTimeTo } =
  orderEditIn.shape;
const ofMany = { statusId, deliveryStatusId, returnReasonId, courierId, addressTo, deliveryTimeFrom, deliveryTimeTo };

export const multipleUpdateIn = z
  .object({
    orderIds: z.array(idIn).max(500),
    attributes: z.strictObject(ofMany, {
      error: ({ code }) => (code === "unrecognized_keys" ? `is none of ${Object.keys(ofMany)}` : undefined),
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

/** Of each card number, only the first six and the last four digits stay. */
export function maskCard(text: string | null): string | null {
  return (
    text?.replace(cardNumber, (number) => {
      const digits = number.replace(/\D/g, "");
      return `${digits.slice(0, 6)}${"*".repeat(digits.length - 10)}${digits.slice(-4)}`;
    }) ?? null
  );
}
