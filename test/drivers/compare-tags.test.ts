import { compareTags, type Difference, hasValue, watchedValues } from "@fiscald/drivers/compare-tags.js";
import type { DocumentTags, TagValues } from "@fiscald/drivers/fiscal-document.js";
import fc from "fast-check";

const head: TagValues = { 1054: 1, 1020: 10_000, 1031: 10_000, 1055: 1, 1125: 1, 1187: "https://shop.example" };
const line: TagValues = { 1030: "Чай «Лисма»", 1079: 10_000, 1023: 1_000_000, 1043: 10_000, 1199: 1, 1212: 1, 1214: 4 };
const sent: DocumentTags = { head, items: [line] };
const all = new Set([1030, 1059, ...Object.keys({ ...head, ...line }).map(Number)]);

/** Null removes the tag. */
function changed(tags: TagValues, change: Readonly<Record<number, string | number | null>>): TagValues {
  const entries = Object.entries({ ...tags, ...change });
  return Object.fromEntries(entries.filter((entry): entry is [string, string | number] => entry[1] !== null));
}

function differences(read: DocumentTags, readBefore: ReadonlySet<number> = all): readonly Difference[] {
  return compareTags(sent, read, readBefore).differences;
}

const inLine = (change: Parameters<typeof changed>[1]): DocumentTags => ({ head, items: [changed(line, change)] });
const inHead = (change: Parameters<typeof changed>[1]): DocumentTags => ({
  head: changed(head, change),
  items: [line],
});

