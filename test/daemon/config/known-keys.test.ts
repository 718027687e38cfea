import { editDistance, nearestWord } from "@fiscald/shared/known-keys.js";
import fc from "fast-check";

test.each([
  ["poleEverySeconds", "pollEverySeconds"],
  ["URL", "urls"],
  ["conection", "connection"],
  ["xyz", null],
])("the unknown word %s most likely means %s", (word, near) => {
  expect(nearestWord(word, ["urls", "connection", "pollEverySeconds", "title"])).toBe(near);
});

test("the distance of two words is symmetric, zero only for equal words, and at most the longer word's length", () => {
  const word = fc.string({ maxLength: 8 });
  fc.assert(
    fc.property(word, word, (one, other) => {
      const distance = editDistance(one, other);
      expect(distance).toBe(editDistance(other, one));
      expect(distance === 0).toBe(one === other);
      expect(distance).toBeLessThanOrEqual(Math.max([...one].length, [...other].length));
    }),
  );
});
