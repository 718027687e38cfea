/** Random valid receipts that a format can express. */
import { kopecks, multiply, quantity } from "@fiscald/shared/amounts.js";
import { toInn, toKkm, toOrderId, toReceiptId } from "@fiscald/shared/ids.js";
import { defaultSubject, itemName } from "@fiscald/shared/receipt/formats/item-line.js";
import { measureOf } from "@fiscald/shared/receipt/measure.js";
import {
  type Agent,
  type Cashier,
  type ItemLine,
  type ItemRequisites,
  itemsOf,
  type PaperLine,
  type Payment,
  type ReceiptLine,
  type ReceiptRequisites,
  type SaleReceipt,
  type ServiceJob,
  type ServiceLine,
  type TaxSystem,
  type TextStyle,
  totalOf,
} from "@fiscald/shared/receipt/receipt.js";
import { taxIdOfRate, vatCodes } from "@fiscald/shared/receipt/vat.js";
import fc from "fast-check";

const letters = [..."абвГДЕёЖЗ abcXYZ019.,:/-№%\"'&<>\\日😀"];
const words = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 40 });

const name = words.map(itemName).filter((text) => text !== "");
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 3 });
const bytes = (max: number) =>
  fc.uint8Array({ minLength: 1, maxLength: max }).map((code) => Buffer.from(code).toString("base64"));

const agentData = {
  operation: fc.constant("Платёж"),
  agentPhones: fc.constantFrom(["+79990000001"], ["+79990000001", "+79990000003"]),
  operatorPhones: fc.constant(["+79990000002"]),
  transferPhones: fc.constant(["+79990000004"]),
  transferName: name,
  transferAddress: fc.constant("Москва"),
  transferInn: fc.constant(toInn("7700000000")),
};

/** Agents of these kinds need their data. */
const agentKind = fc.oneof(
  fc.record({ type: fc.constantFrom(1, 2, 4, 8), data: fc.record(agentData) }),
  fc.record({
    type: fc.constantFrom(16, 32, 64),
    data: fc.record(agentData, { requiredKeys: ["agentPhones"] }),
  }),
);

const agentSupplier = fc.record({
  supplierName: maybe(name),
  supplierPhones: fc.array(fc.constantFrom("+79001112233", "+74951234567", "+78005553535"), { maxLength: 3 }),
  supplierInn: maybe(fc.constantFrom(toInn("7700000000"), toInn("770000000000"))),
});

const agent: fc.Arbitrary<Agent> = fc
  .tuple(agentKind, agentSupplier)
  .map(([kind, supplier]) => ({ ...kind, ...supplier }));

/** No two codes are alike, because one code is one piece. */
const markingCode = fc
  .uuid()
  .map((serial) => Buffer.from(`010460000000000821${serial.slice(0, 13)}\u001d93dGVz`).toString("base64"));

/** 20 % is in force for refunds only. */
const ratesInForce = fc.constantFrom(...vatCodes.filter((code) => code !== 1 && code !== 3));

const itemRequisites: fc.Arbitrary<ItemRequisites | null> = maybe(
  fc.record(
    {
      additional: fc.constant("доп. реквизит"),
      excise: fc.integer({ min: 0, max: 100_000 }).map(kopecks),
      industry: fc.constant({ authority: "030", date: "21.11.2023", number: "1944", value: "UUID=1&Time=2" }),
    },
    { requiredKeys: ["excise"] },
  ),
);

