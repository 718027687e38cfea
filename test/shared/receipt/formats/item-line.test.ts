import { totalOf } from "@fiscald/shared/receipt/receipt.js";
import {
  close,
  item,
  itemOf,
  pay,
  problemsFrom,
  read,
  refund,
  refusalsOf,
  saleFrom,
  saleOf,
  sell,
  table,
} from "../../../support/order-samples.js";

describe("the values of a position", () => {
  test("the refusal of a price with a comma asks for a dot", () => {
    const [found] = problemsFrom(saleOf({ price: "1,50", quantity: 1 }, 1.5));
    expect(found?.message).toContain('with at most 2 decimals after a dot, not "1,50"');
  });

  test.each([
    ["price is missing", { price: undefined }, "3 price"],
    ["price is null", { price: null }, "3 price"],
    ["quantity is missing", { quantity: undefined }, "3 quantity"],
    ["price is negative", { price: -1 }, "1 price"],
    ["price has three decimals", { price: 1.005 }, "1 price"],
    ["price has a comma", { price: "1,50", quantity: 1 }, "1 price"],
    ["price is no number", { price: "ten" }, "1 price"],
    ["price is true", { price: true }, "1 price"],
    ["price is a list", { price: [1] }, "1 price"],
    ["price has nine digits", { price: 100_000_000 }, "1 price"],
    ["quantity is zero", { quantity: "0.000" }, "1 quantity"],
    ["quantity is negative", { quantity: -2 }, "1 quantity"],
    ["quantity has seven decimals", { quantity: 0.1234567 }, "1 quantity"],
    ["price x quantity is too large", { price: 99_999_999, quantity: 2 }, "1 price"],
    ["price x quantity is beyond exact numbers", { price: 99_999_999, quantity: 99_999_999 }, "1 price"],
    ["tax is a word", { tax: "vat22" }, "1 tax"],
    ["tax is a fraction", { tax: 1.5 }, "1 tax"],
    ["department is above 16", { department: 17 }, "1 department"],
    ["discountType is unknown", { discountType: 2 }, "1 discountType"],
    ["discountType is missing", { discountValue: 5 }, "3 discountType"],
    ["the discount is above the line", { price: 10, discountType: 0, discountValue: 10.01 }, "1 discountValue"],
    ["the discount is above 100 percent", { price: 10, discountType: 1, discountValue: 101 }, "1 discountValue"],
    [
      "the discount has three decimals of a rouble",
      { price: 10, discountType: 0, discountValue: 0.125 },
      "1 discountValue",
    ],
    ["the discount is no number", { price: 10, discountType: 1, discountValue: "half" }, "1 discountValue"],
    [
      "the markup is larger than a receipt can carry",
      { price: 1e6, discountType: 1, discountValue: "-9999999999" },
      "1 discountValue",
    ],
    ["itemType is unknown", { itemType: "thing" }, "1 itemType"],
    ["itemType is between the numbers", { itemType: 28 }, "1 itemType"],
    ["paymentMode is unknown", { paymentMode: 8 }, "1 paymentMode"],
    ["agentType has two bits", { agentType: 3 }, "1 agentType"],
    ["a supplier has no agentType", { supplierName: "ООО" }, "3 agentType"],
    ["the supplier's INN is short", { agentType: 1, supplierInn: "123" }, "1 supplierInn"],
    ["the marking code is no base64", { markingCode: "01046!" }, "1 markingCode"],
    ["two pieces have one marking code", { quantity: 2, markingCode: "AAEC" }, "1 quantity"],
    ["the goods code is too long", { goodsCode: Buffer.alloc(33).toString("base64") }, "1 goodsCode"],
    ["the country is no three digits", { countryCode: "RU" }, "1 countryCode"],
    ["measure is unknown", { measure: 1 }, "1 measure"],
  ])("a position is refused when %s", (_, param, expected) => {
    expect(refusalsOf(saleOf({ price: 1, quantity: 1, ...param }, 1))).toContain(
      expected.replace(" ", " taskTable[1].param."),
    );
  });

  test.each([
    ["the name is missing", null, "3 taskTable[1].data"],
    ["the name is blank", "  \n ", "3 taskTable[1].data"],
    ["the name is an object", {}, "1 taskTable[1].data"],
  ])("a position with a wrong text is refused when %s", (_, data, expected) => {
    expect(refusalsOf(table([sell, item({ price: 1, quantity: 1 }, data), pay(1), close]))).toEqual([expected]);
  });

  test("a position with only price and quantity has the spec's defaults", () => {
    expect(itemOf(saleFrom(saleOf({ price: 10, quantity: 1 }, 10)))).toEqual({
      type: "item",
      name: "Чай",
      price: 1000,
      quantity: 1_000_000,
      total: 1000,
      tax: null,
      department: 1,
      subject: 1,
      method: 4,
      unit: null,
      measure: 0,
      agent: null,
      goodsCode: null,
      markingCode: null,
      countryCode: null,
      customsDeclaration: null,
      printSum: false,
    });
  });

  test.each([
    ["a name of one line", "Чай\n\tчёрный ", "Чай чёрный"],
    ["a name in its composed form", "Йод", "Йод"],
    ["a name of 128 characters", "я".repeat(200), "я".repeat(128)],
    ["a cut name without half a character", `${"я".repeat(127)}😀`, "я".repeat(127)],
    ["a name without line ends, tabs and no-break spaces", "a\r\nb\tc\u00a0d", "a b c d"],
    ["a number as a name", 42, "42"],
  ])("the data of a position gives %s", (_, data, expected) => {
    const receipt = saleFrom(table([sell, item({ price: 1, quantity: 1 }, data), pay(1), close]));
    expect(itemOf(receipt).name).toBe(expected);
  });

  test("a position whose name is cut has a warning with its place and both lengths", () => {
    const order = table([sell, item({ price: 1, quantity: 1 }, "x".repeat(130)), pay(1), close]);
    expect(read(order)).toMatchObject({
      warnings: [{ path: "taskTable[1].data", message: expect.stringMatching(/130 .* cut to 128/) }],
    });
  });

  test.each([
    ["10 percent of 3 x 19.99", { price: 19.99, quantity: 3, discountType: 1, discountValue: 10 }, 5397],
    ["roubles off the line, not off the unit", { quantity: 3, discountType: 0, discountValue: 10 }, 29_000],
    ["the whole line", { discountType: 1, discountValue: 100 }, 0],
    ["a percentage with the site's rounding", { discountType: 1, discountValue: 100 / 3 }, 6667],
    ["a percentage as text with many decimals", { discountType: 1, discountValue: "33.333333" }, 6667],
    ["a third of a percent", { discountType: 1, discountValue: "33.3333" }, 6667],
    ["a markup in roubles", { discountType: 0, discountValue: "-5.50" }, 10_550],
    ["a markup in percent", { price: 99.95, discountType: 1, discountValue: -10 }, 10_995],
    ["half a kopeck of discount, upwards", { price: 0.05, discountType: 1, discountValue: 10 }, 4],
    ["nothing when the value is zero", { price: 1, discountValue: 0 }, 100],
    ["nothing when there is only a type", { price: 1, discountType: 1, discountValue: "" }, 100],
    ["a fractional quantity", { price: 459.9, quantity: 1.237 }, 56_890],
  ])("the discount of a position, %s, gives the exact total", (_, param, expected) => {
    const receipt = saleFrom(
      table([
        sell,
        item({ price: 100, quantity: 1, ...param }),
        item({ price: 1, quantity: 1 }),
        pay(expected / 100 + 1, 0),
        close,
      ]),
    );
    expect(itemOf(receipt).total).toBe(expected);
    expect(totalOf(receipt)).toBe(expected + 100);
  });

  test.each([
    ["an alias of the subject", { itemType: "SERVICE" }, { subject: 4 }],
    ["a number of the subject", { itemType: "12" }, { subject: 12 }],
    ["an alias of the method", { paymentMode: "full_prepayment" }, { method: 1 }],
    ["an advance, whose subject is a payment", { paymentMode: 3 }, { method: 3, subject: 10 }],
    ["a marked position", { markingCode: "MDEw" }, { subject: 33, markingCode: "MDEw" }],
    ["a unit by its name", { unit: "КГ." }, { unit: "КГ.", measure: 11 }],
    ["an unknown unit", { unit: "бухта" }, { measure: 255 }],
    ["a stated measure", { unit: "кг", measure: "0" }, { measure: 0 }],
    [
      "an agent with two phones and no INN",
      { agentType: 64, supplierInn: "000000000000", supplierPhone: ["+71", "+72"] },
      { agent: { type: 64, supplierName: null, supplierPhones: ["+71", "+72"], supplierInn: null } },
    ],
    [
      "phones as people write them, several in one text too",
      { agentType: 64, supplierPhone: ["8 (495) 123-45-67", "88005553535, +7 (912) 345-67-89", "доб. 5, 88005553535"] },
      { agent: { supplierPhones: ["+74951234567", "+78005553535", "+79123456789", "доб. 5, 88005553535"] } },
    ],
    ["no supplier when the list of phones is empty", { supplierPhone: [] }, { agent: null }],
  ])("an extension of a position is read: %s", (_, param, expected) => {
    expect(itemOf(saleFrom(saleOf({ price: 1, quantity: 1, ...param }, 1)))).toMatchObject(expected);
  });

  test.each([
    [{ supplierPhone: ["12", "+74951234567"] }, ["supplierPhone"]],
    [{ supplierPhone: "abc" }, ["supplierPhone"]],
    [{ agentData: { agentPhones: ["12"], transferPhones: ["abc"] } }, ["agentData"]],
    [{ supplierPhone: "8 (495) 123-45-67", agentData: { operatorPhones: ["+74951234567"] } }, []],
  ])("phones %j of a supplier or an agent that are no numbers are warned of at %j", (param, fields) => {
    const order = read(saleOf({ price: 1, quantity: 1, agentType: 64, tax: 1, ...param }, 1));
    const said = order.kind === "receipt" ? order.warnings : null;
    expect(said?.map(({ path, message }) => [path, message])).toEqual(
      fields.map((name) => [`taskTable[1].param.${name}`, "is no phone number: it is registered as it is"]),
    );
  });

  test("a list of two industry properties is refused as a list of several, and a list of one is read", () => {
    const one = { federal_id: "030", date: "21.11.2023", number: "1944", value: "UUID=1" };
    const withList = (industryProps: unknown) => saleOf({ price: 1, quantity: 1, industryProps }, 1);
    expect(problemsFrom(withList([one, one])).map(({ message }) => message)).toEqual([
      "is a list of several elements, and takes one",
    ]);
    expect(itemOf(saleFrom(withList([one]))).requisites?.industry?.number).toBe("1944");
  });

  test("the receipt's sum is printed behind a Return line that asks for it, and never behind a line of a sale", () => {
    const returned = { type: "Return", data: "Чай", param: { price: 1, quantity: 1, enableCheckSumm: "1" } };
    expect(itemOf(saleFrom(table([refund, returned, pay(1), close]))).printSum).toBe(true);
    expect(itemOf(saleFrom(saleOf({ price: 1, quantity: 1, enableCheckSumm: true }, 1))).printSum).toBe(false);
  });
});
