/** Fails the test at once where the value is missing. */
export function given<T>(value: T): NonNullable<T> {
  if (value === null || value === undefined) throw new Error("what the test needs is not there");
  return value;
}
