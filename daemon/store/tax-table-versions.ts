/**
 * Whose tax rows the ids of a job are (`tax_register`). A job keeps the name that its register's rows have when it is
 * taken in: the register's id, `<id>#1` once the rows have another meaning, `<id>#2` ... What a former name stood for
 * is kept, so no job is written anew, and one that is retried much later is still read by the rows it was taken in
 * with.
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

/** `<beginning><register>`: the name of its rows as they are now; its id when there is none. */
const PRESENT = "tax-source ";
/** `<beginning><name>`: what that name stood for. */
const FORMER = "former-register ";

/** The name of the rows of `@register` as they are now, as an SQL expression. */
export const presentTaxSource = `coalesce((SELECT value FROM meta WHERE key = '${PRESENT}' || @register), @register)`;

/** Every method is one or two rows; what writes belongs into the caller's transaction. */
export interface TaxSources {
  /** The name of a register's rows as they are now. */
  present(register: RegisterId): RegisterId;
  /** What a former name stood for; null = it is the name of the rows as they are now. */
  former(name: RegisterId): TaxSource | null;
  /** From now on the rows of the register mean something else than `before`. */
  keepFormer(before: TaxSource): void;
  /** What the register was before goes with it to its new id. */
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
    keepFormer({ id, identity, tables }) {
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

/** The register that had the name first: no id of a register has a `#`. */
export function registerOfTaxSource(name: RegisterId): RegisterId {
  return toRegisterId(name.replace(/#\d+$/, ""));
}
