/** What receipts will meet on a later day, by the law's days, the sites' rules and the registers' tax rows. Pure. */
import { localTimeAt } from "@fiscald/shared/local-time.js";
import { meaningOfRow, rateFlaw, type TaxRow, vatCodes, vatRates } from "@fiscald/shared/receipt/vat.js";
import type { Config } from "./config-schema.js";
import { lacksDefaultTax } from "./cross-checks.js";

export interface RateOnDay {
  /**
   * `refused`: sales at these rates are refused. `allowed`: they are printed although the rates are no longer in force.
   * A position without a tax is refused (`unset`), or printed at this rate, which is in force (`default`) or not
   * (`outdated`). `unread`: the rate of the register's row was never read.
   */
  readonly kind: "refused" | "allowed" | "unset" | "default" | "outdated" | "unread";
  readonly about: string;
  readonly rates: string;
  readonly isChange: boolean;
}

export interface DaysOfRates {
  readonly day: string;
  readonly today: string;
  /** The tax rows of a register as they were read last; empty = never read. */
  taxesOf(registerId: string): readonly TaxRow[];
}

/** The calendar day in the time zone of the first register. `now` is the wall clock in ms. */
export function dateAt({ registers: [first] }: Pick<Config, "registers">, now: number): string {
  return localTimeAt(now, first?.timeZone ?? "UTC").slice(0, 10);
}

export function ratesOnDay(config: Pick<Config, "sites" | "registers">, days: DaysOfRates): readonly RateOnDay[] {
  const asToday = new Set(statements(config, days, days.today).map((one) => JSON.stringify(one)));
  return statements(config, days, days.day).map((one) => ({ ...one, isChange: !asToday.has(JSON.stringify(one)) }));
}

type Statement = Omit<RateOnDay, "isChange">;

function statements(
  { sites, registers }: Pick<Config, "sites" | "registers">,
  { taxesOf }: DaysOfRates,
  day: string,
): readonly Statement[] {
  const titlesOf = (isOfBefore: boolean) =>
    vatCodes.filter((code) => rateFlaw(code, day, isOfBefore) !== null).map((code) => vatRates[code].title);
  return [
    ...sites.flatMap(({ id, rates: { allow20 } }): readonly Statement[] => {
      const refused = titlesOf(allow20);
      const allowed = titlesOf(false).filter((title) => !refused.includes(title));
      return [
        ...(refused.length === 0 ? [] : [{ kind: "refused", about: id, rates: refused.join(", ") } as const]),
        ...(allowed.length === 0 ? [] : [{ kind: "allowed", about: id, rates: allowed.join(", ") } as const]),
      ];
    }),
    ...registers.flatMap((register) => ofDefaultTax(register, taxesOf(register.id), day)),
  ];
}

function ofDefaultTax(
  register: Config["registers"][number],
  taxes: readonly TaxRow[],
  day: string,
): readonly Statement[] {
  const { id: about, defaultTax } = register;
  if (lacksDefaultTax(register)) return [{ kind: "unset", about, rates: "" }];
  if (defaultTax === null) return [];
  const row = taxes.find(({ id }) => id === defaultTax);
  const code = row === undefined ? null : meaningOfRow(row, { operation: "sale" }, FULL_PAYMENT);
  if (code === null) return [{ kind: "unread", about, rates: String(defaultTax) }];
  const kind = rateFlaw(code, day, false) === null ? "default" : "outdated";
  return [{ kind, about, rates: vatRates[code].title }];
}

const FULL_PAYMENT = 4;
