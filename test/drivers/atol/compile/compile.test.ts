/** JSON tasks as the maker's manual spells them. */
import type { Task } from "@fiscald/drivers/atol/protocol/tasks.js";
import { kopecks, quantity } from "@fiscald/shared/amounts.js";
import { toInn } from "@fiscald/shared/ids.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { z } from "zod";
import { service } from "../../contract/jobs.js";
import { item, sale, text } from "../../contract/receipts.js";
import { inService, type ServiceOptions, type ServiceWorld } from "../service-world.js";

const commandSchema = z.object({ kind: z.string(), task: z.custom<Task>().optional() });

/** The tasks of all programs, in order. */
async function tasksOf(world: ServiceWorld, receipt: Receipt): Promise<readonly unknown[]> {
  const programs = await world.compile(receipt, { mark: null });
  return programs.flatMap(({ steps }) => steps.flatMap(({ command }) => commandSchema.parse(command).task ?? []));
}

function expectTasks(receipt: Receipt, tasks: readonly unknown[], options: ServiceOptions = {}): Promise<void> {
  return inService(options, async (world) => {
    await world.openShift();
    expect(await tasksOf(world, receipt)).toEqual(tasks);
  });
}

const operator = { name: "Иванова А.А." };
const position = {
  type: "position",
  name: "Чай",
  price: 100,
  quantity: 1,
  amount: 100,
  department: 1,
  paymentMethod: "fullPayment",
  paymentObject: "commodity",
  tax: { type: "vat22" },
};
const receipt = {
  type: "sell",
  taxationType: "osn",
  electronically: false,
  ignoreNonFiscalPrintErrors: true,
  operator,
  items: [position],
  payments: [{ type: "cash", sum: 100 }],
  total: 100,
};

test("a sale becomes one ATOL task with its operator, tax system, position and payment", () =>
  expectTasks(sale(), [receipt]));

test("a return becomes an ATOL task that names the cashier's INN, contact and place", () =>
  expectTasks(
    sale({
      operation: "return",
      contact: "+79991234567",
      settlementPlace: "г. Тверь",
      cashier: { name: "Петрова", inn: toInn("771234567890") },
      payments: [0, 1, 2, 3, 4].map((typeClose) => ({ typeClose, sum: kopecks(2_000) })),
    }),
    [
      {
        ...receipt,
        type: "sellReturn",
        operator: { name: "Петрова", vatin: "771234567890" },
        clientInfo: { emailOrPhone: "+79991234567" },
        paymentsPlace: "г. Тверь",
        payments: ["cash", "electronically", "prepaid", "credit", "other"].map((type) => ({ type, sum: 20 })),
      },
    ],
  ));

test("a receipt without paper is sent to ATOL electronically, with the buyer's address", () =>
  expectTasks(sale({ printDoc: false, contact: "a@b.ru" }), [
    { ...receipt, electronically: true, clientInfo: { emailOrPhone: "a@b.ru" } },
  ]));

test("a weighed position is exact, and a position whose price does not meet its sum becomes two", () =>
  expectTasks(
    sale({
      lines: [
        item({ price: kopecks(45_990), quantity: quantity(1_237_000), total: kopecks(56_890) }),
        item({ price: kopecks(10_000), quantity: quantity(3_000_000), total: kopecks(20_000) }),
      ],
      payments: [{ typeClose: 0, sum: kopecks(76_890) }],
    }),
    [
      {
        ...receipt,
        items: [
          { ...position, price: 459.9, quantity: 1.237, amount: 568.9 },
          { ...position, price: 66.67, quantity: 2, amount: 133.34 },
          { ...position, price: 66.66, quantity: 1, amount: 66.66 },
        ],
        payments: [{ type: "cash", sum: 768.9 }],
        total: 768.9,
      },
    ],
  ));

describe("a receipt on a register of several tax systems", () => {
  const several: ServiceOptions = { taxSystems: 0b100011 };

  test("a receipt that names its tax system is sent with that one to a register of several", () =>
    expectTasks(sale({ taxSystem: 32 }), [{ ...receipt, taxationType: "patent" }], several));

  test.each([
    ["none is named", sale()],
    ["one is named that is not registered", sale({ taxSystem: 4 })],
  ])(
    "a receipt on a register of several tax systems is refused before the first byte when %s (error 143)",
    (_title, order) =>
      inService(several, async (world) => {
        await expect(world.compile(order)).rejects.toMatchObject({ code: "receipt.unsupported" });
      }),
  );
});

