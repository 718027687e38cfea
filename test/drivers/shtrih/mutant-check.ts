/**
 * Drives the emulated register of the built package with each driver package that is named on the command line, and holds
 * what the fiscal memory then has against figures written down here. Prints a JSON line for each: null, or what is wrong.
 */
import { deepEqual } from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { FiscalDriver } from "@fiscald/drivers/fiscal-driver.js";
import type { StoredDocument } from "@fiscald/emulators/memory/documents.js";
import { type FiscalTag, numberOf, textOf } from "@fiscald/emulators/memory/fiscal-tag.js";
import { prepareShtrih } from "@fiscald/emulators/shtrih/emulator.js";
import { kopecks, quantity } from "@fiscald/shared/amounts.js";
import { toInn } from "@fiscald/shared/ids.js";
import type { ItemLine, SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { makeItem, makeReceipt, makeService as service } from "../../support/make-job.js";
import { makeRegister } from "../contract/make-register.js";
import type { ContractSubject } from "../contract/subject.js";
import { inWorld } from "../contract/world.js";

type CreateDriver = ContractSubject["createDriver"];

const marking = Buffer.from("0104601234567893215abc\u001d93dGVz", "latin1");

function position(facts: Partial<ItemLine> & Pick<ItemLine, "name" | "total">): ItemLine {
  return makeItem({ department: 2, ...facts });
}

const sale: SaleReceipt = makeReceipt({
  lines: [
    position({ name: "Чай чёрный", price: kopecks(10_050), quantity: quantity(2_000_000), total: kopecks(20_100) }),
    // 19.99 with ten percent off: 17.99 each.
    position({
      name: "Со скидкой",
      price: kopecks(1999),
      quantity: quantity(3_000_000),
      total: kopecks(5397),
      tax: 2,
      subject: 3,
      method: 1,
    }),
    position({
      name: "Сыр",
      price: kopecks(45_990),
      quantity: quantity(1_237_000),
      total: kopecks(56_890),
      tax: 11,
      agent: {
        type: 64,
        supplierName: "ООО Поставщик",
        supplierPhones: ["+79990000001"],
        supplierInn: toInn("7712345678"),
      },
    }),
    position({ name: "Книга", price: kopecks(1), total: kopecks(1), tax: 10, countryCode: "643" }),
  ],
  payments: [
    { typeClose: 1, sum: kopecks(30_000) },
    { typeClose: 0, sum: kopecks(60_000) },
  ],
  contact: "buyer@example.com",
  internet: { url: "https://shop.example" },
  cashier: { name: "Петрова П.П.", inn: toInn("771234567890") },
});

/** Vat: tag 1199 of rows 1, 2, 11 and 10. Tax sums: 20/120, 10/110, 22/122 and 7/107 of the sums. */
const soldLines = [
  ["Чай чёрный", 10_050, 2_000_000, 20_100, 1, 3350, 2, 1, 4],
  ["Со скидкой", 1799, 3_000_000, 5397, 2, 491, 2, 3, 1],
  ["Сыр", 45_990, 1_237_000, 56_890, 11, 10_259, 2, 1, 4],
  ["Книга", 1, 1_000_000, 1, 10, 0, 2, 1, 4],
];

async function check(createDriver: CreateDriver): Promise<void> {
  await inWorld(subjectOf(createDriver, 2), async (world) => {
    const { core } = world.register;
    const identity = await world.live(world.driver.connect(world.signal));
    deepEqual([identity.kkm, identity.inn, identity.fn], ["0001234567012345", "7700000000", "9999078900000001"]);
    await world.openShift();
    const drawer = core.cash;

    const outcome = await world.print(sale);
    const sold = world.lastReceipt;
    deepEqual(outcome, { kind: "printed", warnings: [], document: numbersOf(sold) });
    deepEqual([sold.operation, sold.total, sold.change, sold.taxSystem, sold.printed], ["sale", 82_388, 7612, 1, true]);
    deepEqual(linesOf(sold), soldLines);
    deepEqual(paymentsOf(sold), [
      [0, 52_388],
      [1, 30_000],
    ]);
    deepEqual(
      [1008, 1021, 1187, 1203].map((tag) => textOf(sold.tags, tag)),
      ["buyer@example.com", "Петрова П.П.", "https://shop.example", "771234567890"],
    );
    deepEqual(numberOf(sold.tags, 1125), 1);
    deepEqual(textOf(inside(sold.tags, 1084), 1086), "A-1 0badcafe");
    const cheese = sold.lines[2]?.tags ?? [];
    deepEqual([numberOf(cheese, 1222), textOf(cheese, 1226)?.trim()], [64, "7712345678"]);
    deepEqual(textOf(inside(cheese, 1224), 1225), "ООО Поставщик");
    deepEqual(textOf(sold.lines[3]?.tags ?? [], 1230), "643");

    await world.print(service([{ type: "cash", direction: "in", sum: kopecks(50_000) }]));
    deepEqual(core.cash - drawer, 102_388);
    await world.print(service([{ type: "cash", direction: "out", sum: kopecks(20_000) }]));
    deepEqual(core.cash - drawer, 82_388);

    const sugar = position({ name: "Сахар", total: kopecks(5990), price: kopecks(5990), tax: 4 });
    await world.print(makeReceipt({ operation: "return", lines: [sugar] }));
    const returned = world.lastReceipt;
    deepEqual([returned.operation, returned.total, returned.change], ["return", 5990, 0]);
    deepEqual(linesOf(returned), [["Сахар", 5990, 1_000_000, 5990, 6, 0, 2, 1, 4]]);
    deepEqual(paymentsOf(returned), [[0, 5990]]);
    deepEqual(core.cash - drawer, 76_398);

    const state = await world.readState();
    deepEqual([state.lastFd, state.clock], [core.lastFd, core.now()]);
    deepEqual(state.drawer, { cash: drawer + 76_398, cashIn: 50_000, cashOut: 20_000 });
    const documents = await world.live(world.driver.documentsSince(sold.fd - 1, world.signal));
    const read = documents.filter(({ type }) => type === "receipt");
    deepEqual(
      read.map(({ fd, operation, total, fiscalSign, mark, shift }) => [fd, operation, total, fiscalSign, mark, shift]),
      [sold, returned].map((document) => [
        document.fd,
        document.operation,
        document.total,
        String(document.fiscalSign).padStart(10, "0"),
        "A-1 0badcafe",
        document.shift,
      ]),
    );
    deepEqual(
      read[0]?.items.map(({ name, price, quantity: amount, sum }) => [name, price, amount, sum]),
      soldLines.map((line) => line.slice(0, 4)),
    );
  });

  await inWorld(subjectOf(createDriver, 4), async (world) => {
    await world.openShift();
    const shoe = position({ name: "Ботинки", total: kopecks(100), markingCode: marking.toString("base64") });
    deepEqual((await world.print(makeReceipt({ lines: [{ ...shoe, price: kopecks(100) }] }))).kind, "printed");
    deepEqual(world.lastReceipt.lines[0]?.mark, marking.toString("hex"));
  });
}

function subjectOf(createDriver: CreateDriver, ffd: 2 | 4): ContractSubject {
  const model = prepareShtrih({ model: "desktop", protocol: "v1", unconfirmed: {}, wire: "loopback" });
  return { openRegister: ({ clock }) => makeRegister({ clock, model, ffd }), createDriver };
}

function numbersOf({ fn, fd, fiscalSign, shift, receiptNumber, time }: StoredDocument) {
  return { fn, fd, fiscalSign: String(fiscalSign).padStart(10, "0"), shift, receiptNumber, time };
}

function linesOf({ lines }: StoredDocument) {
  return lines.map((line) => [
    line.name,
    line.price,
    line.quantity,
    line.sum,
    line.vat,
    line.vatSum,
    line.department,
    line.subject,
    line.method,
  ]);
}

function paymentsOf({ payments }: StoredDocument) {
  return payments.map(({ typeClose, sum }) => [typeClose, sum]).sort(([a = 0], [b = 0]) => a - b);
}

function inside(tags: readonly FiscalTag[], tag: number): readonly FiscalTag[] {
  const found = tags.find((candidate) => candidate.tag === tag);
  return found !== undefined && "items" in found ? found.items : [];
}

for (const folder of process.argv.slice(2)) {
  const place = (path: string) => pathToFileURL(join(folder, "dist/shtrih", path)).href;
  const { createShtrihDriver }: typeof import("@fiscald/drivers/shtrih/driver.js") = await import(place("driver.js"));
  const { shtrihOptionsSchema }: typeof import("@fiscald/drivers/shtrih/options.js") = await import(
    place("options.js")
  );
  const createDriver: CreateDriver = (options): FiscalDriver =>
    createShtrihDriver({ ...options, options: shtrihOptionsSchema.parse({ link: "v1" }) });
  const wrong = await check(createDriver).then(
    () => null,
    (error: unknown) => String(error),
  );
  process.stdout.write(`${JSON.stringify(wrong)}\n`);
}
