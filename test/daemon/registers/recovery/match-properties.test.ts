/** What match-documents.ts never does, whatever the documents and claims are. */
import {
  type Claim,
  type FoundDocument,
  type Match,
  matchDocuments,
} from "@fiscald/daemon/registers/recovery/match-documents.js";
import { parseMark } from "@fiscald/shared/receipt/order-mark.js";
import { itemsOf, totalOf } from "@fiscald/shared/receipt/receipt.js";
import fc from "fast-check";
import { someClaims, someDocuments } from "../../../support/match-arbitrary.js";

const RUNS = { numRuns: 3_000 };

const certainOf = (matches: ReadonlyMap<Claim, Match>) =>
  [...matches].flatMap(([claim, match]) => (match.kind === "certain" ? [{ claim, found: match.found }] : []));
const placeOf = ({ fn, document: { fd } }: FoundDocument) => `${fn}/${fd}`;

test("no two claims are certain of one document", () => {
  fc.assert(
    fc.property(someDocuments, someClaims, (documents, claims) => {
      const places = certainOf(matchDocuments(documents, claims)).map(({ found }) => placeOf(found));
      expect(new Set(places).size).toBe(places.length);
    }),
    RUNS,
  );
});

test("no claim is certain of one document while another one carries its mark too", () => {
  fc.assert(
    fc.property(someDocuments, someClaims, (documents, claims) => {
      for (const { claim, found } of certainOf(matchDocuments(documents, claims))) {
        const others = documents.filter((other) => placeOf(other) !== placeOf(found) && !isExcluded(claim, other));
        expect(others.filter(({ document }) => document.type === "receipt" && hasMark(claim, document.mark))).toEqual(
          [],
        );
      }
    }),
    RUNS,
  );
});

test("no claim is certain of a document that another job has, or that was read and differs", () => {
  fc.assert(
    fc.property(someDocuments, someClaims, (documents, claims) => {
      for (const { claim, found } of certainOf(matchDocuments(documents, claims))) {
        const read = documents.find((one) => placeOf(one) === placeOf(found));
        if (read !== undefined) expect([read.owner, ...differences(claim, read)]).toEqual([null]);
      }
    }),
    RUNS,
  );
});

test("neither the order of the documents nor that of the claims matters", () => {
  const shuffled = fc.tuple(someDocuments, someClaims).chain(([documents, claims]) =>
    fc.record({
      ...{ documents: fc.constant(documents), claims: fc.constant(claims) },
      otherDocuments: fc.shuffledSubarray(documents, { minLength: documents.length }),
      otherClaims: fc.shuffledSubarray(claims, { minLength: claims.length }),
    }),
  );
  fc.assert(
    fc.property(shuffled, ({ documents, claims, otherDocuments, otherClaims }) => {
      const one = matchDocuments(documents, claims);
      const other = matchDocuments(otherDocuments, otherClaims);
      for (const claim of claims) expect(other.get(claim)).toEqual(one.get(claim));
    }),
    RUNS,
  );
});

test("what a document is compared by beside its lines changes no match: a register that alters receipts has printed them", () => {
  const values = fc.dictionary(
    fc.constantFrom("1199", "1214", "1212", "1055", "1008"),
    fc.integer({ min: 1, max: 12 }),
  );
  const tags = fc.option(fc.record({ head: values, items: fc.array(values, { maxLength: 2 }) }), { nil: undefined });
  fc.assert(
    fc.property(someDocuments, someClaims, fc.array(tags), (documents, claims, altered) => {
      const withTags = documents.map(({ document, ...found }, index) => {
        const own = altered[index];
        return { ...found, document: own === undefined ? document : { ...document, tags: own } };
      });
      const numbers = (matches: ReadonlyMap<Claim, Match>) =>
        claims.map((claim) => {
          const match = matches.get(claim);
          return match?.kind === "certain" ? placeOf(match.found) : match?.kind;
        });
      expect(numbers(matchDocuments(withTags, claims))).toEqual(numbers(matchDocuments(documents, claims)));
    }),
    RUNS,
  );
});

test("a receipt that was sent is not printed only while each document in its window was read, or is another job's", () => {
  fc.assert(
    fc.property(someDocuments, someClaims, (documents, claims) => {
      const matches = matchDocuments(documents, claims);
      const places = new Set(certainOf(matches).map(({ found }) => placeOf(found)));
      for (const [claim, match] of matches) {
        if (match.kind !== "none" || claim.strength === "queued") continue;
        const unread = documents.filter((found) => {
          const { fd, body } = found.document;
          const isInWindow = found.fn === claim.fn && fd > claim.above && fd <= claim.upTo;
          return isInWindow && body === "unreadable" && found.owner === null && !places.has(placeOf(found));
        });
        expect(unread).toEqual([]);
      }
    }),
    RUNS,
  );
});

function hasMark({ mark, receipt }: Claim, text: string | null): boolean {
  const [own, read] = [parseMark(mark ?? ""), parseMark(text ?? "")];
  if (own === null || read === null) return false;
  return own.digits === read.digits && (own.issuer === read.issuer || receipt.receiptId !== null);
}

/** Fields of a document that was read in full or in its head. */
function differences(claim: Claim, { document }: FoundDocument): string[] {
  const { receipt } = claim;
  const differs: string[] = [];
  if (document.operation !== null && document.operation !== receipt.operation) differs.push("direction");
  if (document.total !== null && Math.abs(document.total - totalOf(receipt)) > 100) differs.push("total");
  if (document.mark !== null && !hasMark(claim, document.mark)) differs.push("mark");
  const lines = document.items.map(({ name, sum }) => `${name} ${sum}`);
  const isUnmarked = document.mark === null && document.body === "full";
  if (
    isUnmarked &&
    lines.join() !==
      itemsOf(receipt)
        .map(({ name, total }) => `${name} ${total}`)
        .join()
  ) {
    differs.push("lines");
  }
  return differs;
}

/** The operator has looked at it and said that it is another receipt. */
function isExcluded(claim: Claim, { fn, document }: FoundDocument): boolean {
  return claim.strength === "queued" && claim.excluded.some((place) => place.fn === fn && document.fd <= place.fd);
}
