/** The schema of an order in answers and callbacks, which allows no other fields. */
import { z } from "zod";
import { recordView, rowOf } from "../catalog/catalog-table.js";
import { addressPartsOut } from "../catalog/record-fields.js";
import { flagOut, idOrNull, idOut, numberOrNull, textOrNull, timeOut, warningsOut } from "../http/wire-types.js";

const addressOut = addressPartsOut
  .required({ city: true, street: true, home: true })
  .extend({ isUseExternalGeo: z.union([z.string(), z.boolean()]) })
  .meta({ id: "AddressView" });

const clientOut = z.strictObject({ firstname: textOrNull, lastname: textOrNull, email: textOrNull, inn: textOrNull });

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
    position: numberOrNull,
    unit: textOrNull,
    vedCode: textOrNull,
    countryCode: textOrNull,
    customDeclarationCode: textOrNull,
    markValue: textOrNull,
    markBinaryValue: textOrNull,
    weight: numberOrNull,
    description: textOrNull,
    title: textOrNull,
    article: textOrNull,
    calcId: numberOrNull,
    multiplicity: numberOrNull,
    imageUrl: textOrNull,
    imageBigUrl: textOrNull,
    isActive: flagOut.nullable(),
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
    cardMask: textOrNull,
    rrn: textOrNull,
    cardAuth: textOrNull,
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
    codeAlias: textOrNull,
    isInternetPayment: flagOut,
    internetPaymentUrl: textOrNull,
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
    prePaymentSum: numberOrNull,
    cash: numberOrNull,
    addressFrom: textOrNull,
    addressTo: textOrNull,
    addressFromEntity: addressOut.nullable(),
    addressToEntity: addressOut.nullable(),
    phone: textOrNull,
    deliveryTimeFrom: timeOut,
    deliveryTimeTo: timeOut,
    description: textOrNull,
    goods: z.array(itemOut),
    payments: z.array(paymentOut),
    receiptStatusId: printStatusOut,
    frReceiptStatusId: printStatusOut,
    isReturned: z.boolean(),
    isEdited: z.boolean(),
    isRefund: z.boolean(),
    returnedOrderId: idOrNull.meta({ description: "Of a refund order its sale (ours)." }),
    returnedOrder: returnedOrderOut.nullable(),
    warnings: warningsOut,
  })
  .meta({ id: "Order" });

/** A journal entry has only fields that can change, each only where it did. */
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
  .extend({
    fiscalDocument: z
      .strictObject({
        operation: z.literal(["sale", "return"]).nullable(),
        isCorrection: z.boolean(),
        fn: z.string(),
        fdNumber: z.string(),
        fiscalSign: z.string(),
        amount: textOrNull,
      })
      .meta({ id: "OtherDocument" }),
  })
  .partial()
  .meta({ id: "JournalItem" });
