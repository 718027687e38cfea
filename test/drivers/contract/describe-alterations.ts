/** A register that registers something else than it was sent is noticed when its document is read back, on every maker. */
import { compareTags } from "@fiscald/drivers/compare-tags.js";
import type { Alteration } from "@fiscald/emulators/memory/alter-document.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { toInn } from "@fiscald/shared/ids.js";
import type { VatCode } from "@fiscald/shared/receipt/vat.js";
import { readTags } from "./expect-sent.js";
import { item, sale } from "./receipts.js";
import type { ContractSubject } from "./subject.js";
import { inWorld } from "./world.js";

interface Row {
  readonly title: string;
  readonly alteration: Alteration;
  /** Differences on a register whose documents were read rightly before. */
  readonly found: readonly unknown[];
}

const rows: readonly Row[] = [
  {
    title: "22 % instead of 20 %",
    alteration: { change: [{ tag: 1199, from: 1, to: 11 }] },
    found: [{ tag: 1199, sent: "1", read: "11", weight: "hold" }],
  },
  {
    title: "a rate by the department of the line",
    alteration: { departmentRates: { 2: 6 } },
    found: [{ tag: 1199, sent: "2", read: "6", weight: "hold" }],
  },
  {
    title: "another method of settlement",
    alteration: { change: [{ tag: 1214, from: 4, to: 1 }] },
    found: [{ tag: 1214, sent: "4", read: "1", weight: "hold" }],
  },
  {
    title: "another tax system",
    alteration: { change: [{ tag: 1055, from: 1, to: 2 }] },
    found: [{ tag: 1055, sent: "1", read: "2", weight: "hold" }],
  },
  {
    title: "a return instead of a sale",
    alteration: { change: [{ tag: 1054, from: 1, to: 2 }] },
    found: [{ tag: 1054, sent: "1", read: "2", weight: "hold" }],
  },
  {
    title: "cash instead of a card",
    alteration: { change: [{ tag: 1081, from: 0, to: 1031 }] },
    found: [{ tag: 1081, sent: "15099", read: null, weight: "hold" }],
  },
  {
    title: "an agent's sign that is missing",
    alteration: { drop: [1222] },
    found: [{ tag: 1222, sent: "64", read: null, weight: "hold" }],
  },
  {
    title: "sums of lines that are a kopeck off",
    alteration: { rounding: "lines" },
    found: [
      { tag: 1043, sent: "10050", read: "10051", weight: "hold" },
      { tag: 1043, sent: "5049", read: "5048", weight: "hold" },
    ],
  },
  {
    title: "another subject of settlement",
    alteration: { change: [{ tag: 1212, from: 1, to: 4 }] },
    found: [{ tag: 1212, sent: "1", read: "4", weight: "warn" }],
  },
  {
    title: "a name that is cut",
    alteration: { nameLength: 5 },
    found: [{ tag: 1030, sent: "Чай белый", read: "Чай б", weight: "warn" }],
  },
  {
    title: "a buyer's address that is missing",
    alteration: { drop: [1008] },
    found: [{ tag: 1008, sent: "buyer@example.com", read: null, weight: "warn" }],
  },
];

const agent = { type: 64, supplierName: "ООО Поставщик", supplierPhones: [], supplierInn: toInn("7712345678") };

function receiptFor(taxOf: (vat: VatCode) => number) {
  return sale({
    contact: "buyer@example.com",
    taxSystem: 1,
    lines: [
      item({ name: "Чай белый", price: kopecks(10_050), total: kopecks(10_050), tax: taxOf(1), department: 1 }),
      item({ name: "Сахар", price: kopecks(5_049), total: kopecks(5_049), tax: taxOf(2), department: 2, agent }),
    ],
    payments: [{ typeClose: 1, sum: kopecks(15_099) }],
  });
}

export function describeAlterations(subject: ContractSubject): void {
  describe("a document of a register that alters receipts", () => {
    test.each(rows)("a receipt that the register altered is noticed by its document: $title", ({ alteration, found }) =>
      inWorld(subject, async (world) => {
        const receipt = receiptFor((vat) => world.taxOf(vat));
        await world.openShift();
        const [program] = await world.compile(receipt);
        if (program?.sent === undefined) throw new Error("no receipt");
        const { sent } = program;
        const readBefore = new Set([sent.head, ...sent.items].flatMap((tags) => Object.keys(tags).map(Number)));
        world.register.addFault({ effect: "alter", ...alteration });
        await world.run(program);
        const read = await readTags(world, world.lastReceipt.fd);
        if (read === undefined) throw new Error("a document without tags");
        expect(compareTags(sent, read, readBefore).differences).toEqual(found);
      }),
    );

    test("a receipt whose total the register rounded down differs from what was sent in its total and payment", () =>
      inWorld(subject, async (world) => {
        const receipt = receiptFor((vat) => world.taxOf(vat));
        await world.openShift();
        const [program] = await world.compile(receipt);
        if (program?.sent === undefined) throw new Error("no receipt");
        world.register.addFault({ effect: "alter", rounding: "total" });
        await world.run(program);
        const [read] = await world.live(world.driver.documentsSince(world.lastReceipt.fd - 1, world.signal));
        const differing = compareTags(program.sent, read?.tags ?? { head: {}, items: [] }, new Set([1020, 1081]));
        expect(differing.differences).toContainEqual({
          tag: 1020,
          sent: "15099",
          read: "15000",
          weight: "hold",
        });
        expect(differing.differences).toContainEqual({
          tag: 1081,
          sent: "15099",
          read: "15000",
          weight: "hold",
        });
      }));
  });
}
