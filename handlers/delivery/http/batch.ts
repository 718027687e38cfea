import { z } from "zod";

export const MAX_ELEMENTS = 500;

/** An array in one request: all of it is done, or nothing. */
export function batchOf<Element extends z.ZodType>(element: Element) {
  return z
    .array(element, { error: "must be an array, also for one object" })
    .max(MAX_ELEMENTS, { error: `has more than ${MAX_ELEMENTS} elements` });
}
