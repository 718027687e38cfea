/**
 * Form fields for sites that read no JSON, nested values in PHP's bracket form: `data[0][name]=...`. True and false are
 * 1 and 0, null is an empty field, undefined is left out. Empty lists and objects have no field at all.
 */
export function encodeForm(body: unknown): string {
  const fields = new URLSearchParams();
  if (typeof body === "object" && body !== null) {
    for (const [name, value] of Object.entries(body)) append(fields, name, value);
  }
  return fields.toString();
}

function append(fields: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined) return;
  if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) append(fields, `${name}[${key}]`, inner);
    return;
  }
  fields.append(name, plainText(value));
}

function plainText(value: unknown): string {
  if (value === null) return "";
  if (typeof value === "boolean") return value ? "1" : "0";
  return String(value);
}
