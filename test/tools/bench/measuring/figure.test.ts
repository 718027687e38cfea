import { percentile, toFigure } from "./figure.js";

test("a figure of a benchmark above its limit misses its target, and has its ratio to the figure beside it", () => {
  const { figure, ratio, target, met } = toFigure({
    name: "receipt",
    figure: 6,
    unit: "ms",
    beside: { bare: 4 },
    atMost: 5,
  });
  expect({ figure, ratio, target, met }).toEqual({ figure: 6, ratio: 1.5, target: "<= 5", met: false });
});

test("a figure of a benchmark that equals the least accepted value meets its target", () => {
  const { target, met } = toFigure({ name: "kit", figure: 100, unit: "calls/s", atLeast: 100 });
  expect({ target, met }).toEqual({ target: ">= 100", met: true });
});

test("a benchmark's figure without a limit is neither met nor missed, and a figure beside zero has no ratio", () => {
  const { ratio, target, met } = toFigure({ name: "page", figure: 1, unit: "s", beside: { idle: 0 } });
  expect({ ratio, target, met }).toEqual({ ratio: null, target: null, met: null });
});

test("the percentile of an unsorted sample is one of its values; an empty sample has none", () => {
  const sample = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1];
  expect([0, 0.5, 0.55, 1].map((share) => percentile(sample, share))).toEqual([1, 5, 6, 10]);
  expect(percentile([], 0.5)).toBeNaN();
});
