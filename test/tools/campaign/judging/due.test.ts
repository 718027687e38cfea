/** The expected answer to each request of the stories, written down by hand from the table of repeats. */
import { seeded } from "../../../support/seeded.js";
import { type Story, storiesOf, tellOf } from "../plan/story.js";
import { type Due, duesOf } from "./due.js";

const told = (name: string, isKit: boolean): Story =>
  tellOf(name, seeded(1), { number: 1, site: 0, isKit, kkm: undefined });
const document: Due = { is: "document" };
const resultOf = (of: number, orNumbers = false): Due => ({ is: "result", of, orNumbers });
const numbersOf = (of: number, besides: number | null = null): Due => ({ is: "numbers", of, besides });
const refusal = (...sums: number[]): Due => ({ is: "refusal", sums });
const reused: Due = { is: "reused" };

const expected: Readonly<Record<string, readonly Due[]>> = {
  "two equal refunds": [document, document, resultOf(0, true), numbersOf(1), document, refusal(6050, 4050)],
  "two equal refunds with ids": [
    ...[document, document, document, resultOf(1), refusal(5050, 4050), refusal(), document],
  ],
  "sold again": [document, document, numbersOf(0, 1)],
  "sold again with ids": [document, document, document, numbersOf(2), document, refusal(9150, 6100)],
  "one id for all": [document, reused, reused, reused, resultOf(0)],
  "unseen characters": [document, resultOf(0, true), document, refusal(4000, 3050), document, numbersOf(2)],
  "a new id at each offer": [document, document],
  "refunds with keys": [document, document, document, resultOf(1), refusal(6050, 4050), document],
};

test.each([
  ["plain", false],
  ["kit", true],
])("every request of every story of a %s site gets the answer that the table of expected answers says", (_, isKit) => {
  const stories = storiesOf(isKit).map((name) => told(name, isKit));
  const dues = Object.fromEntries(stories.map(({ name, requests }) => [name, duesOf(requests)]));
  expect(dues).toEqual(Object.fromEntries(stories.map(({ name }) => [name, expected[name]])));
});

test("requests of a story with equal content have one label, and every other request has a label of its own", () => {
  const { requests } = told("unseen characters", false);
  const labels = requests.map(({ order }) => order.label);
  expect([labels[1], labels[5]]).toEqual([labels[0], labels[2]]);
  expect(new Set(labels).size).toBe(4);
  const written = requests.map(({ order }) => order.answer.response.orderId);
  expect(written).toEqual(["s1", "s\u{200b}1", "s\u{feff}1", "s\u{ad}1", "s\u{2060}1", "s\u{200d}1"]);
});
