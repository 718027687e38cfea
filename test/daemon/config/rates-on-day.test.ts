/** `check-config --on DAY` says what is refused, printed and changed on that day. */
import { dateAt, type RateOnDay, ratesOnDay } from "@fiscald/daemon/config/rates-on-day.js";
import type { TaxRow } from "@fiscald/shared/receipt/vat.js";
import { configIn, rawRegister, rawSite } from "../../support/raw-config.js";

const shtrihRows: readonly TaxRow[] = [
  { id: 1, title: "НДС 20%", vat: 1 },
  { id: 4, title: "БЕЗ НДС", vat: 6 },
  { id: 11, title: "НДС 22%", vat: 11 },
  { id: 13, title: "НДС 18%", vat: null },
];
/** This register's setting registers 22 % where 20 % is sent. */
const swappedRows: readonly TaxRow[] = [{ id: 1, title: "НДС 20%", vat: 1, inSale: 11 }];

function configOf(register: object, rates: object = {}) {
  const till = rawRegister({ driver: "shtrih", connection: { kind: "emulator" }, ...register });
  return configIn("/nowhere", { sites: [rawSite("https://shop.example/fiscal", { rates })], registers: [till] });
}

function said(
  day: string,
  {
    defaultTax = null,
    allow20 = false,
    taxes = shtrihRows,
  }: { defaultTax?: number | null; allow20?: boolean; taxes?: readonly TaxRow[] },
): readonly string[] {
  const config = configOf({ defaultTax }, { allow20 });
  const rates = ratesOnDay(config, { day, today: "2026-11-28", taxesOf: () => taxes });
  return rates.map(({ kind, about, rates, isChange }: RateOnDay) =>
    `${isChange ? "change: " : ""}${about} ${kind} ${rates}`.trim(),
  );
}

const old = "НДС 20%, НДС 20/120";

test.each([
  [
    "a default row in force is printed",
    "2026-11-28",
    { defaultTax: 11 },
    [`shop refused ${old}`, "till default НДС 22%"],
  ],
  [
    "a default row of the law before is outdated",
    "2026-11-28",
    { defaultTax: 1 },
    [`shop refused ${old}`, "till outdated НДС 20%"],
  ],
  [
    "a default row that the register prints at today's rate is printed at that rate",
    "2026-11-28",
    { defaultTax: 1, taxes: swappedRows },
    [`shop refused ${old}`, "till default НДС 22%"],
  ],
  ["a missing default row refuses positions without a tax", "2026-11-28", {}, [`shop refused ${old}`, "till unset"]],
  [
    "a default row with a rate that is none of the law's counts as not read",
    "2026-11-28",
    { defaultTax: 13 },
    [`shop refused ${old}`, "till unread 13"],
  ],
  [
    "a default row that nobody has read is named",
    "2026-11-28",
    { defaultTax: 11, taxes: [] },
    [`shop refused ${old}`, "till unread 11"],
  ],
  [
    "a site may be allowed the rates of the law before",
    "2026-11-28",
    { defaultTax: 4, allow20: true },
    [`shop allowed ${old}`, "till default Без НДС"],
  ],
  [
    "what is true on that day and not today is a change",
    "2025-12-31",
    { defaultTax: 11 },
    ["change: shop refused НДС 22%, НДС 22/122", "change: till outdated НДС 22%"],
  ],
  [
    "a rate is in force from its first day on",
    "2026-01-01",
    { defaultTax: 11 },
    [`shop refused ${old}`, "till default НДС 22%"],
  ],
])("check-config --on DAY says what the law's rates on that day mean: %s (%s)", (_title, day, given, expected) => {
  expect(said(day, given)).toEqual(expected);
});

test.each([
  ["Europe/Moscow", "2027-01-01"],
  ["America/New_York", "2026-12-31"],
])("at 22:00 UTC of the last day of a year a register in %s has the day %s", (timeZone, day) => {
  expect(dateAt(configOf({ timeZone }), Date.UTC(2026, 11, 31, 22))).toBe(day);
});