/** `markups`: the total may be above price x quantity. */
function item(options: { readonly returns: boolean; readonly markups: boolean }): fc.Arbitrary<ItemLine> {
  return fc
    .record({
      name,
      price: fc.integer({ min: 0, max: 5_000_000 }),
      millionths: fc.oneof(
        fc.integer({ min: 1, max: 50 }).map((units) => units * 1_000_000),
        fc.integer({ min: 1, max: 50_000 }).map((thousandths) => thousandths * 1000),
        fc.integer({ min: 1, max: 50_000_000 }),
      ),
      off: fc.integer({ min: options.markups ? -100 : 0, max: 100 }),
      tax: maybe(fc.oneof(fc.integer({ min: 0, max: 12 }), ratesInForce.map(taxIdOfRate))),
      department: fc.integer({ min: 0, max: 16 }),
      method: fc.integer({ min: 1, max: 7 }),
      subject: maybe(fc.constantFrom(1, 2, 4, 10, 12, 27, 30, 33)),
      unit: maybe(fc.constantFrom("шт", "кг", "Литр", "упак.")),
      measure: maybe(fc.constantFrom(0, 11, 41, 255)),
      agent: maybe(agent),
      goodsCode: maybe(bytes(32)),
      markingCode: maybe(markingCode),
      countryCode: maybe(fc.constantFrom("643", "008")),
      customsDeclaration: maybe(fc.constant("10702020/060520/0013422")),
      printSum: options.returns ? fc.boolean() : fc.constant(false),
      requisites: itemRequisites,
    })
    .map(({ millionths, off, subject, measure, requisites, ...rest }): ItemLine => {
      const resolved = measure ?? measureOf(rest.unit);
      const isPiece = rest.markingCode !== null && resolved === 0;
      const count = quantity(isPiece ? 1_000_000 : millionths);
      const price = kopecks(rest.price);
      const gross = multiply(price, count);
      const total = kopecks(gross - Math.trunc((gross * off) / 100));
      return {
        ...rest,
        type: "item",
        price,
        quantity: count,
        total,
        subject: subject === null || (subject === 33 && rest.markingCode === null) ? defaultSubject(rest) : subject,
        measure: resolved,
        ...(requisites === null ? {} : { requisites }),
      };
    });
}

const alignment = fc.constantFrom("left", "center", "right");

const style: fc.Arbitrary<TextStyle> = fc.record({
  font: fc.constantFrom(0, 1, 2, 3),
  bold: fc.boolean(),
  italic: fc.boolean(),
  doubleHeight: fc.boolean(),
  underline: fc.boolean(),
  overline: fc.boolean(),
  negative: fc.boolean(),
  rotation: fc.constantFrom(0, 1, 2, 3),
  wrap: fc.boolean(),
  alignment,
  newLine: fc.boolean(),
  maxLineSpacing: fc.boolean(),
});

const paperLine: fc.Arbitrary<PaperLine> = fc.oneof(
  fc.record({
    type: fc.constant("text"),
    content: fc.oneof(
      fc
        .string({ unit: "grapheme" })
        .filter((text) => !/^(trait|dash)$/i.test(text))
        .map((text) => ({ kind: "text", text }) as const),
      fc.constantFrom({ kind: "trait" } as const, { kind: "dash" } as const),
    ),
    style,
  }),
  fc.record({
    type: fc.constant("barcode"),
    symbology: fc.constant("ean13"),
    data: fc.constantFrom("460000000000", "4600000000008"),
    heightMm: fc.integer({ min: 1, max: 255 }),
    printText: fc.boolean(),
    alignment,
  }),
  fc.record({
    type: fc.constant("barcode"),
    symbology: fc.constantFrom("code39", "qr"),
    data: fc.constantFrom("A-1042 $/+%.", "0"),
    heightMm: fc.constant(50),
    printText: fc.boolean(),
    alignment,
  }),
  fc.record({ type: fc.constant("image"), source: fc.constantFrom("logo.png", "file:///a/б.png"), alignment }),
  fc.constantFrom({ type: "header" } as const, { type: "footer" } as const, { type: "cut" } as const),
);

const orderId = fc
  .string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 30 })
  .map((text) => toOrderId(text))
  .filter((text) => text !== "");

const job = {
  receiptId: maybe(fc.uuid().map((text) => toReceiptId(text))),
  kkm: maybe(fc.constant(toKkm("0001234567012345"))),
};

const contact = fc.constantFrom("buyer@example.ru", "почта@пример.рф", "+79123456789", "+4930901820");

