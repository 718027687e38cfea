/** Each setting that changes receipts is given to an emulated register and must be named, whoever can mend it. */
import { setFinding } from "@fiscald/daemon/cli/doctor/check-register.js";
import { siteSchema } from "@fiscald/daemon/config/site-schema.js";
import { howSetNow, type SetStores } from "@fiscald/daemon/console/how-set/set-facts.js";
import type { SetLevel, SetRow } from "@fiscald/daemon/console/how-set/state-rows.js";
import { createAtolDriver } from "@fiscald/drivers/atol/driver.js";
import { atolOptionsSchema } from "@fiscald/drivers/atol/options.js";
import type { FiscalDriver } from "@fiscald/drivers/fiscal-driver.js";
import { createPiritDriver } from "@fiscald/drivers/pirit/driver.js";
import { piritOptionsSchema } from "@fiscald/drivers/pirit/options.js";
import { createReferenceDriver } from "@fiscald/drivers/reference/driver.js";
import { createShtrihDriver } from "@fiscald/drivers/shtrih/driver.js";
import { shtrihOptionsSchema } from "@fiscald/drivers/shtrih/options.js";
import { type Emulator, type EmulatorOptions, openEmulator } from "@fiscald/emulators/open-emulator.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { toFnSerial, toKkm, toSiteId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import type { TaxSystem } from "@fiscald/shared/receipt/receipt.js";
import type { TaxRow } from "@fiscald/shared/receipt/vat.js";
import { defaultSettings } from "../../../support/make-snapshot.js";
import { limits } from "../../../support/trouble-facts.js";

const DAY_SECONDS = 86_400;
const KKM = "0001234567012345";
const difference = {
  ...{ register: defaultSettings().id, basis: "", sent: "1", read: null, weight: "hold" as const },
  ...{ job: 1, fn: toFnSerial("9999078900000001"), fd: 2, at: 0 },
};
let undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.reverse()) await step();
  undo = [];
});

type Maker = "shtrih" | "pirit" | "atol" | "reference";

function driverOf(maker: Maker, { transportFactory: openTransport }: Emulator, options: object): FiscalDriver {
  const parts = { openTransport, clock: systemClock, logger: silentLogger, random: () => 0.5 };
  switch (maker) {
    case "shtrih":
      return createShtrihDriver({ ...parts, options: shtrihOptionsSchema.parse(options) });
    case "pirit":
      return createPiritDriver({ ...parts, options: piritOptionsSchema.parse(options) });
    case "atol":
      return createAtolDriver({ ...parts, options: atolOptionsSchema.parse(options) });
    case "reference":
      return createReferenceDriver(parts);
  }
}

interface Seed {
  readonly emulator?: Partial<EmulatorOptions>;
  readonly change?: (emulator: Emulator) => void;
  readonly options?: object;
  readonly taxSystem?: TaxSystem;
  /** Days by which the machine's clock is ahead of the present, as the register's clock is. */
  readonly days?: number;
  /** Makes the tax rows that the site was told from the register's rows. */
  readonly told?: (taxes: readonly TaxRow[]) => readonly TaxRow[];
  readonly checks?: SetStores["checks"];
  /** The INN of the site's taxpayer. */
  readonly inn?: string;
}

const nothingProven: SetStores["checks"] = { agreedTags: () => new Set(), open: () => [] };

async function rowsOf(maker: Maker, seed: Seed = {}): Promise<readonly SetRow[]> {
  const { change, options = {}, taxSystem = null, days = 0, told, checks = nothingProven, inn } = seed;
  const emulator = await openEmulator({ maker, kkm: KKM, ...seed.emulator });
  undo.push(() => emulator.close());
  emulator.core.advanceClock(days * DAY_SECONDS);
  change?.(emulator);
  const driver = driverOf(maker, emulator, options);
  const { signal } = new AbortController();
  const identity = await driver.connect(signal);
  undo.push(() => driver.close());
  const state = await driver.readState(signal);
  const tables = await driver.readTables(signal);
  const receiptSettings = (await driver.readSettings?.(signal)) ?? [];
  const now = Date.now() + days * DAY_SECONDS * 1000;
  const taxes = told?.(tables.taxes) ?? tables.taxes;
  const site = toSiteId("shop");
  return howSetNow(
    {
      settings: { ...defaultSettings(), sites: [site], taxSystem },
      ...{ identity, state, stateAt: now, tables, receiptSettings, capabilities: driver.capabilities },
    },
    { warnings: { ...limits, unsentToOfdHours: 72 }, sites: [siteOf(inn)] },
    { checks, outbox: { syncedTaxes: () => [[{ kkm: toKkm(KKM), taxes }]] } },
    now,
  );
}

function siteOf(inn: string | undefined) {
  const urls = { orders: "https://shop.example", result: "https://shop.example" };
  return siteSchema({ folder: "/nowhere", env: {}, readFile: () => "" }).parse({ id: "shop", urls, inn });
}

