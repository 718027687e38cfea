/** Rows of one table by their id; enough for the jobs, registers and events of the receipts in hand. */
const REMEMBERED = 32;

type Row = Readonly<Record<string, unknown>>;

/**
 * Decodes whole rows of a table with an `id`. One that is column for column as it was read last is not decoded anew: a
 * receipt looks at its own row and at its register's again and again. Only for values that nobody changes.
 */
export function decodeSteadily<T>(decode: (row: unknown) => T): (row: unknown) => T {
  const remembered = new Map<unknown, { readonly row: Row; readonly value: T }>();
  return (row) => {
    if (!isRow(row)) return decode(row);
    const known = remembered.get(row.id);
    if (known !== undefined && isSame(known.row, row)) return known.value;
    const value = decode(row);
    remembered.delete(row.id);
    remembered.set(row.id, { row, value });
    const [oldest] = remembered.keys();
    if (remembered.size > REMEMBERED) remembered.delete(oldest);
    return value;
  };
}

function isRow(row: unknown): row is Row {
  return typeof row === "object" && row !== null && "id" in row;
}

function isSame(one: Row, other: Row): boolean {
  const columns = Object.keys(other);
  return columns.length === Object.keys(one).length && columns.every((column) => one[column] === other[column]);
}
