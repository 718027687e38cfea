import type { Identity } from "../fiscal-driver.js";

/** What `connect` reads once; it does not change while the connection lasts. */
export interface RegisterFacts {
  readonly identity: Identity;
  /** Characters per line by font number. */
  readonly columns: readonly number[];
}