test("agent, supplier, goods code, unit, country and customs stand in the position of the ATOL task", () =>
  expectTasks(
    sale({
      lines: [
        item({
          subject: 12,
          method: 1,
          unit: "шт",
          agent: { type: 32, supplierName: "ООО Поставщик", supplierPhones: ["+79990000001"], supplierInn: null },
          goodsCode: "RE0EIg==",
          countryCode: "643",
          customsDeclaration: "10702030/260917/0123456",
        }),
      ],
    }),
    [
      {
        ...receipt,
        items: [
          {
            ...position,
            paymentMethod: "fullPrepayment",
            paymentObject: "composite",
            measurementUnit: "шт",
            agentInfo: { agents: ["commissionAgent"] },
            supplierInfo: { phones: ["+79990000001"], name: "ООО Поставщик", vatin: "000000000000" },
            nomenclatureCode: "RE0EIg==",
            countryCode: "643",
            customsDeclaration: "10702030/260917/0123456",
          },
        ],
      },
    ],
  ));

const agent = { type: 64, supplierName: null, supplierPhones: [], supplierInn: null };
test.each([
  ["cashier.name", sale({ cashier: { name: "К".repeat(65), inn: null } })],
  ["contact", sale({ contact: `${"a".repeat(60)}@b.ru` })],
  ["settlementPlace", sale({ settlementPlace: "г".repeat(257) })],
  ["items[0].unit", sale({ lines: [item({ unit: "килограммы-и-граммы" })] })],
  ["items[0].customsDeclaration", sale({ lines: [item({ customsDeclaration: "1".repeat(33) })] })],
  ["items[0].agent.supplierName", sale({ lines: [item({ agent: { ...agent, supplierName: "Б".repeat(257) } })] })],
  [
    "items[0].agent.supplierPhones",
    sale({ lines: [item({ agent: { ...agent, supplierPhones: ["+7".padEnd(20, "9")] } })] }),
  ],
])("a receipt for ATOL with %s longer than its tag is refused by that path, never cut", (place, order) =>
  inService({}, async (world) => {
    await expect(world.compile(order)).rejects.toMatchObject({ code: "receipt.unsupported", place });
  }),
);

test("a cashier's name of 64 characters is sent to ATOL whole, and a longer one is refused in a Z report too", () =>
  inService({}, async (world) => {
    await world.openShift();
    const name = "К".repeat(64);
    expect(await tasksOf(world, sale({ cashier: { name, inn: null } }))).toMatchObject([{ operator: { name } }]);
    const close = service([{ type: "report", report: "z" }]);
    await expect(world.compile(close, { cashier: { name: `${name}К`, inn: null } })).rejects.toMatchObject({
      place: "cashier.name",
    });
  }));

test("the order's mark is sent to ATOL as a userAttribute", () =>
  inService({}, async (world) => {
    const [, sell] = await world.compile(sale(), { mark: "A-1 0badcafe" });
    expect(JSON.stringify(sell?.steps)).toContain(
      '{"type":"userAttribute","name":"Заказ","value":"A-1 0badcafe","print":true}',
    );
  }));

test("an internet receipt is sent to ATOL with tag 1125 among its customParameters", () =>
  expectTasks(sale({ contact: "a@b.ru", internet: { url: "https://shop.example" } }), [
    {
      ...receipt,
      clientInfo: { emailOrPhone: "a@b.ru" },
      paymentsPlace: "https://shop.example",
      customParameters: [{ id: 1125, value: true }],
    },
  ]));

test.each([
  ["parameter", []],
  ["ignored", [{ code: "receipt.unsupported", message: expect.stringMatching(/1125.*internetByParameter/) }]],
])(
  "an internet receipt is printed with a warning unless the document shows the sign, the parameter being %s",
  (internet, warnings) =>
    inService({ unconfirmed: { internet } }, async (world) => {
      const order = sale({ contact: "a@b.ru", internet: { url: "https://shop.example" } });
      expect(await world.print(order)).toMatchObject({ kind: "printed", warnings });
      expect(world.receipts).toHaveLength(1);
      expect(world.lastReceipt.tags.some(({ tag }) => tag === 1125)).toBe(internet === "parameter");
    }),
);

