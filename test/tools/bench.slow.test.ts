/** Checks that the benchmarks run in their short form, not how fast. `receipt` waits for a quiet machine. */
import { join } from "node:path";
import { z } from "zod";
import { startChild } from "../support/child-process.js";
import { root } from "../support/read-imports.js";

const figureSchema = z.object({ name: z.string(), figure: z.number() });

test.each([
  ["delivery", "delivery GET one"],
  ["delivery-fleet", "callbacks out of order, twice or lost"],
  ["fleet", "fleet of 4: added wait p99"],
  ["history", "first poll after kill -9"],
  ["kit", "kit empty poll, plugin"],
  ["memory", "memory of the idle daemon"],
  ["page", "first view of the page p50"],
  ["silent", "added wait beside a silent register p99"],
  ["site-fleet", "all back after a restart"],
  ["size", "packages of the kit"],
  ["start", "start to the first poll p50"],
  ["waking", "payment"],
  ["wire", "receipt on shtrih-v1: round trips"],
])("the benchmark %s in its short form prints the figure '%s'", async (name, figure) => {
  const bench = startChild([join(root, "test/dist/tools/bench/main.js"), name, "--short", "--json"]);
  const code = await bench.ended;
  const lines = bench.output().split("\n");
  expect({ code, lines: code === 0 ? [] : lines }).toEqual({ code: 0, lines: [] });
  const figures = lines.map((line) => figureSchema.parse(JSON.parse(line)));
  expect(figures.find((one) => one.name.includes(figure))).toBeDefined();
});
