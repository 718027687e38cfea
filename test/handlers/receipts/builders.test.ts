import { problemsIn } from "@fiscald/shared/exchange/order-problem.js";
import { isFault } from "@fiscald/shared/fault.js";
import { readOrder } from "@fiscald/shared/receipt/formats/read-order.js";
import { totalOf } from "@fiscald/shared/receipt/receipt.js";
import fc from "fast-check";
import type { DiscountInput } from "#handlers/receipts/item-input.js";
import { onlineReceipt } from "#handlers/receipts/online-receipt-builder.js";
import { taskTable } from "#handlers/receipts/task-table-builder.js";

const order = { orderId: "A-1" };
const paidOrder = { orderId: "B-1", timestamp: "20.11.2026 14:05:00" };

function problemsOf(build: () => unknown): readonly string[] {
  try {
    build();
  } catch (error) {
    if (isFault(error)) return problemsIn(error).map(({ resultCode, path }) => `${resultCode} ${path}`);
    throw error;
  }
  throw new Error("accepted");
}

function readBack(body: object) {
  const answer = readOrder(JSON.stringify(body), { format: "auto" });
  if (answer.kind !== "receipt") throw new Error(`read as ${answer.kind}`);
  return answer.receipt;
}

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

  test("the task-table builder writes a return with Return lines, silent and after a CancelCheck", () => {
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

  test("the task-table builder carries every extension through to the daemon's receipt", () => {
    const receipt = taskTable
      .sale({ ...order, cashier: { name: "Иванова", inn: "770000000000" }, settlementPlace: "Павильон 5" })
      .item({
        name: "Обувь",
        price: 10,
        department: 3,
        method: 1,
        unit: "кг",
        measure: 255,
        agent: { type: 32, supplierName: "ООО", supplierPhones: ["+71", "+72"], supplierInn: "7700000000" },
        goodsCode: Uint8Array.of(0x44, 0x4d),
        countryCode: "643",
        customsDeclaration: "10702020/060520/0013422",
      })
      .item({ name: "Сапоги", price: 10, markingCode: "010460\u001d91" })
      .payRest(1)
      .receipt();
    expect(receipt).toMatchObject({
      cashier: { name: "Иванова", inn: "770000000000" },
      settlementPlace: "Павильон 5",
      lines: [
        {
          department: 3,
          method: 1,
          unit: "кг",
          measure: 255,
          agent: { type: 32, supplierName: "ООО", supplierPhones: ["+71", "+72"], supplierInn: "7700000000" },
          goodsCode: "RE0=",
          countryCode: "643",
          customsDeclaration: "10702020/060520/0013422",
        },
        { markingCode: Buffer.from("010460\u001d91").toString("base64"), subject: 33 },
      ],
    });
  });

  test("the task-table builder prints a text that is a word of the protocol as a text", () => {
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

  const sale = () => taskTable.sale(order);
  test.each([
    ["no position", () => sale().payment("cash", 1).build(), ["3 items"]],
    ["no payment", () => sale().item({ name: "A", price: 1 }).build(), ["3 payments"]],
    ["too little paid", () => sale().item({ name: "A", price: 1 }).payment("cash", "0.98").build(), ["1 payments"]],
    [
      "a price that is no money",
      () => sale().item({ name: "A", price: 0.125 }).payRest("cash").build(),
      ["1 items[0].price"],
    ],
    ["a price in words", () => sale().item({ name: "A", price: "ten" }).payRest("cash").build(), ["1 items[0].price"]],
    [
      "a payment in words",
      () => sale().item({ name: "A", price: 1 }).payment("cash", "all").payRest("cash").build(),
      ["1 payments[0].sum"],
    ],
    [
      "a discount above the line",
      () =>
        sale()
          .item({ name: "A", price: 1, discount: { roubles: 2 } })
          .payRest("cash")
          .build(),
      ["1 items[0].discount"],
    ],
    ["no line at all", () => taskTable.service().build(), ["3 lines"]],
  ])("the task-table builder refuses %s", (_, build, expected) => {
    expect(problemsOf(build)).toEqual(expected);
  });

  test("the task-table builder builds the same again when it is built twice", () => {
    const builder = sale().item({ name: "A", price: 1 }).payRest("cash");
    expect(builder.build()).toEqual(builder.build());
  });
});

describe("the online builder", () => {
  test("the online builder writes a sale in the spec's spelling", () => {
    const built = onlineReceipt
      .sale({ ...paidOrder, contact: "buyer@example.ru", internetUrl: "shop.example", inn: "7700000000" })
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

  test("the online builder writes a refund and a phone", () => {
    const built = onlineReceipt
      .return({ ...paidOrder, contact: "+79123456789" })
      .item({ name: "A", price: 1 })
      .payRest("cash")
      .build();
    expect(built).toMatchObject({
      operation: "sell_refund",
      receipt: { attributes: { email: "", phone: "+79123456789" } },
    });
    expect(readBack(built)).toMatchObject({ operation: "return", contact: "+79123456789" });
  });

  const sale = () => onlineReceipt.sale(paidOrder);
  test.each([
    ["no position", () => sale().payment("cash", 1).build(), "3 items"],
    [
      "a discount above the line",
      () =>
        sale()
          .item({ name: "A", price: 1, discount: { roubles: 2 } })
          .payRest("cash")
          .build(),
      "1 items[0].discount",
    ],
    ["a price in words", () => sale().item({ name: "A", price: "ten" }).payRest("cash").build(), "1 items[0].price"],
    [
      "a markup, which the format cannot say",
      () =>
        sale()
          .item({ name: "A", price: 1, discount: { roubles: -2 } })
          .payRest("cash")
          .build(),
      "1 items[0].discount",
    ],
  ])("the online builder refuses %s", (_, build, expected) => {
    expect(problemsOf(build)).toContain(expected);
  });
});

describe("any cart", () => {
  const discount: fc.Arbitrary<DiscountInput> = fc.oneof(
    fc.integer({ min: 0, max: 9_000 }).map((percent) => ({ percent: percent / 100 })),
    fc.constant({ roubles: 0 }),
  );
  const cart = fc.array(
    fc.record({
      name: fc.constantFrom("Чай", "Кофе"),
      price: fc.integer({ min: 1000, max: 1_000_000 }).map((sum) => (sum / 100).toFixed(2)),
      // No cart comes to 0.00.
      quantity: fc.integer({ min: 100, max: 20_000 }).map((thousandths) => thousandths / 1000),
      discount,
    }),
    { minLength: 1, maxLength: 10 },
  );

  test("any cart built in both formats is the same receipt, paid to the kopeck", () => {
    fc.assert(
      fc.property(cart, (items) => {
        const table = items.reduce((builder, item) => builder.item(item), taskTable.sale(order)).payRest("electronic");
        const online = items
          .reduce((builder, item) => builder.item(item), onlineReceipt.sale({ ...paidOrder, ...order }))
          .payRest("electronic");
        const [fromTable, fromOnline] = [readBack(table.build()), readBack(online.build())];
        expect({ ...fromOnline, format: "task-table" }).toEqual(fromTable);
        if (fromTable.kind !== "receipt") throw new Error("read as a service job");
        expect(fromTable.payments.reduce((sum, payment) => sum + payment.sum, 0)).toBe(totalOf(fromTable));
      }),
    );
  });
});
