import { type JsonPath, removeFromJson, setInJson } from "@fiscald/daemon/setup/edit-json.js";

const written = `{
    "version": 1,   "b": {"c":[ 1, {"d" : "x, }\\"]" , "e": null} ]},
\t"empty": { }
}
`;

test.each<[string, JsonPath, unknown, string, string]>([
  ["a text", ["b", "c", 1, "d"], "й", '"x, }\\"]"', '"й"'],
  ["null", ["b", "c", 1, "e"], { name: "K" }, '"e": null', '"e": {"name":"K"}'],
  ["a number in a list", ["b", "c", 0], 7778, "[ 1,", "[ 7778,"],
  ["a whole list", ["b", "c"], [], '[ 1, {"d" : "x, }\\"]" , "e": null} ]', "[]"],
  ["a key that is missing", ["b", "c", 1, "f"], true, '"e": null}', '"e": null, "f": true}'],
  ["a key that is missing at the top", ["g"], 2, "{ }\n}", '{ },\n    "g": 2\n}'],
  ["a key of an empty object", ["empty", "h"], 3, "{ }", '{ "h": 3 }'],
  ["an entry behind the last of a list", ["b", "c", 2], { f: 1 }, '"e": null} ]', '"e": null}, {"f":1} ]'],
])("setting %s in a JSON text changes nothing else", (_, path, value, before, after) => {
  const text = setInJson(written, path, value);
  expect(text).toBe(written.replace(before, after));
  expect(path.reduce<unknown>((part, key) => Reflect.get(Object(part), key), JSON.parse(text))).toEqual(value);
});

test("a byte order mark of a JSON text stays, and of a doubled key the last one is set", () => {
  expect(setInJson('\uFEFF{"a":1,"a":2}', ["a"], 3)).toBe('\uFEFF{"a":1,"a":3}');
});

test.each([
  [0, '[{"d" : 2}, 3 ]'],
  [1, "[ 1, 3 ]"],
  [2, '[ 1, {"d" : 2} ]'],
])("entry %i of a JSON list is removed with its comma", (index, after) => {
  const text = removeFromJson('{"a": [ 1, {"d" : 2}, 3 ]}', ["a", index]);
  expect(JSON.parse(text)).toEqual({ a: [1, { d: 2 }, 3].toSpliced(index, 1) });
  expect(text.replace(/ +/g, " ")).toBe(`{"a": ${after.replace(/^\[(?! )/, "[ ")}}`);
});