function field(name: string, hex: string): Seed {
  return { change: ({ core }) => core.setMakerSetting(name, hex) };
}

function systems(taxSystems: number): Seed {
  return { change: ({ core }) => core.reregister({ taxSystems }) };
}

const seeds: readonly (readonly [string, Maker, Seed, SetLevel, string])[] = [
  ["22 % is registered for 20 %", "shtrih", field("table.17.1.71", "01"), "wrong", "table 17, field 71: 1"],
  ["a POSCENTER as delivered", "shtrih", { emulator: { model: "poscenter" } }, "wrong", "table 17, field 71: 1"],
  ["a cash core", "shtrih", { emulator: { model: "smartpos" } }, "unproven", "20 % by 22 %: cannot be read"],
  ["the next document is not printed", "shtrih", field("table.17.1.7", "01"), "note", "table 17, field 7: 1"],
  ["nothing is printed", "shtrih", field("table.17.1.7", "02"), "wrong", "table 17, field 7: 2"],
  ["shifts go to the memory card", "shtrih", field("table.17.1.7", "03"), "wrong", "table 17, field 7: 3"],
  ["taxes come from the program", "shtrih", field("table.1.1.14", "01"), "wrong", "table 1, field 14: 1"],
  ["format 1.2 on a drive of 1.05", "shtrih", field("table.17.1.17", "04"), "look", "table 17, field 17: 4"],
  [
    "format 1.05 on a cash core whose drive is of 1.2",
    "shtrih",
    { emulator: { model: "smartpos", ffd: "1.2" }, ...field("table.10.1.29", "02") },
    "look",
    "table 10, field 29: 2",
  ],
  ["a row has a rate of 18 %", "shtrih", field("table.6.1.1", "0807"), "look", "table 6, row 1"],
  ["no licence for 22 %", "shtrih", field("table.6.11.1", "0000"), "look", "table 6, row 11: —"],
  ["receipts of 0.00 are forbidden", "shtrih", field("table.1.1.23", "01"), "note", "table 1, field 23: 1"],
  ["the OFD is reached by the maker's driver", "shtrih", field("table.21.1.2", "00"), "look", "table 21, field 2: 0"],
  [
    "its clock is of another zone",
    "shtrih",
    { emulator: { timeZone: "Asia/Yekaterinburg" } },
    "look",
    "+2 h to Europe",
  ],
  [
    "its clock is 26 hours ahead",
    "shtrih",
    { change: ({ core }) => core.advanceClock(26 * 3600) },
    "wrong",
    "ahead by 26 h",
  ],
  ["another tax system", "shtrih", { ...systems(2), taxSystem: 1 }, "wrong", "registration: usn-income"],
  [
    "several tax systems, one of them unknown, and none is chosen",
    "shtrih",
    systems(9),
    "wrong",
    "registration: osn, unknown (bit 3)",
  ],
  [
    "a registered place of settlement",
    "shtrih",
    field("table.18.1.14", "cae8eef1ea"),
    "note",
    "table 18, field 14: Киоск",
  ],
  ["a drive of ten days", "shtrih", { days: 460 }, "look", "has 10 days left (until"],
  ["a drive that is over", "shtrih", { days: 471 }, "wrong", "drive ended 1 day ago"],
  [
    "an OFD silent for 12 days",
    "shtrih",
    { emulator: { ofdConnected: false }, days: 12 },
    "look",
    "for 12 days. Unless this is mended, the register stops printing in 18 days",
  ],
  ["an OFD silent for 31 days", "shtrih", { emulator: { ofdConnected: false }, days: 31 }, "wrong", "OFD: "],
  ["internet receipts switched off", "pirit", { options: { internetFlag: null } }, "note", "1125): off in the config"],
  [
    "rows listed in another sequence",
    "pirit",
    { told: (rows) => rows.toReversed() },
    "look",
    "tax rows, as shop knows them",
  ],
  ["a clock of another zone", "pirit", { emulator: { timeZone: "Asia/Omsk" } }, "look", "+3 h to Europe"],
  ["format 1.1", "pirit", { change: ({ core }) => core.reregister({ ffd: 3 }) }, "note", "format (FFD): 1.1"],
  ["no document is printed", "pirit", field("item.1.0", "128"), "wrong", "settings item 1, bit 7: 1"],
  ["VAT is added on top", "pirit", field("item.6.0", "64"), "wrong", "settings item 6, bit 6: 1"],
  ["a driver without 22 %", "atol", field("driver-version", "10.10.7.21"), "wrong", "ATOL driver: 10.10.7.21"],
  ["an old service", "atol", { emulator: { protocol: "v1" } }, "unproven", "ATOL driver: cannot be read"],
  // Both values are right.
  ["internet registration, with `printPaper`", "atol", {}, "note", "tag 1108: 1"],
  [
    "no internet registration",
    "atol",
    { change: ({ core }) => core.reregister({ internetOnly: false }) },
    "note",
    "tag 1108: 0",
  ],
  [
    "a row renamed since the last sync",
    "reference",
    { told: (rows) => rows.map((row, index) => (index === 0 ? { ...row, title: "НДС" } : row)) },
    "look",
    "tax rows, as shop knows them",
  ],
  ["another taxpayer than the site's", "reference", { inn: "7800000000" }, "wrong", "(INN): 7700000000"],
];

