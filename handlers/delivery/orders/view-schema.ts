/** The closed shape of an order in answers and callbacks. */
import { z } from "zod";
import { recordView, rowOf } from "../catalog/catalog-table.js";
import { addressPartsOut } from "../catalog/record-fields.js";
import { flagOut, idOut, timeOut } from "../http/wire-types.js";

const text = z.string().nullable();
const numeric = z.number().nullable();
const idOrNull = idOut.nullable();
const activeOrNull = flagOut.nullable();

const addressOut = addressPartsOut
  .required({ city: true, street: true, home: true })
  .extend({ isUseExternalGeo: z.union([z.string(), z.boolean()]) })
  .meta({ id: "AddressView" });

const clientOut = z.strictObject({ firstname: text, lastname: text, email: text, inn: text });

const itemWarehouseOut = recordView(rowOf("warehouses")).extend({ count: z.number(), tookCount: z.number() });
const itemSpecificityOut = recordView(rowOf("specificities")).extend({ count: z.number() });

const itemOut = z
  .strictObject({
    goodId: idOrNull,
    count: z.number(),
    price: z.number(),
    total: z.number(),
    discountTotal: z.number(),
    taxId: idOrNull,
    position: numeric,
    unit: text,
    vedCode: text,
    countryCode: text,
    customDeclarationCode: text,
    markValue: text,
    markBinaryValue: text,
    weight: numeric,
    description: text,
    title: text,
    article: text,
    calcId: numeric,
    multiplicity: numeric,
    imageUrl: text,
    imageBigUrl: text,
    isActive: activeOrNull,
    parentId: idOrNull,
    returnReasonId: idOrNull,
    canceledItems: z.array(z.strictObject({ returnReasonId: idOrNull, count: z.number(), createdAt: timeOut })),
    warehouses: z.array(itemWarehouseOut),
    specificities: z.array(itemSpecificityOut),
  })
  .meta({ id: "OrderItem" });

const paymentOut = z
  .strictObject({
    paymentId: z.string(),
    paymentTypeId: z.string(),
    price: z.number(),
    paidIn: timeOut,
    cardMask: text,
    rrn: text,
    cardAuth: text,
  })
  .meta({ id: "Payment" });

const returnedOrderOut = z
  .strictObject({
    returnedOrderId: idOut,
    returnReasonId: idOrNull,
    createdAt: timeOut,
    returnedPayments: z.array(
      z.strictObject({ paymentId: z.string(), paymentTypeId: z.string(), sum: z.number(), createdAt: timeOut }),
    ),
    returnedGoods: z.array(
      z.strictObject({
        goodId: idOrNull,
        returnReasonId: idOrNull,
        count: z.number(),
        sum: z.number(),
        createdAt: timeOut,
      }),
    ),
  })
  .meta({ id: "ReturnedOrder" });

export const printStatusOut = z.literal([0, 1, 2]).meta({ description: "0 not printed, 1 printed, 2 error." });
export const deliveryStatusOut = z.literal([0, 1, 2, 3, 4, 5, 6]);

export const orderOut = z
  .strictObject({
    orderId: idOut,
    codeAlias: text,
    isInternetPayment: flagOut,
    internetPaymentUrl: text,
    statusId: flagOut,
    deliveryStatusId: deliveryStatusOut,
    isAgreed: z.boolean(),
    returnReasonId: idOrNull,
    courierId: idOrNull,
    clientId: idOrNull,
    supplierId: idOrNull,
    client: clientOut.nullable(),
    paymentId: idOut,
    originalPaymentId: idOut,
    frUsedPaymentId: idOrNull,
    amountToPay: z.number(),
    prePaymentSum: numeric,
    cash: numeric,
    addressFrom: text,
    addressTo: text,
    addressFromEntity: addressOut.nullable(),
    addressToEntity: addressOut.nullable(),
    phone: text,
    deliveryTimeFrom: timeOut,
    deliveryTimeTo: timeOut,
    description: text,
    goods: z.array(itemOut),
    payments: z.array(paymentOut),
    receiptStatusId: printStatusOut,
    frReceiptStatusId: printStatusOut,
    isReturned: z.boolean(),
    isEdited: z.boolean(),
    isRefund: z.boolean(),
    returnedOrder: returnedOrderOut.nullable(),
  })
  .meta({ id: "Order" });

/** Only the parameters that can change, each only when it did. */
export const journalItem = orderOut
  .pick({
    statusId: true,
    deliveryStatusId: true,
    isAgreed: true,
    returnReasonId: true,
    frReceiptStatusId: true,
    courierId: true,
    clientId: true,
    supplierId: true,
    paymentId: true,
    amountToPay: true,
    phone: true,
    deliveryTimeFrom: true,
    deliveryTimeTo: true,
    client: true,
    addressToEntity: true,
    isReturned: true,
    isEdited: true,
    isRefund: true,
    description: true,
  })
  .partial()
  .meta({ id: "JournalItem" });
