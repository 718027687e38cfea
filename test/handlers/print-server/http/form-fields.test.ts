import { encodeForm } from "@fiscald/shared/http/post-json.js";
import fc from "fast-check";
import { parseForm } from "#handlers/print-server/http/form-fields.js";

test.each([
  ["a=1&b=2", { a: "1", b: "2" }],
  ["a[b]=1&a[c]=2", { a: { b: "1", c: "2" } }],
  [
    "data[0][kkm]=0001&data[0][taxes][0][id]=1&data[1][kkm]=2",
    { data: [{ kkm: "0001", taxes: [{ id: "1" }] }, { kkm: "2" }] },
  ],
  ["a[]=1&a[]=2", { a: ["1", "2"] }],
  ["a=1&a=2", { a: "2" }],
  ["name=%D0%9A%D0%B0%D1%81%D1%81%D0%B0+1", { name: "Касса 1" }],
  ["", {}],
])("parseForm reads the fields %j", (text, expected) => {
  expect(parseForm(text)).toEqual(expected);
});

test("a form field named __proto__ or constructor changes no prototype", () => {
  parseForm("__proto__[polluted]=1&constructor[prototype][polluted]=1");
  expect(Object({}).polluted).toBeUndefined();
});

test.each([
  ["too many fields", Array.from({ length: 3001 }, (_, field) => `f${field}=1`).join("&")],
  ["too deep nesting", `a${"[b]".repeat(6)}=1`],
  ["too long a list", Array.from({ length: 301 }, (_, index) => `a[${index}]=1`).join("&")],
  ["a list with one element at a far index", "a[9999]=1"],
])("parseForm refuses %s", (_, text) => {
  expect(() => parseForm(text)).toThrow(expect.objectContaining({ code: "call.unreadable" }));
});

test("parseForm reads a list of 300 registers", () => {
  const data = Array.from({ length: 300 }, (_, index) => ({ kkm: String(index) }));
  expect(parseForm(encodeForm({ data }))).toEqual({ data });
});

test("parseForm keeps nested values that another body parser has read", () => {
  expect(parseForm({ data: [{ kkm: "1" }], "a[b]": "2" })).toEqual({ data: [{ kkm: "1" }], a: { b: "2" } });
});

test("parseForm reads whatever form fields the daemon writes", () => {
  const leaf = fc.string({ minLength: 1, unit: "grapheme" });
  const key = fc.stringMatching(/^[a-z][a-zA-Z]{0,8}$/);
  const row = fc.dictionary(key, leaf, { minKeys: 1, maxKeys: 4, noNullPrototype: true });
  const body = fc.record({ action: leaf, data: fc.array(row, { minLength: 1, maxLength: 5 }) });
  fc.assert(
    fc.property(body, (value) => {
      expect(parseForm(encodeForm(value))).toEqual(value);
    }),
  );
});

test("parseForm throws only its own fault", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      try {
        parseForm(text);
      } catch (error) {
        expect(error).toMatchObject({ code: "call.unreadable" });
      }
    }),
  );
});