describe("the comparison of a document with what was sent", () => {
  test.each([
    ["another rate", inLine({ 1199: 11 }), "hold"],
    ["a rate that does not exist and was read wrongly", inLine({ 1199: 40 }), "warn"],
    ["no rate", inLine({ 1199: null }), "warn"],
    ["another sum of a line", inLine({ 1043: 9_997 }), "hold"],
    ["a line whose whole product is a kopeck off", inLine({ 1043: 9_999 }), "hold"],
    ["no sum of a line", inLine({ 1043: null }), "hold"],
    ["another method", inLine({ 1214: 1 }), "hold"],
    ["another subject", inLine({ 1212: 4 }), "warn"],
    ["a name cut short", inLine({ 1030: "Чай" }), "warn"],
    ["another price", inLine({ 1079: 9_999 }), "warn"],
    ["an added line", { head, items: [line, line] }, "hold"],
    ["another total", inHead({ 1020: 9_900 }), "hold"],
    ["another direction", inHead({ 1054: 2 }), "hold"],
    ["another tax system", inHead({ 1055: 2 }), "hold"],
    ["another kind of payment", inHead({ 1031: 0, 1081: 10_000 }), "hold"],
    ["no internet sign", inHead({ 1125: null }), "hold"],
    ["no place of settlement", inHead({ 1187: null }), "hold"],
    ["another place of settlement", inHead({ 1187: "г. Москва" }), "warn"],
  ] satisfies [string, DocumentTags, string][])(
    "a document that has %s (%o) instead of the sent value gets the verdict %s",
    (_what, read, weight) => {
      expect(differences(read).map((difference) => difference.weight)).toEqual([weight]);
    },
  );

  test("a difference in a tag that has always differed on this model and firmware gives only a warning", () => {
    expect(differences(inLine({ 1214: 1 }), new Set())).toMatchObject([{ tag: 1214, weight: "warn" }]);
  });

  test("another rate beside a correct line sum stops receipts even if the rate has always differed on this model and firmware", () => {
    expect(differences(inLine({ 1199: 11 }), new Set())).toMatchObject([{ tag: 1199, weight: "hold" }]);
    expect(differences(inLine({ 1199: 11, 1043: 9_900 }), new Set())).toMatchObject([
      { tag: 1043, weight: "warn" },
      { tag: 1199, weight: "warn" },
    ]);
  });

  test("a missing internet sign beside a correct total stops internet receipts even if this model never confirmed the sign", () => {
    const without = inHead({ 1125: null });
    expect(differences(without, new Set())).toMatchObject([{ tag: 1125, weight: "warn" }]);
    const { differences: found } = compareTags(sent, without, new Set(), [1125]);
    expect(found).toMatchObject([{ tag: 1125, weight: "hold" }]);
  });

  test("a document with unsent tags, other quotes or unused kinds of payment counts as equal to what was sent", () => {
    const read = { head: { ...head, 1081: 0, 1192: "1" }, items: [{ ...line, 1030: 'Чай "Лисма"', 1200: 1_667 }] };
    expect(differences(read)).toEqual([]);
  });

  test.each([
    ["a.b@x.ru", "ab@x.ru", [1008]],
    ["a_b@x.ru", "a-b@x.ru", [1008]],
    ["ab@x.ru", "abx.ru", [1008]],
    ["A.B@x.ru", "a.b@X.ru", []],
    ["+79990000001", "79990000001", []],
  ])("the buyer's address %s in place of %s differs in the tags %j", (wanted, found, tags) => {
    const [ours, theirs] = [wanted, found].map((address) => ({ ...sent, head: { ...head, 1008: address } }));
    if (ours === undefined || theirs === undefined) throw new Error("two documents");
    expect(compareTags(ours, theirs, all).differences.map(({ tag }) => tag)).toEqual(tags);
  });

  test("a changed line sum stops receipts of any sum, and each report names that receipt's own values", () => {
    const found = differences(inLine({ 1043: 5_000 }));
    expect(found).toEqual([{ tag: 1043, sent: "10000", read: "5000", weight: "hold" }]);
    const other = { head: { 1020: 99_900 }, items: [{ ...line, 1043: 99_900 }] };
    expect(found.map((difference) => hasValue(other, difference))).toEqual([true]);
    expect(compareTags(other, { ...other, items: [{ ...line, 1043: 100 }] }, all).differences).toEqual([
      { tag: 1043, sent: "99900", read: "100", weight: "hold" },
    ]);
  });

  test("a line sum that is a kopeck off stops receipts when the receipt's total differs too", () => {
    const read = { head: { ...head, 1020: 9_999 }, items: [{ ...line, 1043: 9_999 }] };
    expect(differences(read).map(({ tag, weight }) => [tag, weight])).toEqual([
      [1020, "hold"],
      [1043, "hold"],
    ]);
  });

  // 0.333 of 1.00 is 33.3 kopecks.
  const part: TagValues = { ...line, 1079: 100, 1023: 333_000, 1043: 33 };
  const partly = (sum: number) => compareTags({ head, items: [part] }, { head, items: [{ ...part, 1043: sum }] }, all);

  test.each([
    [34, "warn"],
    [32, "hold"],
    [35, "hold"],
  ])("a line of 33.3 kopecks that the document shows as %i kopecks gets the verdict %s", (sum, weight) => {
    expect(partly(sum).differences).toMatchObject([{ tag: 1043, weight }]);
  });

  test("a line sum that is a kopeck off a whole product stops receipts, however large the line is", () => {
    const large: TagValues = { ...line, 1079: 9_999_999_999, 1023: 999_000_000, 1043: 9_999_999_999 * 999 };
    const read = { head, items: [{ ...large, 1043: 9_999_999_999 * 999 + 1 }] };
    expect(compareTags({ head, items: [large] }, read, all).differences).toMatchObject([{ weight: "hold" }]);
  });

  test("a wrong sum of one line stops receipts although another line's sum is only rounded", () => {
    const lines = { head, items: [part, line] };
    const read = {
      head,
      items: [
        { ...part, 1043: 34 },
        { ...line, 1043: 100 },
      ],
    };
    expect(compareTags(lines, read, new Set()).differences.map(({ weight }) => weight)).toEqual(["warn", "hold"]);
  });

  test("the same difference in three lines is reported once", () => {
    const many = { head, items: [line, line, line] };
    const read = { head, items: many.items.map((item) => changed(item, { 1199: 11 })) };
    expect(compareTags(many, read, all).differences).toHaveLength(1);
  });
});

const tagsOfDocuments = fc.dictionary(
  fc.constantFrom(...Object.keys({ ...head, ...line })),
  fc.oneof(fc.nat(20_000), fc.string({ maxLength: 8 })),
);
const documents = fc.record({ head: tagsOfDocuments, items: fc.array(tagsOfDocuments, { maxLength: 4 }) });

describe("the comparison of any two documents", () => {
  test("comparing a document with itself finds nothing except payments of zero", () => {
    fc.assert(
      fc.property(documents, (document) => {
        const found = compareTags(document, document, all).differences;
        expect(found.filter(({ tag, sent: value }) => tag !== 1031 || value !== "0")).toEqual([]);
      }),
    );
  });

  test("a receipt with the same value as an earlier receipt that the register altered is stopped", () => {
    fc.assert(
      fc.property(documents, documents, (one, other) => {
        for (const difference of compareTags(one, other, all).differences) {
          expect(hasValue(one, difference)).toBe(true);
        }
      }),
    );
  });
});

test("the first document with a new internet sign, VAT rate, payment method, subject or kind of payment is read", () => {
  expect(watchedValues(sent)).toEqual(["1125=1", "1031", "1199=1", "1214=4", "1212=1"]);
});
