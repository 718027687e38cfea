import { kopecks, quantity } from "@fiscald/shared/amounts.js";
import { toInn } from "@fiscald/shared/ids.js";
import { compileFor, listing, names, type Over, sale, tea, text } from "../compile-bench.js";

const PASSWORD = "1E 00 00 00";
const INN = "37 37 33 36 30 35 30 30 30 33 20 20";
const ZERO5 = "00 00 00 00 00";
const zeros = (count: number) => Array.from({ length: count }, () => "00").join(" ");
const only = (over: Over = {}, receipt = sale) => compileFor(receipt, over)[0];

function codeOf(receipt: typeof sale, over: Over): unknown {
  try {
    compileFor(receipt, over);
  } catch (error) {
    return typeof error === "object" && error !== null && "code" in error ? error.code : error;
  }
  return null;
}

describe("a plain sale for Shtrih-M", () => {
  test("a plain sale becomes the known Shtrih-M steps and bytes, with the close as its fiscal step", () => {
    const program = only();
    expect(listing(program)).toEqual([
      "await-printer",
      `open-receipt: 8D ${PASSWORD} 00`,
      `item 1: FF 46 ${PASSWORD} 01 80 84 1E 00 00 00 88 13 00 00 00 10 27 00 00 00 FF FF FF FF FF CB 01 04 01 D7 E0 E9`,
      "await-printer",
      "subtotal",
      `close-receipt: FF 45 ${PASSWORD} ${ZERO5} 10 27 00 00 00 ${zeros(14 * 5)} 00 ${zeros(30)} 01`,
    ]);
    expect(program?.fiscalStep).toBe(5);
    expect(program?.steps[4]?.expectSubtotal).toBe(10_000);
    expect(program?.witness).toEqual({ kind: "receipt", operation: "sale", total: 10_000, mark: null });
    expect(program?.steps.map((step) => step.opensReceipt === true)).toEqual([false, true, false, false, false, false]);
  });

  test("a sale for Shtrih-M has no repeatable step that changes the register", () => {
    expect(
      only()
        ?.steps.filter((step) => step.repeatable)
        .map((step) => step.name),
    ).toEqual(["await-printer", "await-printer", "subtotal"]);
  });

  test("a return opens on Shtrih-M as type 2 and registers as operation 2", () => {
    const steps = listing(only({}, { ...sale, operation: "return" }));
    expect(steps[1]).toBe(`open-receipt: 8D ${PASSWORD} 02`);
    expect(steps[2]).toMatch(/^item 1: FF 46 1E 00 00 00 02 /);
  });

  test("each payment type goes to its own place in Shtrih-M's close", () => {
    const payments = [0, 1, 2, 3, 4].map((typeClose) => ({ typeClose, sum: kopecks(2_000 + typeClose) }));
    const close =
      listing(only({}, { ...sale, payments }))
        .at(-1)
        ?.split(" ") ?? [];
    const bytes = close.slice(1).map((byte) => Number.parseInt(byte, 16));
    const sumOf = (type: number) => (bytes[6 + 5 * (type - 1)] ?? 0) + 256 * (bytes[7 + 5 * (type - 1)] ?? 0);
    expect([1, 2, 14, 15, 16].map(sumOf)).toEqual([2_000, 2_001, 2_002, 2_003, 2_004]);
    expect([3, 13].map(sumOf)).toEqual([0, 0]);
  });

  test("a position for Shtrih-M whose price does not meet its sum becomes two, each with its tags", () => {
    const item = { ...tea, quantity: quantity(3_000_000), total: kopecks(20_000), countryCode: "643" };
    const receipt = { ...sale, lines: [item], payments: [{ typeClose: 1, sum: kopecks(20_000) }] };
    expect(names(only({}, receipt)).slice(2, 6)).toEqual([
      "item 1a",
      "item 1a tag 1230",
      "item 1b",
      "item 1b tag 1230",
    ]);
    expect(listing(only({}, receipt))[2]).toContain("80 84 1E 00 00 00 0B 1A 00 00 00 16 34 00 00 00");
    expect(listing(only({}, receipt))[4]).toContain("40 42 0F 00 00 00 0A 1A 00 00 00 0A 1A 00 00 00");
  });

  test("a Shtrih-M receipt uses the cashier's password of the options, and the administrator's for its tags", () => {
    const over = { options: { operatorPassword: 1, adminPassword: 2 }, context: { mark: "A-1 0badcafe" } };
    const steps = listing(only(over));
    expect(steps[1]).toBe("open-receipt: 8D 01 00 00 00 00");
    expect(steps.find((step) => step.startsWith("tag 1084"))).toMatch(/^tag 1084: FF 0C 02 00 00 00 3C 04/);
  });
});

