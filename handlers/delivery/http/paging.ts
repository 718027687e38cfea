import { z } from "zod";

export const DEFAULT_COUNT = 20;
export const MAX_COUNT = 500;

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, { error: "must be a whole number" })
  .transform(Number)
  // The document calls the parameter an integer, because clients have a number, although it arrives as text.
  .meta({ type: "integer", minimum: 0 });

/** The number of the first page: 1 in the document's text, 0 in its examples (54-fz 15). */
export type PageBase = 0 | 1;

const page = wholeNumber.meta({ description: "Number of the page." });
const count = wholeNumber.meta({
  description: `Records of a page; default ${DEFAULT_COUNT}, at most ${MAX_COUNT}.`,
});

/** If `page` counts from 1, page 0 is the first page as well; a `count` above the maximum is the maximum. */
export const pagingQuery = { page: page.optional(), count: count.optional() };
export const requiredPagingQuery = { page, count };

interface PagingQuery {
  readonly page?: unknown;
  readonly count?: unknown;
}

export function toPage(query: PagingQuery, base: PageBase): Page {
  const limit = Math.min(typeof query.count === "number" ? query.count : DEFAULT_COUNT, MAX_COUNT);
  const page = typeof query.page === "number" ? query.page : base;
  return { limit, offset: Math.max(page - base, 0) * limit };
}

/** For lists without pages in the API's document. Null, if no page is asked for: the whole list. */
export function toPageIfAsked(query: PagingQuery, base: PageBase): Page | null {
  return query.page === undefined && query.count === undefined ? null : toPage(query, base);
}
