import { readFileSync } from "node:fs";
import { join } from "node:path";
import { faultCodes } from "@fiscald/shared/fault-codes.js";
import { faultPage } from "../support/fault-page.js";
import { root } from "../support/read-imports.js";

const page = readFileSync(join(root, "daemon/FAULTS.md"), "utf8");

test("daemon/FAULTS.md is up to date with the table of faults (else: npm run docs)", () => {
  expect(page).toBe(faultPage());
});

test("every fault code is in daemon/FAULTS.md, and every code of that page exists", () => {
  const documented = [...page.matchAll(/^### `([^`]+)` [↻✋✕?]/gm)].map(([, code = ""]) => code);
  expect(documented.sort()).toEqual(Object.keys(faultCodes).sort());
});

test("every fault code has its cause and its remedy in sentences of both languages", () => {
  for (const [code, { text, hint }] of Object.entries(faultCodes)) {
    expect([code, text.en]).toEqual([code, expect.stringMatching(/^[A-Z`][^а-яё]*\.$/i)]);
    expect([code, hint.en]).toEqual([code, expect.stringMatching(/^[A-Z`].*\.$/)]);
    for (const words of [text.ru, hint.ru])
      expect([code, words]).toEqual([code, expect.stringMatching(/[а-яё].*\.$/i)]);
  }
});
