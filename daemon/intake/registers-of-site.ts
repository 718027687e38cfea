/** What the intake of one site asks about its registers, answered from their last state or their record. */
import type { Clock } from "@fiscald/shared/clock.js";
import type { Kkm, RegisterId, SiteId } from "@fiscald/shared/ids.js";
import type { TaxRow } from "@fiscald/shared/receipt/vat.js";
import type { RegisterFleet } from "../registers/actor/register-fleet.js";
import type { Stores } from "../registers/register-context.js";
import { knownKkm, todayOf } from "../registers/register-snapshot.js";
import { isInOpenShift, isStillInShiftOf } from "../registers/shift/open-shift-check.js";
import type { SiteEvents } from "../sites/site-events.js";
import type { Job, Taxpayer } from "../store/job.js";

export interface RegisterSources {
  readonly fleet: Pick<RegisterFleet, "find">;
  readonly stores: Pick<Stores, "attempts" | "registers">;
  readonly events: Pick<SiteEvents, "taxListsOf">;
  readonly clock: Clock;
}

export type RegistersOfSite = ReturnType<typeof registersOfSite>;

export function registersOfSite(site: SiteId, { fleet, stores, events, clock }: RegisterSources) {
  const snapshotOf = (id: RegisterId) => fleet.find(({ settings }) => settings.id === id);
  const boundWith = (kkm: Kkm | null) =>
    fleet.find((register) => register.settings.sites.includes(site) && knownKkm(register) === kkm);
  const shiftOf = (id: RegisterId) => ({ record: stores.registers.find(id), state: snapshotOf(id)?.state ?? null });
  return {
    /** Null: no register of the config has this number. */
    findRegister: (kkm: Kkm): RegisterId | null => boundWith(kkm)?.settings.id ?? null,
    /** A register that was never connected; null = all numbers are known. */
    unseenRegister: (): RegisterId | null => boundWith(null)?.settings.id ?? null,
    /** The tax rows as the site may have known them, newest list first, or else the register's. Empty = not known. */
    taxListsOf(kkm: Kkm, askedAt: number): readonly (readonly TaxRow[])[] {
      const lists = events.taxListsOf(site, kkm, askedAt);
      const tables = boundWith(kkm)?.tables ?? null;
      return lists.length > 0 || tables === null ? lists : [tables.taxes];
    },
    /** The register's row for positions without a tax id; null = none. */
    defaultRowOf(register: RegisterId): TaxRow | null {
      const { settings, tables } = snapshotOf(register) ?? {};
      return tables?.taxes.find(({ id }) => id === settings?.defaultTax) ?? null;
    },
    /** Whether the register's tax rows were just read again, because a misread row must not refuse an order. */
    areRowsConfirmed: (register: RegisterId): boolean => snapshotOf(register)?.rowsConfirmed ?? false,
    taxpayerOf(register: RegisterId): Taxpayer | null {
      const identity = snapshotOf(register)?.identity ?? null;
      return identity === null ? null : { inn: identity.inn, taxSystems: identity.taxSystems };
    },
    isInOpenShift: ({ register, document }: Job): boolean => isInOpenShift(document, shiftOf(register)),
    /** Whether a half-done service job can go on where it stopped, on the same register, drive and shift. */
    isStillInShiftOf({ id, register }: Job): boolean {
      const last = stores.attempts.ofJob(id).findLast(({ outcome }) => outcome === "printed");
      return isStillInShiftOf(last, shiftOf(register));
    },
    /** As `2026-11-20`, by the register's clock or else by this computer's. */
    dayAt: (register: RegisterId): string => todayOf(snapshotOf(register) ?? undefined, clock.now()),
  };
}
