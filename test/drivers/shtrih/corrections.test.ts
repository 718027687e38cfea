/** Corrections as Shtrih-M frames: literal ones of a real log, and refusals before the first byte. */

import { changesReceipt } from "@fiscald/drivers/receipt-setting.js";
import { commands } from "@fiscald/drivers/shtrih/protocol/commands.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import type { Correction } from "@fiscald/shared/receipt/receipt.js";
import type { VatCode } from "@fiscald/shared/receipt/vat.js";
import { item, sale } from "../contract/receipts.js";
import { shtrihSubject } from "../contract/shtrih-subject.js";
import { type ContractWorld, inWorld } from "../contract/world.js";
import { hex, toHex } from "../vectors/hex.js";

/** FF4Ah of a real log (26150.00 by card, tax of 20/120 4358.33, general system), without frame and checksum. */
const REAL = hex(
  `FF 4A 1E 00 00 00 00 02 D8 E6 27 00 00 00 00 00 00 00 D8 E6 27 00 00 ${"00 ".repeat(35)}
   79 A6 06 00 00 00 00 00 00 00 01`.replace(/\s+/g, " "),
);
const rates = (over: Readonly<Record<number, number>>) => Array.from({ length: 6 }, (_, at) => over[at] ?? 0);
const self = (date: string): Correction => ({ type: "self", date });

test("Shtrih-M's correction from sums equals the command of a real log byte for byte", () => {
  const { payload } = commands.correctionV2.encode({
    ...{ password: 30, type: 0, operation: 2, total: kopecks(2_615_000), taxSystem: 1 },
    payments: [0, 2_615_000, 0, 0, 0],
    rates: rates({ 4: 435_833 }),
  });
  expect(toHex(payload)).toBe(toHex(REAL));
  expect(payload).toHaveLength(69);
});

test("Shtrih-M's correction with 5 and 7 % VAT has 89 bytes, with the tax system in the last one", () => {
  const { payload } = commands.correctionV3.encode({
    ...{ password: 30, type: 1, operation: 1, total: kopecks(105), taxSystem: 4 },
    payments: [105, 0, 0, 0, 0],
    rates: [...rates({}), 5, 0, 0, 0],
  });
  expect([payload.length, payload[6], payload[68], payload.at(-1)]).toEqual([89, 1, 5, 4]);
});

/** FF7Ch by the inferred layout: two sums after those of FF77h. 122.00 by card, 22.00 of it tax of 22 %. */
const INFERRED = hex(
  `FF 7C 1E 00 00 00 00 01 A8 2F 00 00 00 00 00 00 00 00 A8 2F 00 00 00 ${"00 ".repeat(15 + 10 * 5)}
   98 08 00 00 00 00 00 00 00 00 01`.replace(/\s+/g, " "),
);

test("Shtrih-M's correction with 22 % VAT is the inferred frame of 99 bytes, byte for byte", () =>
  inWorld(shtrihSubject({ options: { correctionV4: true } }), async (world) => {
    const lines = [item({ price: kopecks(12_200), total: kopecks(12_200), tax: world.taxOf(11) })];
    const payments = [{ typeClose: 1, sum: kopecks(12_200) }] as const;
    const programs = await world.compile(sale({ correction: self("2026-02-01"), taxSystem: 1, lines, payments }));
    const step = programs.at(-1)?.steps.find(({ name }) => name === "close-receipt");
    expect(INFERRED).toHaveLength(99);
    expect(JSON.stringify(step)).toContain([...INFERRED].map((byte, at) => `"${at}":${byte}`).join(","));
  }));

function correctionAt(world: ContractWorld, vat: VatCode, date: string) {
  return sale({ correction: self(date), lines: [item({ tax: world.taxOf(vat) })] });
}