describe("the shift of a Shtrih-M", () => {
  test("a sale on a closed shift of a Shtrih-M is preceded by a program that opens it with the cashier's tags", () => {
    const cashier = { name: "Иванова", inn: toInn("500100732259") };
    const [opening, receipt] = compileFor(sale, { context: { shift: "closed", cashier } });
    expect(listing(opening)).toEqual([
      "await-printer",
      `begin-shift: FF 41 ${PASSWORD}`,
      `tag 1021: FF 0C ${PASSWORD} FD 03 07 00 88 A2 A0 AD AE A2 A0`,
      `tag 1203: FF 0C ${PASSWORD} B3 04 0C 00 35 30 30 31 30 30 37 33 32 32 35 39`,
      `open-shift: E0 ${PASSWORD}`,
    ]);
    expect(opening).toMatchObject({ fiscalStep: 4, witness: { kind: "shift-open" }, kind: { type: "shift-open" } });
    expect(opening?.steps.slice(1, 4).every((step) => step.optional === true)).toBe(true);
    expect(receipt?.kind.type).toBe("receipt");
  });

  test("a sale on an expired shift of a Shtrih-M is refused", () => {
    expect(codeOf(sale, { context: { shift: "expired" } })).toBe("device.shift-expired");
  });
});

describe("tags of a Shtrih-M receipt", () => {
  test("contact, internet sign, place and order mark become tags of the Shtrih-M receipt", () => {
    const receipt = { ...sale, contact: "a@b.ru", internet: { url: "shop.ru" } };
    const steps = listing(only({ context: { mark: "A-1 0badcafe" } }, receipt)).filter((step) =>
      step.startsWith("tag"),
    );
    expect(steps).toEqual([
      `tag 1008: FF 0C ${PASSWORD} F0 03 06 00 61 40 62 2E 72 75`,
      `tag 1125: FF 0C ${PASSWORD} 65 04 01 00 01`,
      `tag 1187: FF 0C ${PASSWORD} A3 04 07 00 73 68 6F 70 2E 72 75`,
      `tag 1084: FF 0C ${PASSWORD} 3C 04 19 00 3D 04 05 00 87 A0 AA A0 A7 3E 04 0C 00 41 2D 31 20 30 62 61 64 63 61 66 65`,
    ]);
  });

  test.each([
    ["1.05", ["tag 1227: FF 0C {} CB 04 01 00 41", "tag 1228: FF 0C {} CC 04 0C 00 {inn}"]],
    ["1.2", ["tag 1256: FF 0C {} E8 04 15 00 CB 04 01 00 41 CC 04 0C 00 {inn}"]],
  ])("a buyer on Shtrih-M in format %s has an INN of ten digits filled up to twelve by blanks", (ffd, expected) => {
    const receipt = { ...sale, requisites: { buyer: { name: "A", inn: toInn("7736050003") } } };
    const inn = "37 37 33 36 30 35 30 30 30 33 20 20";
    expect(listing(only({ identity: { ffd } }, receipt)).filter((step) => step.startsWith("tag"))).toEqual(
      expected.map((step) => step.replace("{}", PASSWORD).replace("{inn}", inn)),
    );
  });

  test("a place of settlement too long for one command goes through the Shtrih-M's buffer in blocks", () => {
    const receipt = { ...sale, settlementPlace: "x".repeat(256) };
    const steps = listing(only({}, receipt)).filter((step) => step.startsWith("tag 1187"));
    expect(steps.map((step) => step.split(":")[0])).toEqual([
      "tag 1187 begin",
      ...[0, 64, 128, 192, 256].map((offset) => `tag 1187 from ${offset}`),
      "tag 1187 end",
    ]);
    expect(steps[0]).toBe(`tag 1187 begin: FF 32 ${PASSWORD} 04 01`);
    expect(steps[1]).toMatch(/^tag 1187 from 0: FF 33 1E 00 00 00 00 00 40 A3 04 00 01 78 78/);
    expect(steps[5]).toBe(`tag 1187 from 256: FF 33 ${PASSWORD} 00 01 04 78 78 78 78`);
    expect(steps[6]).toBe(`tag 1187 end: FF 64 ${PASSWORD}`);
  });

  test.each([
    ["1.05", ["tag 1227: FF 0C 1E 00 00 00 CB 04 03 00 8E 8E 8E", `tag 1228: FF 0C 1E 00 00 00 CC 04 0C 00 ${INN}`]],
    ["1.2", [`tag 1256: FF 0C 1E 00 00 00 E8 04 17 00 CB 04 03 00 8E 8E 8E CC 04 0C 00 ${INN}`]],
  ])("a buyer on Shtrih-M in format %s has Russian letters in CP866 and the INN padded to twelve", (ffd, expected) => {
    const requisites = { buyer: { name: "ООО", inn: toInn("7736050003") } };
    const steps = listing(only({ identity: { ffd } }, { ...sale, requisites }));
    expect(steps.filter((step) => /^tag 12(27|28|56)/.test(step))).toEqual(expected);
  });

  test("the order's own cashier is sent to Shtrih-M in place of the register's", () => {
    const cashier = { name: "A", inn: null };
    const receipt = { ...sale, cashier: { name: "B", inn: null } };
    const steps = listing(only({ context: { cashier } }, receipt)).filter((step) => step.startsWith("tag"));
    expect(steps).toEqual([`tag 1021: FF 0C ${PASSWORD} FD 03 01 00 42`]);
  });
});

