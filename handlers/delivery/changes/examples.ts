/** Examples for the OpenAPI document. A test proves that the API makes the example answer of the example request. */
import { catalogRows, exampleRecord } from "../catalog/catalog-table.js";
import { orderCreateIn } from "../orders/schema.js";
import { renderOrder } from "../orders/view.js";
import { buildOrder } from "./build.js";

export const orderCreateExample = {
  orderId: 1042,
  codeAlias: "A-1042",
  isInternetPayment: 1,
  internetPaymentUrl: "https://shop.example",
  statusId: 0,
  deliveryStatusId: 0,
  isAgreed: true,
  courierId: 7,
  client: { firstname: "Анна", lastname: "Петрова", email: "anna@mail.example" },
  paymentId: 1,
  amountToPay: 501,
  addressToEntity: {
    postindex: "101000",
    city: "Москва",
    street: "Мясницкая",
    home: "1",
    apartment: "12",
    isUseExternalGeo: false,
  },
  phone: "+79160000900",
  deliveryTimeFrom: "2026-11-21 09:00:00",
  deliveryTimeTo: "2026-11-21 12:00:00",
  description: "Позвонить за час",
  goods: [
    {
      goodId: 501,
      count: 2,
      price: 250.5,
      total: 501,
      discountTotal: -1,
      taxId: 1,
      warehouses: [{ warehouseId: 1, count: 2 }],
    },
  ],
};

export const refundCreateExample = {
  ...orderCreateExample,
  isRefund: true,
  statusId: 1,
  deliveryStatusId: 6,
  returnReasonId: 1,
  amountToPay: 250.5,
  goods: [{ goodId: 501, count: 1, price: 250.5, total: 250.5, discountTotal: -0.5, taxId: 1 }],
  payments: [
    {
      paymentId: "p-17",
      paymentTypeId: 1,
      price: 250,
      paidIn: "2026-11-22 10:15:00",
      cardMask: "220012******9012",
      rrn: "632814000001",
    },
  ],
};

const records = new Map(
  catalogRows.map((row) => {
    const record = exampleRecord(row);
    return [row.kind, new Map([[record.id, record]])];
  }),
);

export const orderExample = renderOrder(buildOrder(orderCreateIn.parse(orderCreateExample), false, records), records);

export const receiptExample = {
  serialNumber: "00106700000001",
  shiftNumber: "12",
  fn: "9999078900000001",
  fdNumber: "318",
  receiptNumber: "4",
  fiscalSign: "1234567890",
  dateTimeReceipt: "2026-11-20 14:05:00",
};
