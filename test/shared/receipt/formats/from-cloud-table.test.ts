import {
  close,
  itemOf,
  online,
  pay,
  problemsFrom,
  read,
  refusalsOf,
  saleFrom,
  table,
  tea,
} from "../../../support/order-samples.js";

const withItem = (param: object) => tableOf({}, {}, { ...tea, param: { ...tea.param, ...param } });

function tableOf(head: object, opening: object = {}, line: object = tea, open = "OpenCheckSell"): object {
  return table([{ type: open, param: opening }, line, pay(100), close], head);
}

describe("a key of a cloud service in a task table", () => {
  test.each([
    [
      { payment_method: "full_prepayment", payment_object: "service" },
      { method: 1, subject: 4 },
    ],
    [
      { paymentMethod: "full_prepayment", paymentObject: "service" },
      { method: 1, subject: 4 },
    ],
    [
      { Agent_Info: { type: "attorney" }, supplier_info: { phones: ["89001112233"], name: "ООО", inn: "7700000000" } },
      { agent: { type: 16, supplierName: "ООО", supplierInn: "7700000000", supplierPhones: ["+79001112233"] } },
    ],
  ])("a position of a task table with a cloud service's keys %j has their values", (param, expected) => {
    expect(itemOf(saleFrom(withItem(param)))).toMatchObject(expected);
  });

  test.each([
    [{ payment_method: "later" }, "1 taskTable[1].param.payment_method"],
    [{ payment_method: "full_payment", paymentMode: 1 }, "1 taskTable[1].param.payment_method"],
    [{ supplier_info: { name: "ООО" } }, "3 taskTable[1].param.agent_info.type"],
    [{ agent_info: { paying_agent: { operation: "Приём" } } }, "3 taskTable[1].param.agent_info.type"],
    [{ agent_info: { type: "bank_paying_agent" } }, "3 taskTable[1].param.agent_info"],
    [{ agentType: 1 }, "3 taskTable[1].param.agentData"],
    [{ supplierName: "ООО" }, "3 taskTable[1].param.agentType"],
    [{ supplier_info: { name: "ООО" }, agentType: 3 }, "1 taskTable[1].param.agentType"],
    [{ vat_code: 11 }, "3 taskTable[1].param.vat_code"],
    [{ vatCode: 11 }, "3 taskTable[1].param.vat_code"],
  ])("a position of a task table with a cloud service's keys %j is refused at that position", (param, expected) => {
    expect(refusalsOf(withItem(param))).toEqual([expected]);
  });

  const head = { sno: "usn_income", company: { inn: "7700000000" }, client: { email: "a@b.ru", name: "ООО" } };
  const read1 = {
    taxSystem: 2,
    expectedInn: "7700000000",
    contact: "a@b.ru",
    requisites: { buyer: { name: "ООО" } },
  };
  test.each([
    ["at the root", tableOf(head), read1],
    ["on the opening line", tableOf({}, head), read1],
    ["for the taxpayer", tableOf({ service: { inn: "7700000000" } }), { expectedInn: "7700000000" }],
    ["for the tax system, as another service names it", tableOf({ Taxation: "patent" }), { taxSystem: 32 }],
    [
      "for the place of settlement",
      tableOf({ company: { payment_address: "shop.example" }, client: { email: "a@b.ru" } }),
      { internet: { url: "shop.example" } },
    ],
  ])("a cloud service's key in a task table is read %s", (_what, order, expected) => {
    expect(saleFrom(order)).toMatchObject(expected);
  });

  test.each([
    [tableOf({ sno: "other" }), "1 sno"],
    [tableOf({ taxSystem: 1, company: { sno: "usn_income" } }), "1 company.sno"],
    [tableOf({}, { sno: "other" }), "1 taskTable[0].param.sno"],
    [tableOf({ operating_check_props: { name: "0", value: "x" } }), "3 operating_check_props.timestamp"],
    [tableOf({ taxationSystem: 1 }), "3 taxation_system"],
    [tableOf({ agent_info: { type: "attorney" } }), "1 agent_info"],
  ])("a task table with a cloud service's wrong key is refused at its place: %j", (order, expected) => {
    expect(refusalsOf(order)).toEqual([expected]);
  });

  test("a text under a cloud service's key for an object is ignored as a key of the site", () => {
    expect(saleFrom(tableOf({ client: "Анна", company: "Лавка", service: 7 }))).toMatchObject({
      ...{ contact: null, expectedInn: null },
    });
    expect(saleFrom(tableOf({ client: "Анна" })).requisites).toBeUndefined();
  });

  test("a warning names a cloud service's wrong value in a task table by the value's own place", () => {
    expect(read(tableOf({ client: { email: "nobody" } }))).toMatchObject({ warnings: [{ path: "client.email" }] });
  });
});

