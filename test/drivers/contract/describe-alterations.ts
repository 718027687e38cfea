/** A register that alters a receipt is noticed when its document is read back, on every maker. */
import { compareTags } from "@fiscald/drivers/compare-tags.js";
import type { Alteration } from "@fiscald/emulators/memory/alter-document.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { toInn } from "@fiscald/shared/ids.js";
import type { VatCode } from "@fiscald/shared/receipt/vat.js";
import { readTags } from "./expect-sent.js";
import { item, sale } from "./receipts.js";
import type { ContractSubject } from "./subject.js";
import { testsOn } from "./world.js";

type Found = readonly [tag: number, sent: string, read: string | null, weight: "hold" | "warn"];
/** `found`: the differences on a register whose earlier documents were read correctly. */
type Row = readonly [title: string, alteration: Alteration, ...found: readonly Found[]];

const rows: readonly Row[] = [
  ["22 % instead of 20 %", { change: [{ tag: 1199, from: 1, to: 11 }] }, [1199, "1", "11", "hold"]],
  ["a rate by the department of the line", { departmentRates: { 2: 6 } }, [1199, "2", "6", "hold"]],
  ["another method of settlement", { change: [{ tag: 1214, from: 4, to: 1 }] }, [1214, "4", "1", "hold"]],
  ["another tax system", { change: [{ tag: 1055, from: 1, to: 2 }] }, [1055, "1", "2", "hold"]],
  ["a return instead of a sale", { change: [{ tag: 1054, from: 1, to: 2 }] }, [1054, "1", "2", "hold"]],
  ["cash instead of a card", { change: [{ tag: 1081, from: 0, to: 1031 }] }, [1081, "15099", null, "hold"]],
  ["an agent's sign that is missing", { drop: [1222] }, [1222, "64", null, "hold"]],
  [
    "sums of lines that are a kopeck off",
    { rounding: "lines" },
    [1043, "10050", "10051", "hold"],
    [1043, "5049", "5048", "hold"],
  ],
  [
    "a total that is rounded down",
    { rounding: "total" },
    [1020, "15099", "15000", "hold"],
    [1081, "15099", "15000", "hold"],
  ],
  ["another subject of settlement", { change: [{ tag: 1212, from: 1, to: 4 }] }, [1212, "1", "4", "warn"]],
  ["a name that is cut", { nameLength: 5 }, [1030, "Чай белый", "Чай б", "warn"]],
  ["a buyer's address that is missing", { drop: [1008] }, [1008, "buyer@example.com", null, "warn"]],
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
  const check = testsOn(subject);
  for (const [title, alteration, ...found] of rows) {
    check(`a receipt that the register altered is noticed by its document: ${title}`, async (world) => {
      const receipt = receiptFor((vat) => world.taxOf(vat));
      await world.openShift();
      const program = await world.compileFirst(receipt);
      const { sent } = program;
      if (sent === undefined) throw new Error("no receipt");
      const readBefore = new Set([sent.head, ...sent.items].flatMap((tags) => Object.keys(tags).map(Number)));
      world.register.addFault({ effect: "alter", ...alteration });
      await world.run(program);
      const read = await readTags(world, world.lastReceipt.fd);
      if (read === undefined) throw new Error("a document without tags");
      const { differences } = compareTags(sent, read, readBefore);
      expect(differences.map((one) => [one.tag, one.sent, one.read, one.weight])).toEqual(found);
    });
  }
}