const head = {
  contact: maybe(contact),
  internetUrl: maybe(fc.constantFrom("https://shop.example", "shop.example")),
  settlementPlace: maybe(name),
  cashier: maybe(fc.record<Cashier>({ name, inn: maybe(fc.constant(toInn("770000000000"))) })),
  taxSystem: maybe(fc.constantFrom<TaxSystem>(1, 2, 4, 16, 32)),
  requisites: maybe(
    fc.record<ReceiptRequisites, "additional">(
      {
        buyer: fc.constantFrom({ name: "ООО Ромашка", inn: toInn("7736050003") }, { birthDate: "17.05.1990" }),
        additional: fc.constant("0123456789"),
        userProperty: fc.constant({ name: "Стол", value: "7" }),
      },
      { requiredKeys: ["additional"] },
    ),
  ),
};

/** The payments cover the total: cashless forms pay at most the total, cash pays the rest, perhaps with change. */
function paymentsOver(total: number, shares: readonly number[], change: number): readonly Payment[] {
  let left = total;
  const cashless = shares.map((share, index) => {
    const sum = Math.trunc((left * share) / 100);
    left -= sum;
    return { typeClose: index + 1, sum: kopecks(sum) };
  });
  return [{ typeClose: 0, sum: kopecks(left + change) }, ...cashless].filter(({ sum }) => sum !== 0);
}

function saleReceipt(options: {
  readonly format: "task-table" | "online";
  readonly operation: "sale" | "return";
}): fc.Arbitrary<SaleReceipt> {
  const { format, operation } = options;
  const isTable = format === "task-table";
  const items = item({ returns: isTable && operation === "return", markups: isTable });
  const lines: fc.Arbitrary<ReceiptLine[]> = isTable
    ? fc
        .tuple(items, fc.array(fc.oneof(items, paperLine), { maxLength: 8 }))
        .chain(([first, others]) => fc.shuffledSubarray([first, ...others], { minLength: others.length + 1 }))
    : fc.array(items, { minLength: 1, maxLength: 8 });
  return fc
    .record({
      ...job,
      ...head,
      orderId,
      lines,
      shares: fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 4 }),
      change: fc.constantFrom(0, 0, 5000),
      printDoc: fc.boolean(),
      cancelFirst: isTable ? fc.boolean() : fc.constant(false),
      expectedInn: maybe(fc.constant(toInn("7700000000"))),
    })
    .map(({ internetUrl, settlementPlace, shares, change, printDoc, requisites, ...rest }): SaleReceipt => {
      const internet = internetUrl !== null && rest.contact !== null ? { url: internetUrl } : null;
      const receipt: SaleReceipt = {
        ...rest,
        kind: "receipt",
        format,
        operation,
        payments: [],
        internet,
        printDoc: printDoc || (rest.contact === null && internet === null),
        settlementPlace: internet === null ? settlementPlace : null,
        cancelledByOrder: false,
        ...(requisites === null ? {} : { requisites }),
      };
      const total = itemsOf(receipt).reduce((sum, line) => sum + line.total, 0);
      return { ...receipt, payments: paymentsOver(total, shares, change) };
    })
    .filter((receipt) => totalOf(receipt) > 0);
}

const operations = ["sale", "return"] as const;

export const anyTableReceipt = fc.oneof(
  ...operations.map((operation) => saleReceipt({ format: "task-table", operation })),
);
export const anyOnlineReceipt = fc.oneof(
  ...operations.map((operation) => saleReceipt({ format: "online", operation })),
);

const serviceLine: fc.Arbitrary<ServiceLine> = fc.oneof(
  fc.record({
    type: fc.constant("cash"),
    direction: fc.constantFrom("in", "out"),
    sum: fc.integer({ min: 1, max: 1_000_000 }).map(kopecks),
  }),
  fc.record({ type: fc.constant("report"), report: fc.constantFrom("z", "x", "sections", "cashiers", "hours") }),
  fc.constant({ type: "sync-time" } as const),
  paperLine,
);

export const anyServiceJob: fc.Arbitrary<ServiceJob> = fc.record({
  ...job,
  kind: fc.constant("service"),
  orderId: maybe(orderId),
  format: fc.constant("task-table"),
  cancelFirst: fc.boolean(),
  lines: fc.array(serviceLine, { minLength: 1, maxLength: 8 }),
});