describe("isInternetPayment on the opening line of a table", () => {
  const sign = { isInternetPayment: 1, internetPaymentUrl: "shop.example", clientContact: "a@b.ru" };

  test("isInternetPayment on the opening line of a table makes an internet receipt", () => {
    expect(saleFrom(tableOf({}, sign))).toMatchObject({ internet: { url: "shop.example" }, contact: "a@b.ru" });
  });

  test("isInternetPayment 0 at the root of a table overrules isInternetPayment 1 on the opening line", () => {
    expect(saleFrom(tableOf({ isInternetPayment: 0 }, sign)).internet).toBeNull();
  });
});

describe("the direction at the root of a table", () => {
  test.each([
    ["sell_refund", "OpenCheckSell"],
    ["sell", "OpenCheckReturn"],
    ["buy", "OpenCheckSell"],
  ])("a table whose root says %s while its line is %s is refused", (operation, open) => {
    const problems = problemsFrom(tableOf({ operation }, {}, tea, open));
    expect(problems).toMatchObject([{ path: "operation", resultCode: 3 }]);
  });

  test.each([
    ["SELL", "OpenCheckSell", "sale"],
    ["sell_refund", "OpenCheckReturn", "return"],
    ["", "OpenCheckSell", "sale"],
  ])("a table whose root says %j and whose line is %s is a %s", (operation, open, expected) => {
    expect(saleFrom(tableOf({ operation }, {}, tea, open)).operation).toBe(expected);
  });

  test("a direction beside the response is compared too, and any other value there is ignored", () => {
    const wrapped = (operation: string) => ({ operation, ...tableOf({}) });
    expect(refusalsOf(wrapped("sell_refund"))).toEqual(["3 operation"]);
    expect(saleFrom(wrapped("getOrder")).operation).toBe("sale");
    expect(saleFrom({ operation: "sell_refund", response: online() }).operation).toBe("return");
    expect(refusalsOf({ operation: "sell", response: online({}, { Operation: "sell_refund" }) })).toEqual([
      "1 operation",
    ]);
  });

  test("a direction on the opening or closing line is compared too, and any other value there is ignored", () => {
    const closing = (operation: string) => {
      const lines = [{ type: "OpenCheckSell" }, tea, pay(100), { ...close, param: { operation } }];
      return { response: { orderId: "A-1", taskTable: lines } };
    };
    expect(refusalsOf(tableOf({}, { operation: "SELL_REFUND" }))).toEqual(["3 taskTable[0].param.operation"]);
    for (const operation of ["buy", "sell_correction", "sell_refund_correction"]) {
      expect(refusalsOf(closing(operation))).toEqual(["3 taskTable[3].param.operation"]);
    }
    for (const operation of ["sell", "card", 5, {}, null]) {
      expect(saleFrom(tableOf({}, { operation })).operation).toBe("sale");
    }
  });

  test("a direction in a table of service lines is ignored", () => {
    const order = { response: { orderId: "A-1", operation: "close", taskTable: [{ type: "SyncTime" }] } };
    expect(read(order)).toMatchObject({ kind: "receipt", receipt: { kind: "service" } });
  });
});

describe("another service's key in the online format", () => {
  const item = { name: "Чай", price: 100, quantity: 2, sum: 200 };

  test.each([
    [{ paymentMethod: "full_prepayment" }, { method: 1 }],
    [{ PaymentObject: "service" }, { subject: 4 }],
  ])("a position of an online receipt takes the values of the cloud service's keys %j", (over, expected) => {
    expect(itemOf(saleFrom(online({ items: [{ ...item, ...over }] })))).toMatchObject(expected);
  });

  test.each([
    [online({ items: [{ ...item, vat_code: 11 }] }), "3 receipt.items[0].vat_code"],
    [online({ taxationSystem: 1 }), "3 receipt.taxation_system"],
    [online({}, { taxation_type: "osn" }), "3 taxation_type"],
    [online({ taxation: "all" }), "1 receipt.taxation"],
    [online({ cashless_payments: [{ sum: 200, method: 1, id: "7" }] }), "1 receipt.cashless_payments"],
  ])("an online receipt with another service's wrong key is refused at its place: %j", (order, expected) => {
    expect(refusalsOf(order)).toEqual([expected]);
  });

  test("the name that another service gives the tax system of an online receipt is read", () => {
    expect(saleFrom(online({ taxation: "osn" })).taxSystem).toBe(1);
  });
});
