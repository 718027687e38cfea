import { isObject } from "@fiscald/shared/exchange/lenient-fields.js";

export type Columns = ReturnType<typeof columnsOf>;

/** Typed columns of a row. A zod schema for thirty columns would take longer than the statement that reads it. */
export function columnsOf(anyRow: unknown) {
  if (!isObject(anyRow)) throw new Error("not a row");
  const row = anyRow;
  const wrong = (name: string, expected: string) => new Error(`the column ${name} is not ${expected}`);

  function int(name: string): number {
    const value = row[name];
    if (typeof value !== "number" || !Number.isSafeInteger(value)) throw wrong(name, "a whole number");
    return value;
  }
  function text(name: string): string {
    const value = row[name];
    if (typeof value !== "string") throw wrong(name, "text");
    return value;
  }
  return {
    int,
    text,
    flag(name: string): boolean {
      const value = int(name);
      if (value !== 0 && value !== 1) throw wrong(name, "0 or 1");
      return value === 1;
    },
    oneOf<T extends string>(name: string, values: readonly T[]): T {
      const found = values.find((value) => value === row[name]);
      if (found === undefined) throw wrong(name, `one of ${values.join(", ")}`);
      return found;
    },
    orNull: <T>(name: string, read: (name: string) => T): T | null => (row[name] === null ? null : read(name)),
  };
}
