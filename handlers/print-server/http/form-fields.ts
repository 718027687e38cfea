/**
 * Reads form fields in PHP's bracket spelling (`data[0][name]=x`, `list[]=y`) as nested values. All leaves are text;
 * the schemas read numbers and flags from it. Pure.
 */
import { Fault } from "@fiscald/shared/fault.js";
import qs from "qs";

/**
 * Limits: the most fields of a form, elements of one list, and levels below the first (`data[0][taxes][0][id]` has
 * four). A list is as long as its highest index says, whoever sends it, so all three together bound the work.
 */
const MAX_FIELDS = 3000;
const MAX_ELEMENTS = 300;
const MAX_DEPTH = 5;

/**
 * Reads an urlencoded body, or its fields as a parser has split them already; nested values stay nested. Fault
 * `call.unreadable` for more fields or deeper nesting than the limits allow.
 */
export function parseForm(form: string | Readonly<Record<string, unknown>>): unknown {
  try {
    return qs.parse(form as string, {
      parameterLimit: MAX_FIELDS,
      arrayLimit: MAX_ELEMENTS,
      throwOnLimitExceeded: true,
      depth: MAX_DEPTH,
      strictDepth: true,
      duplicates: "last",
      // A field with the name of a method that every object has is a field like any other.
      plainObjects: true,
    });
  } catch (cause) {
    throw new Fault("call.unreadable", {
      message: "The form has too many fields, too long a list, or is nested too deeply.",
      cause,
    });
  }
}