describe("tags of a Shtrih-M item", () => {
  const tagsOf = (item: Partial<typeof tea>, ffd: string) =>
    listing(only({ identity: { ffd } }, { ...sale, lines: [{ ...tea, ...item }] }))
      .filter((step) => step.startsWith("item 1 tag"))
      .map((step) => step.replace(`FF 4D ${PASSWORD} `, ""));

  test("an agent's position for Shtrih-M has type, supplier, and INN or its twelve zeros", () => {
    const agent = { type: 64, supplierName: "ООО", supplierPhones: ["+7495"], supplierInn: null };
    expect(tagsOf({ agent }, "1.05")).toEqual([
      "item 1 tag 1222: C6 04 01 00 40",
      "item 1 tag 1224: C8 04 10 00 C9 04 03 00 8E 8E 8E 93 04 05 00 2B 37 34 39 35",
      "item 1 tag 1226: CA 04 0C 00 30 30 30 30 30 30 30 30 30 30 30 30",
    ]);
  });

  test("a supplier of exactly what one Shtrih-M command takes is sent whole", () => {
    const supplierPhones = Array.from({ length: 5 }, () => "+749500000000000000");
    const agent = { type: 64, supplierName: "Б".repeat(126), supplierPhones, supplierInn: null };
    const [, supplier = ""] = tagsOf({ agent }, "1.05");
    expect(supplier.replace("item 1 tag 1224: ", "").split(" ")).toHaveLength(249);
  });

  test.each([
    ["a supplier's name", { supplierName: "Б".repeat(242), supplierPhones: [] }, "items[0].agent", "take 250 bytes"],
    [
      "more phones than fit",
      { supplierName: null, supplierPhones: Array(11).fill("+749500000000000000") },
      "items[0].agent",
      "takes 249",
    ],
    [
      "a phone",
      { supplierName: null, supplierPhones: ["+7495", "+7495000000000000000"] },
      "items[0].agent.supplierPhones",
      "for tag 1171 takes 19",
    ],
  ])(
    "an agent's position for Shtrih-M with %s that would be cut is refused by its path before the first byte",
    (_what, supplier, place, words) => {
      const agent = { type: 64, supplierInn: null, ...supplier };
      const refused = () => tagsOf({ agent }, "1.05");
      expect(refused).toThrow(expect.objectContaining({ code: "receipt.unsupported", place }));
      expect(refused).toThrow(words);
    },
  );

  test("a measure given by its code alone is a word on Shtrih-M before format 1.2, and a code from then on", () => {
    expect(tagsOf({ measure: 11 }, "1.05")).toEqual(["item 1 tag 1197: AD 04 02 00 AA A3"]);
    expect(tagsOf({ measure: 11, unit: "kg" }, "1.05")).toEqual(["item 1 tag 1197: AD 04 02 00 6B 67"]);
    expect(tagsOf({ measure: 11 }, "1.2")).toEqual(["item 1 tag 2108: 3C 08 01 00 0B"]);
    expect(tagsOf({ measure: 0 }, "1.05")).toEqual([]);
    expect(() => tagsOf({ measure: 255 }, "1.05")).toThrow(
      expect.objectContaining({ code: "receipt.unsupported", place: "items[0].unit" }),
    );
  });

  test("goods code, country and customs declaration become tags of the Shtrih-M item", () => {
    const item = { goodsCode: "AQI=", countryCode: "643", customsDeclaration: "10/1" };
    expect(tagsOf(item, "1.05")).toEqual([
      "item 1 tag 1162: 8A 04 02 00 01 02",
      "item 1 tag 1230: CE 04 03 00 36 34 33",
      "item 1 tag 1231: CF 04 04 00 31 30 2F 31",
    ]);
  });

  test("a unit with a measure is a text on Shtrih-M before format 1.2 and a code from then on", () => {
    expect(tagsOf({ unit: "кг", measure: 11 }, "1.05")).toEqual(["item 1 tag 1197: AD 04 02 00 AA A3"]);
    expect(tagsOf({ unit: "кг", measure: 11 }, "1.2")).toEqual(["item 1 tag 2108: 3C 08 01 00 0B"]);
    expect(tagsOf({ unit: null, measure: 0 }, "1.2")).toEqual([]);
  });
});

