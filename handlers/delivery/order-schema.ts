/** What requests say of an order (spec: Order, Address, Order item, Payment). Fields of answers are ignored here. */
import { z } from "zod";
import {
  coordinateIn,
  dictionaryId,
  flagIn,
  idIn,
  moneyIn,
  numberIn,
  piecesIn,
  plainText,
  priceIn,
  textIn,
  timeIn,
} from "./wire-types.js";

export const MAX_ITEMS = 1000;

export const addressIn = z
  .object({
    postindex: textIn.optional(),
    city: textIn.min(1),
    street: textIn.min(1),
    home: textIn.min(1),
    apartment: textIn.optional(),
    latitude: coordinateIn.optional(),
    longitude: coordinateIn.optional(),
    isUseExternalGeo: z.union([plainText(32), z.boolean()]),
  })
  .meta({ id: "Address" });

const itemIn = z
  .object({
    goodId: idIn.optional(),
    count: piecesIn,
    price: priceIn,
    total: moneyIn,
    discountTotal: moneyIn.meta({ description: "Negative = discount, positive = markup." }),
    taxId: idIn.optional(),
    position: numberIn.optional(),
    unit: textIn.optional(),
    vedCode: textIn.optional(),
    countryCode: textIn.optional(),
    customDeclarationCode: textIn.optional(),
    markValue: textIn.optional(),
    markBinaryValue: textIn.optional().meta({ deprecated: true }),
    weight: numberIn.optional(),
    description: textIn.optional(),
    warehouses: z
      .array(z.object({ warehouseId: idIn, count: piecesIn }))
      .max(1, { error: "only one warehouse may be given" })
      .optional(),
    specificities: z
      .array(z.object({ specificityId: idIn, price: moneyIn, count: piecesIn }))
      .max(100)
      .optional(),
  })
  .meta({ id: "OrderItemRequest" });

export const paymentIn = z
  .object({
    paymentId: idIn,
    paymentTypeId: idIn,
    price: moneyIn,
    paidIn: timeIn,
    cardMask: textIn.optional(),
    rrn: textIn.optional(),
    cardAuth: textIn.optional(),
  })
  .meta({ id: "PaymentRequest" });

export const paymentStatusIn = dictionaryId([0, 1], "orderStatuses");
export const deliveryStatusIn = dictionaryId([0, 1, 2, 3, 4, 5, 6], "orderDeliveryStatuses");

/** Two orders may share an id, a sale and its refund; without this the sale is meant. */
export const refundQuery = {
  isRefund: z
    .literal(["0", "1", "false", "true"], { error: "must be 1 or 0" })
    .transform((value) => value === "1" || value === "true")
    .optional()
    .meta({ description: "1 = the refund order with this id." }),
};

const fields = {
  orderId: idIn,
  codeAlias: textIn.optional(),
  isInternetPayment: flagIn.optional(),
  internetPaymentUrl: textIn.optional(),
  statusId: paymentStatusIn,
  deliveryStatusId: deliveryStatusIn,
  isAgreed: z.boolean().optional(),
  returnReasonId: idIn.nullable().optional(),
  courierId: idIn,
  clientId: idIn.optional(),
  supplierId: idIn.nullable().optional(),
  client: z
    .object({ firstname: textIn.optional(), lastname: textIn.optional(), email: textIn.optional() })
    .optional()
    .meta({ description: "Used only without clientId." }),
  paymentId: idIn,
  amountToPay: priceIn,
  prePaymentSum: moneyIn.optional(),
  cash: priceIn.optional(),
  addressFromEntity: addressIn.optional(),
  addressToEntity: addressIn.optional(),
  phone: textIn.optional(),
  deliveryTimeFrom: timeIn,
  deliveryTimeTo: timeIn,
  description: textIn.optional(),
  goods: z.array(itemIn).max(MAX_ITEMS).optional(),
  isRefund: z.boolean().optional(),
  payments: z.array(paymentIn).max(100).optional(),
};

/** One element of POST /orders. */
export const orderCreateIn = z.object(fields).meta({ id: "OrderCreate" });

/** PUT /orders: any of the fields. */
export const orderEditIn = z
  .object({ ...fields, courierId: idIn.nullable() })
  .partial()
  .meta({ id: "OrderEdit" });

/** One element of POST /orders/replace; a new order needs the fields of a creation. */
export const orderReplaceIn = orderEditIn.required({ orderId: true }).meta({ id: "OrderReplace" });

/** The only attributes that multipleUpdate changes. */
export const multipleUpdateIn = z
  .object({
    orderIds: z.array(idIn).max(500),
    attributes: z.strictObject({
      statusId: paymentStatusIn.optional(),
      deliveryStatusId: deliveryStatusIn.optional(),
      returnReasonId: idIn.optional(),
      courierId: idIn.optional(),
      addressTo: textIn.optional(),
      deliveryTimeFrom: timeIn.optional(),
      deliveryTimeTo: timeIn.optional(),
    }),
  })
  .meta({ id: "MultipleUpdate" });

export type OrderCreate = z.output<typeof orderCreateIn>;
export type OrderEdit = z.output<typeof orderEditIn>;
export type ItemIn = z.output<typeof itemIn>;
export type PaymentIn = z.output<typeof paymentIn>;
export type MultipleUpdate = z.output<typeof multipleUpdateIn>;
