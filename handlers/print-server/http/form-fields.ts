/** Reads form fields in PHP's brackets (`data[0][name]=x`, `list[]=y`) as nested values. All leaves are text. */
import { Fault } from "@fiscald/shared/fault.js";
import qs from "qs";

/**
 * The most fields of a form, elements of one list, and levels below the first (`data[0][taxes][0][id]` has four). The
 * sender chooses the highest index of a list and so its length: only all three limits together bound the work.
 */
const MAX_FIELDS = 3000;
const MAX_ELEMENTS = 300;
const MAX_DEPTH = 5;

/** `form`: an urlencoded body, or fields that another parser has split. Fault `call.unreadable` above the limits. */
export function parseForm(form: string | Readonly<Record<string, unknown>>): unknown {
  try {
    return qs.parse(form as string, {
      parameterLimit: MAX_FIELDS,
      arrayLimit: MAX_ELEMENTS,
      throwOnLimitExceeded: true,
      depth: MAX_DEPTH,
      strictDepth: true,
      duplicates: "last",
      // A field may be named like a method that every object has.
      plainObjects: true,
    });
  } catch (cause) {
    throw new Fault("call.unreadable", {
      message: "The form has too many fields, too long a list, or is nested too deeply.",
      cause,
    });
  }
}
