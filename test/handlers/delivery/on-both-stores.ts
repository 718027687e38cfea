/** The same tests on both databases of the site's side. */
import { databaseKinds, type TestDatabase } from "../../support/site-databases.js";

export type NewDatabase = () => Promise<TestDatabase>;

/** Runs the suite on SQLite, and on PostgreSQL where a server is named (else its tests are reported as skipped). */
export function describeOnBothStores(title: string, suite: (newDatabase: NewDatabase) => void): void {
  for (const kind of databaseKinds) {
    const describeKind = kind.skipped === null ? describe : describe.skip;
    describeKind(`${title} on ${kind.name}`, () => suite(kind.create));
  }
}