/** The right values of the same settings. */
const right: readonly (readonly [string, Maker, Seed, string])[] = [
  ["receipts of 0.00 are allowed", "shtrih", field("table.1.1.23", "00"), "table 1, field 23: 0"],
  ["no place", "shtrih", field("table.18.1.14", "00"), "table 18, field 14: —"],
  ["the format of its drive", "shtrih", { emulator: { ffd: "1.2" } }, "table 17, field 17: 4"],
  ["format 1.2", "pirit", { change: ({ core }) => core.reregister({ ffd: 4 }) }, "format (FFD): 1.2"],
  ["a tax system of several", "shtrih", { ...systems(3), taxSystem: 2 }, "registration: osn, usn-income"],
];

test.each(right)("a register's list of settings accepts %s (%s)", async (_what, maker, seed, words) => {
  const told = (await rowsOf(maker, seed)).filter(({ place, value }) => `${place.en}: ${value.en}`.includes(words));
  expect(told.map(({ level, effect }) => [level, effect])).toEqual([["ok", null]]);
});

test.each<[string, string, string]>([
  ["table.17.1.71", "03", "table 17, field 71: 3"],
  ["table.21.1.2", "02", "table 21, field 2: 2"],
  ["table.1.1.23", "02", "table 1, field 23: 2"],
  ["table.17.1.7", "04", "table 17, field 7: 4"],
])("the list of settings marks the Shtrih setting %s with the unknown value %s", async (name, hex, words) => {
  const told = (await rowsOf("shtrih", field(name, hex))).filter(({ place, value }) =>
    `${place.en}: ${value.en}`.includes(words),
  );
  expect(told.map(({ level }) => level)).toEqual(["look"]);
  expect(told[0]?.effect?.en).toMatch(/^This value is unknown/);
});

test("tax systems are named in Russian as receipts name them", async () => {
  const rows = await rowsOf("shtrih", systems(2 + 4 + 8));
  const found = rows.find(({ place }) => place.en === "tax systems of the registration");
  expect(found?.value.ru).toBe("УСН доход, УСН доход минус расход, неизвестная (бит 3)");
});

test.each(seeds)(
  "the list of settings and doctor show a register's setting: %s (%s)",
  async (_what, maker, seed, level, words) => {
    const rows = await rowsOf(maker, seed);
    const told = rows.filter(({ place, value }) => `${place.en}: ${value.en}`.includes(words));
    expect(told.map((row) => row.level)).toEqual([level]);
    expect(told[0]?.effect?.ru).toMatch(/[а-я]/);
    const [finding] = told.map((row) => setFinding("till", row));
    expect(finding?.level === "ok").toBe(level === "note");
    expect(`${finding?.text.en} ${finding?.next?.en ?? ""}`).toContain(told[0]?.effect?.en);
  },
);

test.each<Maker>(["shtrih", "reference"])(
  "the list of settings of a %s register marks none of the right settings as something to check",
  async (maker) => {
    expect((await rowsOf(maker)).filter(({ level }) => level !== "ok" && level !== "note")).toEqual([]);
  },
);

test.each<[string, SetStores["checks"], SetLevel]>([
  ["unconfirmed until a document shows it", nothingProven, "unproven"],
  ["confirmed by a document that agreed", { ...nothingProven, agreedTags: () => new Set([1125]) }, "ok"],
  ["refuted by a document that lacks it", { ...nothingProven, open: () => [{ ...difference, tag: 1125 }] }, "wrong"],
])("an ATOL register's sign of internet receipts is %s", async (_what, checks, level) => {
  const rows = await rowsOf("atol", { checks });
  expect(rows.filter(({ place }) => place.en.includes("tag 1125")).map((row) => row.level)).toEqual([level]);
});

test("a newer ATOL driver that cannot reach its register names the service that has to run", async () => {
  const broken = (version: string) =>
    rowsOf("atol", {
      change: ({ core, faults }) => {
        core.setMakerSetting("driver-version", version);
        faults.add({ effect: "error", code: 2, when: { command: "getDeviceInfo" } });
      },
    });
  await expect(broken("10.10.8.0")).rejects.toThrow("works only while the service ATOL Connect (UEM) runs");
  await expect(broken("10.10.7.21")).rejects.not.toThrow("UEM");
});
