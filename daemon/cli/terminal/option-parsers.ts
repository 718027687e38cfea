import { InvalidArgumentError } from "@fiscald/shared/command-line.js";
import { Fault } from "@fiscald/shared/fault.js";

/** For commander: the value of an option. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new InvalidArgumentError("a whole number");
  return value;
}

/** The number of a job or event that stands alone. */
export function idNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new Fault("usage.wrong", { message: `${text} is no number of a job or event` });
  return value;
}