test("the tags of a correction from sums on Shtrih-M are those of the format, and each is sent separately", () =>
  inWorld(shtrihSubject(), async (world) => {
    const receipt = sale({
      correction: { type: "instruction", number: "12-3", date: "2024-05-08" },
      lines: [item({ tax: world.taxOf(1) })],
    });
    const programs = await world.compile(receipt);
    const sent = JSON.stringify(programs.at(-1)?.steps);
    for (const tlv of ["9A 04 04 00 80 C0 3A 66", "9B 04 04 00 31 32 2D 33"]) {
      const bytes = [...hex(tlv)].map((byte, at) => `"${6 + at}":${byte}`).join(",");
      expect(sent).toContain(bytes);
    }
  }));

const [V3, V4] = [{ correctionV3: true }, { correctionV4: true }];

test.each([
  [7, {}, "refused: turn on `options.correctionV3`"],
  [7, V3, "FF77"],
  [7, V4, "FF7C"],
  [10, { ...V3, ...V4 }, "FF77"],
  [11, {}, "refused: turn on `options.correctionV4`"],
  [12, V3, "refused: turn on `options.correctionV4`"],
  [11, V4, "FF7C"],
  [12, V4, "FF7C"],
  [2, V4, "FF4A"],
] as const)("a correction of FFD 1.05 at rate %i on Shtrih-M with the options %j: %s", (vat, options, end) =>
  inWorld(shtrihSubject({ options }), async (world) => {
    const receipt = correctionAt(world, vat, "2026-02-01");
    if (!end.startsWith("refused")) {
      const programs = await world.compile(receipt);
      const code = [...hex(end.replace(/(..)/, "$1 "))].map((byte, at) => `"${at}":${byte}`).join(",");
      expect(JSON.stringify(programs.at(-1)?.steps)).toContain(code);
      expect((await world.print(receipt)).kind).toBe("printed");
    } else {
      const wayOut = expect.stringContaining(end.slice("refused: ".length));
      await expect(world.compile(receipt)).rejects.toMatchObject({ code: "receipt.unsupported", message: wayOut });
    }
  }),
);

test("a correction from sums on Shtrih-M warns of the lines whose agent the sums cannot carry", () =>
  inWorld(shtrihSubject(), async (world) => {
    const agent = { type: 6, supplierInn: null, supplierName: null, supplierPhones: [] };
    const lines = [item({ name: "Чай", tax: world.taxOf(2) }), item({ name: "Доставка", tax: world.taxOf(2), agent })];
    const programs = await world.compile(sale({ correction: self("2026-02-01"), lines }));
    expect(programs.at(-1)?.warnings).toEqual([
      expect.stringMatching(/sums alone: the agents .* of "Доставка" are not/),
    ]);
  }));

test("Shtrih-M firmware without corrections with positions refuses such a correction", () =>
  inWorld(shtrihSubject({ ffd: 4, unconfirmed: { "item-corrections": "no" } }), async (world) => {
    await expect(world.compile(correctionAt(world, 2, "2026-02-01"))).rejects.toMatchObject({
      code: "receipt.unsupported",
    });
  }));

test.each([2, 4] as const)(
  "a correction at the 20 %% VAT of 2025 waits on a POSCENTER that registers 22 %% instead (format %i)",
  (ffd) =>
    inWorld(shtrihSubject({ model: "poscenter", ffd }), async (world) => {
      const settings = (await world.live(world.driver.readSettings?.(world.signal) ?? Promise.resolve([]))) ?? [];
      const waits = async (vat: VatCode, date: string) => {
        const { sent } = (await world.compile(correctionAt(world, vat, date))).at(-1) ?? {};
        return sent !== undefined && settings.some((setting) => changesReceipt(setting, sent));
      };
      expect([await waits(1, "2025-12-30"), await waits(3, "2025-12-30"), await waits(2, "2025-12-30")]).toEqual([
        ...[true, true, false],
      ]);
    }),
);

test("a correction of FFD 1.05 has only its own steps, without positions and paper lines", () =>
  inWorld(shtrihSubject(), async (world) => {
    const [, program] = await world.compile(correctionAt(world, 2, "2026-02-01"));
    expect(program?.steps.map(({ name }) => name)).toEqual([
      ...["await-printer", "begin-correction", "tag 1178", "tag 1021", "await-printer", "close-receipt"],
    ]);
  }));
