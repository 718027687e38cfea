/** The proof that emulator and driver do not share their mistakes: one wrong byte in the driver alone turns a check red. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../../support/read-imports.js";

interface Mutant {
  readonly name: string;
  /** The file's path below drivers/dist. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const mutants: readonly Mutant[] = [
  mutant("an offset: price and sum change places in FF46", "shtrih/protocol/receipt-commands.js", {
    from: ".uint(p.price, 5)\n        .uint(p.sum, 5)",
    to: ".uint(p.sum, 5)\n        .uint(p.price, 5)",
  }),
  mutant("an offset: method and subject change places in FF46", "shtrih/protocol/receipt-commands.js", {
    from: ".u8(p.method)\n        .u8(p.subject)",
    to: ".u8(p.subject)\n        .u8(p.method)",
  }),
  mutant("a width: the quantity of FF46 takes five bytes", "shtrih/protocol/receipt-commands.js", {
    from: ".uint(p.quantity, 6)",
    to: ".uint(p.quantity, 5)",
  }),
  mutant("a length: the password takes two bytes", "shtrih/protocol/command-row.js", {
    from: "writer.u32(parameters.password)",
    to: "writer.u16(parameters.password)",
  }),
  mutant("a VAT code: row 11 is sent as row 12", "shtrih/protocol/tax-codes.js", {
    from: "0xc0 + row",
    to: "0xc1 + row",
  }),
  mutant("a VAT code: the bits of rows 1 and 2 change places", "shtrih/protocol/tax-codes.js", {
    from: "[0x01, 0x02, 0x04,",
    to: "[0x02, 0x01, 0x04,",
  }),
  mutant("a VAT code: 7/107 is sent as 5/105", "shtrih/protocol/tax-codes.js", {
    from: "0x84, 0x88]",
    to: "0x84, 0x84]",
  }),
  mutant("a sign: a return is a sale", "shtrih/compile/compile-receipt.js", {
    from: "return: { receiptType: 2, itemOperation: 2 }",
    to: "return: { receiptType: 0, itemOperation: 1 }",
  }),
  mutant("a sign: the lines of a return are sold", "shtrih/compile/compile-receipt.js", {
    from: "return: { receiptType: 2, itemOperation: 2 }",
    to: "return: { receiptType: 2, itemOperation: 1 }",
  }),
  mutant("a sign: cash in goes out", "shtrih/protocol/receipt-commands.js", {
    from: '"50 cash in"',
    to: '"51 cash in"',
  }),
  mutant("a payment: card money is told as prepayment", "shtrih/compile/compile-receipt.js", {
    from: "1: 2,",
    to: "1: 14,",
  }),
  mutant("a byte order: integers go out with their high byte first", "codec/byte-cursor.js", {
    from: "this.bytes.push(rest % 256);",
    to: "this.bytes.splice(this.bytes.length - count, 0, rest % 256);",
  }),
  mutant("a byte order: a tag's number goes out with its high byte first", "codec/tlv.js", {
    from: ".u16(tag).u16(bytes.length)",
    to: ".u8(tag >> 8).u8(tag & 255).u16(bytes.length)",
  }),
  mutant(
    "a byte order: the fiscal sign of the close is read before the document's number",
    "shtrih/protocol/receipt-commands.js",
    {
      from: "fd: r.u32(), fiscalSign: r.u32() })",
      to: "fiscalSign: r.u32(), fd: r.u32() })",
    },
  ),
  mutant("an offset in an answer: the operation of FF0A", "shtrih/protocol/drive-commands.js", {
    from: "operationOf(reader.u8())",
    to: "operationOf((reader.u8(), reader.u8()))",
  }),
  mutant("a code page: names go out in CP866", "shtrih/protocol/receipt-commands.js", {
    from: '.text(p.name, "cp1251", 128)',
    to: '.text(p.name, "cp866", 128)',
  }),
  mutant("a tag: the cashier's INN", "shtrih/compile/compile-tags.js", {
    from: "tagStep(1203, fixedStringTag(1203,",
    to: "tagStep(1203, fixedStringTag(1204,",
  }),
  mutant("a length: marking code and tags change places in FF61", "shtrih/protocol/receipt-commands.js", {
    from: ".u8(p.mark.length).u8(p.tags.length)",
    to: ".u8(p.tags.length).u8(p.mark.length)",
  }),
  mutant("a check sum: the length byte is left out", "framing/stx-lrc.js", {
    from: "xorOf([data.length, ...data])",
    to: "xorOf([...data])",
  }),
];

function mutant(name: string, file: string, change: { readonly from: string; readonly to: string }): Mutant {
  return { name, file, ...change };
}

const drivers = join(root, "drivers");
const check = join(root, "test/dist/drivers/shtrih/mutant-check.js");
const folder = mkdtempSync(join(tmpdir(), "fiscald-mutants-"));

/** The driver's package as it was built, with nothing but the mutant's change in it. */
function copyPackage(place: string, change: Mutant | null): string {
  const copy = join(folder, place);
  mkdirSync(copy);
  cpSync(join(drivers, "package.json"), join(copy, "package.json"));
  cpSync(join(drivers, "dist"), join(copy, "dist"), {
    recursive: true,
    filter: (path) => !/\.(map|d\.ts)$|emulator/.test(path.slice(drivers.length)),
  });
  if (change === null) return copy;
  const path = join(copy, "dist", change.file);
  const pieces = readFileSync(path, "utf8").split(change.from);
  // The code has moved on: point the mutant at the same fact in its new words.
  if (pieces.length !== 2) throw new Error(`"${change.from}" is ${pieces.length - 1} times in ${change.file}`);
  writeFileSync(path, pieces.join(change.to));
  return copy;
}

describe("a driver for Shtrih-M with one thing wrong", () => {
  let verdicts: readonly unknown[] = [];

  beforeAll(async () => {
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const copies = [null, ...mutants].map((change, index) => copyPackage(String(index), change));
    const { stdout } = await promisify(execFile)(process.execPath, [check, ...copies], {
      env: { ...process.env, NODE_OPTIONS: "" },
    });
    verdicts = stdout
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  test("the check that judges broken Shtrih-M drivers passes the driver as it is", () => {
    expect(verdicts[0]).toBeNull();
    expect(verdicts).toHaveLength(mutants.length + 1);
  });

  test.each(mutants.map(({ name }, index) => [name, index + 1] as const))(
    "a Shtrih-M driver with one thing wrong is found out: %s",
    (_name, index) => {
      expect(verdicts[index]).toEqual(expect.any(String));
    },
  );
});
