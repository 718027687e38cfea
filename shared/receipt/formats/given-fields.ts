/** The fields of an object that are there: an absent one is no key of it, as the receipt has it. */
export function givenFields<T extends object>(fields: T): { readonly [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const given: { [Key in keyof T]?: Exclude<T[Key], undefined> } = {};
  for (const key in fields) {
    const value = fields[key];
    if (isGiven(value)) given[key] = value;
  }
  return given;
}

function isGiven<T>(value: T): value is Exclude<T, undefined> {
  return value !== undefined;
}
