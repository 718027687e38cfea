/** Settings of the whole database, which commands change (54-fz 15). */
import type { Reader, Writer } from "../store/delivery-store.js";

async function readSetting(db: Reader, name: string): Promise<string | null> {
  const row = await db.selectFrom("delivery_settings").select("value").where("name", "=", name).executeTakeFirst();
  return row?.value ?? null;
}

async function writeSetting(tx: Writer, name: string, value: string): Promise<void> {
  await tx
    .insertInto("delivery_settings")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}

/** While the cabinet is on, its six kinds of records are read-only over the API. */
export async function isCabinetOn(db: Reader): Promise<boolean> {
  return (await readSetting(db, "cabinet")) === "on";
}

export function switchCabinet(tx: Writer, on: boolean): Promise<void> {
  return writeSetting(tx, "cabinet", on ? "on" : "off");
}

/** How many courier sessions may be open at one time; 0 until it is set. */
export async function licenseTotal(db: Reader): Promise<number> {
  return Number((await readSetting(db, "licenses")) ?? 0);
}

export function setLicenseTotal(tx: Writer, total: number): Promise<void> {
  return writeSetting(tx, "licenses", String(total));
}
