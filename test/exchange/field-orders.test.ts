import { readdirSync, readFileSync } from "node:fs";
import { problemsIn } from "@fiscald/shared/exchange/order-problem.js";
import { defaultRules } from "@fiscald/shared/receipt/check-receipt.js";
import { z } from "zod";
import { read } from "../support/order-samples.js";

/** What sites of the field send, each with what is right; a file for each kind of fault. */
const folder = new URL("../../exchange/fixtures/field/", import.meta.url);
const fieldOrder = z.strictObject({
  title: z.string(),
  order: z.unknown(),
  today: z.string().default("2026-11-28"),
  taxes: z
    .array(z.object({ id: z.int(), title: z.string(), vat: z.literal([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]) }))
    .default([]),
  allow20: z.boolean().default(false),
  requirePermit: z.boolean().default(false),
  /** What the receipt holds, among other things. */
  receipt: z.record(z.string(), z.unknown()).optional(),
  /** The places of the order's warnings. */
  warnings: z.array(z.string()).default([]),
  /** `1 receipt.items`: result code and place of each problem. */
  refused: z.array(z.string()).optional(),
  /** What the first problem or warning says. */
  message: z.string().optional(),
});
const orders = readdirSync(folder).flatMap((file) =>
  z.array(fieldOrder).parse(JSON.parse(readFileSync(new URL(file, folder), "utf8"))),
);

test.each(orders)("$title", ({ order, today, taxes, allow20, requirePermit, receipt, warnings, refused, message }) => {
  const answer = read(order, { today, taxes, rules: { ...defaultRules, allow20, requirePermit } });
  if (answer.kind === "broken") {
    const problems = problemsIn(answer.fault);
    expect(problems.map(({ resultCode, path }) => `${resultCode} ${path}`)).toEqual(refused);
    if (message !== undefined) expect(problems[0]?.message).toBe(message);
    return;
  }
  expect(refused).toBeUndefined();
  expect(answer).toMatchObject({ kind: "receipt", receipt });
  const { warnings: ofValues, oversights } = answer.kind === "receipt" ? answer : { warnings: [], oversights: [] };
  const said = [...ofValues, ...oversights.filter(({ kind }) => kind === "rate-like-percent")];
  expect(said.map(({ path }) => path)).toEqual(warnings);
  if (message !== undefined) expect(said[0]?.message).toBe(message);
});
