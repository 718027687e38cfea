import type { Identity } from "./fiscal-driver.js";

/** What this reading lacks, because the register refused one question, is taken from the other reading. */
export function withMissingFacts(identity: Identity, other: Pick<Identity, "ffd" | "taxSystems">): Identity {
  const { ffd, taxSystems } = identity;
  return { ...identity, ffd: ffd ?? other.ffd, taxSystems: taxSystems === 0 ? other.taxSystems : taxSystems };
}