describe("the paper of a Shtrih-M receipt", () => {
  test("an electronic receipt switches a Shtrih-M's paper off before and on afterwards, and prints no texts", () => {
    const receipt = { ...sale, printDoc: false, contact: "a@b.ru", lines: [text("привет"), tea] };
    const program = only({}, receipt);
    expect(listing(program)[0]).toBe(`paper-off: 1E ${PASSWORD} 11 01 00 07 01`);
    expect(names(program)).not.toContain("paper 1 1 row 1");
    expect(listing(program).at(-1)).toBe(`paper-on: 1E ${PASSWORD} 11 01 00 07 00`);
    expect(program?.steps.at(-1)?.optional).toBe(true);
    expect(program?.fiscalStep).toBe(names(program).indexOf("close-receipt"));
  });

  // The maker's sample: table 17 field 7 on a desktop, table 1 field 48 on a cash core.
  test.each([
    [{ field: { table: 1, row: 1, field: 48 }, owner: 0 }, "01 01 00 30 01", "01 01 00 30 00"],
    [{ field: { table: 17, row: 1, field: 7 }, owner: 3 }, "11 01 00 07 01", "11 01 00 07 03"],
  ])(
    "an electronic receipt puts the Shtrih-M switch %j to off and then back to its owner's value",
    (printSwitch, off, on) => {
      const steps = listing(only({ facts: { printSwitch } }, { ...sale, printDoc: false, contact: "a@b.ru" }));
      expect([steps[0], steps.at(-1)]).toEqual([`paper-off: 1E ${PASSWORD} ${off}`, `paper-on: 1E ${PASSWORD} ${on}`]);
    },
  );

  test("a Shtrih-M without the paper switch prints an electronic receipt, with a warning", () => {
    const program = only({ facts: { printSwitch: null } }, { ...sale, printDoc: false, contact: "a@b.ru" });
    expect([names(program)[0], program?.warnings]).toEqual([
      "await-printer",
      ["this register cannot leave a receipt off the paper: printed"],
    ]);
  });

  test("a Shtrih-M's paper that an earlier receipt left off is switched on first", () => {
    expect(names(only({ printIsOff: true }))[0]).toBe("paper-on");
  });

  test("cut and footer behind the last item go out after Shtrih-M's close, and those before it stay", () => {
    const receipt = {
      ...sale,
      lines: [{ type: "cut" }, tea, text("спасибо"), { type: "footer" }, { type: "cut" }],
    } as const;
    const program = only({}, receipt);
    expect(names(program)).toEqual([
      "await-printer",
      "open-receipt",
      "paper 1 1",
      "item 1",
      "paper 2 1 row 1",
      "await-printer",
      "subtotal",
      "close-receipt",
      "below 1",
      "below 2",
    ]);
  });
});