test("an internet receipt on a register that is not registered for such is printed with a warning (tag 1108)", () =>
  inService({}, async (world) => {
    world.onCommand("getRegistrationInfo", ({ act, answer }) => {
      const told = Buffer.from(act() ?? []).toString("utf8");
      answer(Uint8Array.from(Buffer.from(told.replace('"internet":true', '"internet":false'), "utf8")));
      return "handled";
    });
    await world.connect();
    const order = sale({ contact: "a@b.ru", internet: { url: "https://shop.example" } });
    expect(await world.print(order)).toMatchObject({
      kind: "printed",
      warnings: [{ message: expect.stringContaining("1108") }],
    });
  }));

test("an internet receipt is refused where the driver's option for its sign is off, and the fault names the option", () =>
  inService({ options: { internetByParameter: false } }, async (world) => {
    const order = sale({ contact: "a@b.ru", internet: { url: "https://shop.example" } });
    await expect(world.compile(order)).rejects.toMatchObject({
      code: "receipt.unsupported",
      message: expect.stringContaining("internetByParameter"),
    });
  }));

test("texts, bar codes and pictures of a service job become items in print order", () =>
  expectTasks(
    service([
      text("Спасибо", { alignment: "right", doubleHeight: true }),
      { type: "barcode", symbology: "qr", data: "https://a.ru", heightMm: 20, printText: false, alignment: "center" },
      { type: "image", source: "logo.png", alignment: "left" },
      { type: "footer" },
    ]),
    [
      {
        type: "nonFiscal",
        items: [
          { type: "text", text: "Спасибо".padStart(32), alignment: "left", wrap: "none", doubleHeight: true },
          {
            type: "barcode",
            barcode: "https://a.ru",
            barcodeType: "QR",
            alignment: "center",
            height: 160,
            printText: false,
          },
          { type: "pixels", pixels: expect.stringMatching(/^AQEBAQ/), width: 16, scale: 100, alignment: "left" },
        ],
        printFooter: true,
      },
    ],
    { options: { pictures: true } },
  ));

test("texts with looks that ATOL's fonts lack are drawn as pictures, at most a hundred in one document", () =>
  inService({ options: { pictures: true } }, async (world) => {
    await world.openShift();
    const lines = [
      text("а"),
      ...Array.from({ length: 101 }, () => text("б", { italic: true })),
      text("в", { font: 1 }),
    ];
    const [program] = await world.compile(service(lines));
    const task = z
      .object({ items: z.array(z.looseObject({ type: z.string() })) })
      .parse(commandSchema.parse(program?.steps.at(-1)?.command).task);
    const types = task.items.map(({ type }) => type);
    expect(types).toEqual(["text", ...Array.from({ length: 100 }, () => "pixels"), "text", "text"]);
    expect(program?.warnings).toEqual(["more than 100 rows of drawn text in one document: the rest is printed plain"]);
  }));

test("texts of two looks in one row are printed plain where nothing can be drawn, with a warning for each look", () =>
  inService({}, async (world) => {
    await world.openShift();
    const lines = [text("а", { doubleHeight: true, newLine: false }), text("б", { bold: true })];
    const [program] = await world.compile(service(lines));
    expect(program?.warnings).toEqual([
      "the register has no bold text: printed plain",
      "the register has no doubleHeight text: printed plain",
    ]);
  }));

test("cash, reports and the clock of a service job each become an ATOL task", () =>
  inService({}, async (world) => {
    await world.openShift();
    const job = service([
      { type: "cash", direction: "in", sum: kopecks(12_345) },
      { type: "cash", direction: "out", sum: kopecks(5) },
      { type: "report", report: "x" },
      { type: "report", report: "sections" },
      { type: "report", report: "z" },
      { type: "sync-time" },
    ]);
    expect(await tasksOf(world, job)).toEqual([
      { type: "cashIn", operator, cashSum: 123.45 },
      { type: "cashOut", operator, cashSum: 0.05 },
      { type: "reportX", operator },
      { type: "reportDepartments", operator },
      { type: "closeShift", operator },
      { type: "setDateTime", dateTime: expect.stringMatching(/^2026\.11\.20 15:0\d:\d\d$/) },
    ]);
  }));

test("a receipt without a cashier is refused before the first byte, as the register would refuse it (error 172)", () =>
  inService({}, async (world) => {
    await expect(world.compile(sale(), { cashier: null })).rejects.toMatchObject({ code: "receipt.unsupported" });
  }));
