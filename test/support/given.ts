/** What must be there: the test fails at once where it is not. */
export function given<T>(value: T): NonNullable<T> {
  if (value === null || value === undefined) throw new Error("what the test needs is not there");
  return value;
}
