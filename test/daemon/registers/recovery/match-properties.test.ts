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
import { seeded } from "../../../support/seeded.js";

type Documents = readonly FoundDocument[];
type Claims = readonly Claim[];
type Matches = ReadonlyMap<Claim, Match>;

const certainOf = (matches: Matches) =>
  [...matches].flatMap(([claim, match]) => (match.kind === "certain" ? [{ claim, found: match.found }] : []));
const placeOf = ({ fn, document: { fd } }: FoundDocument) => `${fn}/${fd}`;

function always(holds: (documents: Documents, claims: Claims, matches: Matches) => void): void {
  const property = fc.property(someDocuments, someClaims, (documents, claims) =>
    holds(documents, claims, matchDocuments(documents, claims)),
  );
  fc.assert(property, { numRuns: 3_000 });
}

test("no document is certainly matched to two jobs", () => {
  always((_documents, _claims, matches) => {
    const places = certainOf(matches).map(({ found }) => placeOf(found));
    expect(new Set(places).size).toBe(places.length);
  });
});

test("no job is certainly matched to a document while another document has the job's order mark", () => {
  always((documents, _claims, matches) => {
    for (const { claim, found } of certainOf(matches)) {
      const others = documents.filter((other) => placeOf(other) !== placeOf(found) && !isExcluded(claim, other));
      const marked = others.filter(({ document }) => document.type === "receipt" && hasMark(claim, document.mark));
      expect(marked).toEqual([]);
    }
  });
});

test("no job is certainly matched to another job's document, or to a document that was read and differs", () => {
  always((documents, _claims, matches) => {
    for (const { claim, found } of certainOf(matches)) {
      const read = documents.find((one) => placeOf(one) === placeOf(found));
      if (read !== undefined) expect([read.owner, ...differences(claim, read)]).toEqual([null]);
    }
  });
});

test("the order of the documents and of the jobs does not change a match", () => {
  const { next } = seeded(1);
  const shuffled = <T>(values: readonly T[]): readonly T[] =>
    values
      .map((value) => ({ value, at: next() }))
      .sort((one, other) => one.at - other.at)
      .map(({ value }) => value);
  always((documents, claims, matches) => {
    const other = matchDocuments(shuffled(documents), shuffled(claims));
    for (const claim of claims) expect(other.get(claim)).toEqual(matches.get(claim));
  });
});

test("altered values besides a document's lines change no match, because an altering register did print the receipt", () => {
  const places = (claims: Claims, matches: Matches) =>
    claims.map((claim) => {
      const match = matches.get(claim);
      return match?.kind === "certain" ? placeOf(match.found) : match?.kind;
    });
  const altered = { head: { 1055: 2, 1008: "b@b.example" }, items: [{ 1199: 1, 1214: 1, 1212: 3 }] };
  always((documents, claims, matches) => {
    const withTags = documents.map(({ document, ...found }, index) => {
      return { ...found, document: index % 3 === 0 ? document : { ...document, tags: altered } };
    });
    expect(places(claims, matchDocuments(withTags, claims))).toEqual(places(claims, matches));
  });
});

test("a sent receipt counts as not printed only when each document in its window was read or is another job's", () => {
  always((documents, _claims, matches) => {
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
  });
});

function hasMark({ mark, receipt }: Claim, text: string | null): boolean {
  const [own, read] = [parseMark(mark ?? ""), parseMark(text ?? "")];
  if (own === null || read === null) return false;
  return own.digits === read.digits && (own.issuer === read.issuer || receipt.receiptId !== null);
}

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

/** The operator has looked at the document and said that it is another receipt. */
function isExcluded(claim: Claim, { fn, document }: FoundDocument): boolean {
  return claim.strength === "queued" && claim.excluded.some((place) => place.fn === fn && document.fd <= place.fd);
}
