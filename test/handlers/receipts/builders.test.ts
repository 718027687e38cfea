/** The bodies that the builders write, word for word. builders-property tests what is read back of them. */
import { onlineReceipt } from "#handlers/receipts/online-receipt-builder.js";
import { taskTable } from "#handlers/receipts/task-table-builder.js";

const order = { orderId: "A-1" };

describe("the task-table builder", () => {
  test("the task-table builder writes a sale in the spec's spelling", () => {
    const built = taskTable
      .sale({ orderId: "A-1042", kkm: "0001", contact: "buyer@example.ru", internetUrl: "shop.example", taxSystem: 2 })
      .header()
      .item({ name: "Чай", price: "120.00", quantity: 2, tax: 11, discount: { percent: 10 } })
      .item({ name: "Доставка", price: 300, tax: 6, subject: 4, discount: { roubles: "0.50" } })
      .text("Спасибо", { bold: true, alignment: "Center" })
      .payment("prepayment", "100")
      .payRest("electronic")
      .build();
    expect(built).toEqual({
      response: {
        kkm: "0001",
        orderId: "A-1042",
        isInternetPayment: 1,
        internetPaymentUrl: "shop.example",
        taxSystem: 2,
        taskTable: [
          { type: "OpenCheckSell" },
          { type: "ClientContact", data: "buyer@example.ru" },
          { type: "PrintHeader" },
          {
            type: "Registration",
            data: "Чай",
            param: { price: 120, quantity: 2, discountType: 1, discountValue: 10, tax: 11 },
          },
          {
            type: "Registration",
            data: "Доставка",
            param: { price: 300, quantity: 1, discountType: 0, discountValue: 0.5, tax: 6, itemType: 4 },
          },
          { type: "String", data: "Спасибо", param: { bold: true, alignment: "Center" } },
          { type: "Payment", param: { summ: 100, typeClose: 2 } },
          { type: "Payment", param: { summ: 415.5, typeClose: 1 } },
          { type: "CloseCheck" },
        ],
      },
    });
  });

  test("the task-table builder writes a return with Return lines, without paper and after a CancelCheck", () => {
    const built = taskTable
      .return({ ...order, contact: "+79123456789", electronicOnly: true, cancelFirst: true })
      .item({ name: "Чай", price: 100 })
      .payRest("cash")
      .build();
    expect(built.response.taskTable).toEqual([
      { type: "CancelCheck" },
      { type: "OpenCheckReturn" },
      { type: "ClientContact", data: "+79123456789", param: { printDoc: false } },
      { type: "Return", data: "Чай", param: { price: 100, quantity: 1 } },
      { type: "Payment", param: { summ: 100, typeClose: 0 } },
      { type: "CloseCheck" },
    ]);
  });

  test("the task-table builder writes a service job", () => {
    const built = taskTable
      .service({ orderId: "S-1" })
      .cashIn("100.50")
      .cashOut(5)
      .report("hours")
      .syncTime()
      .cut()
      .build();
    expect(built).toEqual({
      response: {
        orderId: "S-1",
        taskTable: [
          { type: "CashIncome", param: { summ: 100.5 } },
          { type: "CashOutcome", param: { summ: 5 } },
          { type: "Report", param: { reportType: 10 } },
          { type: "SyncTime" },
          { type: "Cut" },
        ],
      },
    });
  });

  test("the task-table builder prints a text that is a word of the protocol as an ordinary text", () => {
    const job = taskTable
      .service()
      .text("Dash")
      .trait()
      .dash()
      .barcode({ type: "QR", data: "x", heightMm: 20 })
      .receipt();
    expect(job.lines).toMatchObject([
      { content: { kind: "text", text: "Dash " } },
      { content: { kind: "trait" } },
      { content: { kind: "dash" } },
      { symbology: "qr", heightMm: 20 },
    ]);
  });

  test("the task-table builder gives the same order when it builds twice", () => {
    const builder = taskTable.sale(order).item({ name: "A", price: 1 }).payRest("cash");
    expect(builder.build()).toEqual(builder.build());
  });
});

describe("the online builder", () => {
  test("the online builder writes a sale in the spec's spelling", () => {
    const built = onlineReceipt
      .sale({
        orderId: "B-1",
        timestamp: "20.11.2026 14:05:00",
        contact: "buyer@example.ru",
        internetUrl: "shop.example",
        inn: "7700000000",
      })
      .item({ name: "Ручка", price: "19.99", quantity: 3, tax: 11, discount: { percent: 10 } })
      .payment("cash", 50)
      .payRest("electronic")
      .build();
    expect(built).toEqual({
      timestamp: "20.11.2026 14:05:00",
      external_id: "B-1",
      isInternetPayment: 1,
      internetPaymentUrl: "shop.example",
      service: { inn: "7700000000" },
      receipt: {
        attributes: { email: "buyer@example.ru", phone: "" },
        items: [{ name: "Ручка", price: 19.99, quantity: 3, sum: 53.97, tax: 11 }],
        total: 53.97,
        payments: [
          { type: 0, sum: 50 },
          { type: 1, sum: 3.97 },
        ],
      },
    });
  });
});