test.each([
  [false, ["await-printer", "clear-marks", "mark 1", "open-receipt"]],
  [true, ["await-printer", "mark 1", "open-receipt"]],
])(
  "a marked Shtrih-M receipt begins with clearing the buffer of marks, except on a NANO-F (NANO: %s)",
  (nanoTaxCodes, first) => {
    const marked = {
      ...sale,
      lines: [{ ...tea, quantity: quantity(1_000_000), total: kopecks(5_000), markingCode: "AQ==" }],
    };
    const over = { facts: { nanoTaxCodes }, identity: { ffd: "1.2" } };
    expect(names(only(over, marked)).slice(0, first.length)).toEqual(first);
  },
);

describe("a receipt that a Shtrih-M cannot print", () => {
  test.each<[string, string, typeof sale, Over]>([
    ["no tax and no default", "config.default-tax", { ...sale, lines: [{ ...tea, tax: null }] }, {}],
    ["a tax row that is not in the list", "device.tax-unknown", { ...sale, lines: [{ ...tea, tax: 13 }] }, {}],
    ["an unknown payment type", "receipt.unsupported", { ...sale, payments: [{ typeClose: 5, sum: kopecks(1) }] }, {}],
    ["a marking code", "receipt.unsupported", { ...sale, lines: [{ ...tea, markingCode: "AQ==" }] }, {}],
    [
      "a goods code in format 1.2",
      "receipt.unsupported",
      { ...sale, lines: [{ ...tea, goodsCode: "AQ==" }] },
      { identity: { ffd: "1.2" } },
    ],
    ["a name that begins with //", "receipt.unsupported", { ...sale, lines: [{ ...tea, name: "//Чай" }] }, {}],
    ["a total of zero", "receipt.unsupported", { ...sale, lines: [{ ...tea, total: kopecks(0) }] }, {}],
    ["taxes that the register expects from us", "receipt.unsupported", sale, { facts: { taxesByHost: true } }],
    ["no tax system where the register has two", "receipt.unsupported", sale, { identity: { taxSystems: 3 } }],
    ["a tax system that is not registered", "receipt.unsupported", { ...sale, taxSystem: 32 }, {}],
  ])("a receipt for Shtrih-M with %s is refused with the fault %s", (_, code, receipt, over) => {
    expect(codeOf(receipt, over)).toBe(code);
  });

  test("a position without a tax takes the default tax that is set for the Shtrih-M", () => {
    const receipt = { ...sale, lines: [{ ...tea, tax: null }] };
    expect(listing(only({ context: { defaultTax: 4 } }, receipt))[2]).toContain("FF FF FF FF FF 08 01 04 01");
  });

  test("the tax system of a Shtrih-M receipt is the order's, else the setting's, else the registration's", () => {
    const last = (over: Over, receipt = sale) => listing(only(over, receipt)).at(-1)?.split(" ").at(-1);
    expect(last({ identity: { taxSystems: 0x21 }, context: { taxSystem: 32 } })).toBe("20");
    expect(last({ identity: { taxSystems: 0x21 }, context: { taxSystem: 32 } }, { ...sale, taxSystem: 1 })).toBe("01");
    expect(last({ identity: { taxSystems: 0x20 } })).toBe("20");
  });
});
