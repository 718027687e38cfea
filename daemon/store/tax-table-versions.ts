/**
 * Versions of the registers' tax tables. The tax ids of a job belong to the version that its register had when the job
 * was accepted; the column `tax_register` has the name of that version. The first version is named by the register's
 * id, the next ones `<id>#1`, `<id>#2` and so on. Former versions are stored, so that a change of the table rewrites no
 * job and a late retry still uses the right table.
 */
import type { Identity } from "@fiscald/drivers/fiscal-driver.js";
import { type RegisterId, toRegisterId } from "@fiscald/shared/ids.js";
import type { RegisterTables } from "@fiscald/shared/receipt/vat.js";
import { z } from "zod";
import { createMetaStore } from "./database/meta-store.js";
import type { Database } from "./database/sqlite-file.js";
import { identitySchema, tablesSchema } from "./rows/fiscal-columns.js";
import { cachedJsonColumn } from "./rows/json-column.js";

export interface TaxSource {
  readonly id: RegisterId;
  readonly identity: Identity;
  readonly tables: RegisterTables;
}

/** Meta key `<prefix><register>`: name of the present version. Without an entry it is the register's id. */
const PRESENT = "tax-source ";
/** Meta key `<prefix><name>`: a former version. */
const FORMER = "former-register ";

/** SQL expression for the name of the present version of `@register`. */
export const presentTaxSource = `coalesce((SELECT value FROM meta WHERE key = '${PRESENT}' || @register), @register)`;

/** Call the writing methods inside a transaction. */
export interface TaxSources {
  /** The name of the register's present version. */
  present(register: RegisterId): RegisterId;
  /** A former version by its name; null if the name is that of a present version. */
  former(name: RegisterId): TaxSource | null;
  /** Stores `before` as a former version and starts the next one. */
  addFormer(before: TaxSource): void;
  /** Assigns the former versions of a renamed register to its new id. */
  rename(from: RegisterId, to: RegisterId): void;
}

const formerSchema: z.ZodType<TaxSource, unknown> = z.object({
  id: z.string().transform(toRegisterId),
  identity: identitySchema,
  tables: tablesSchema,
});

export function createTaxSources(db: Database): TaxSources {
  const meta = createMetaStore(db);
  const formerRow = z.object({ value: cachedJsonColumn(formerSchema) });
  const present = (register: RegisterId) => toRegisterId(meta.get(`${PRESENT}${register}`) ?? register);

  return {
    present,
    former(name) {
      const value = meta.get(`${FORMER}${name}`);
      return value === null ? null : formerRow.parse({ value }).value;
    },
    addFormer({ id, identity, tables }) {
      const name = present(id);
      const [, number = "0"] = name.split("#");
      meta.set(`${FORMER}${name}`, JSON.stringify({ id, identity, tables }));
      meta.set(`${PRESENT}${id}`, `${id}#${Number(number) + 1}`);
    },
    rename(from, to) {
      for (const [name, value] of meta.withPrefix(FORMER)) {
        const former = formerRow.parse({ value }).value;
        if (former.id === from) meta.set(`${FORMER}${name}`, JSON.stringify({ ...former, id: to }));
      }
    },
  };
}

/** The register of a version name: the id of a register never contains `#`. */
export function registerOfTaxSource(name: RegisterId): RegisterId {
  return toRegisterId(name.replace(/#\d+$/, ""));
}
