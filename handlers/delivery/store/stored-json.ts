/** What we keep as JSON text. We wrote it ourselves, through a schema, so reading only names the type again. */

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Fields of a catalog record, in stored form: ids as text, money as roubles. */
export type StoredRecord = { readonly [field: string]: JsonValue };

export function jsonObject(text: string): StoredRecord {
  const value: StoredRecord = JSON.parse(text);
  return value;
}

/** A text field of a record; null when it is absent. */
export function textField(record: StoredRecord | undefined, field: string): string | null {
  const value = record?.[field];
  return typeof value === "string" ? value : null;
}

export function numberField(record: StoredRecord | undefined, field: string): number | null {
  const value = record?.[field];
  return typeof value === "number" ? value : null;
}

/** A checked request in its stored form: absent fields are left out. */
export function fromWire(checked: Readonly<Record<string, unknown>>): StoredRecord {
  return jsonObject(JSON.stringify(checked));
}
