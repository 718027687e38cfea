import { existsSync } from "node:fs";
import { join } from "node:path";
import { guideOf } from "@fiscald/daemon/console/troubles/guide-of.js";
import { root } from "../../../support/read-imports.js";

test.each([
  ["drive-days", null, "drive-ends"],
  ["drive-flag", null, "drive-ends"],
  ["register-blocked", "device.fn-expired", "drive-ends"],
  ["register-blocked", "register.foreign-identity", "change-register"],
  ["held", "job.held-old", "old-orders"],
  ["printed-twice", null, "wrong-receipt"],
  ["receipt-altered", null, "wrong-receipt"],
] as const)("the trouble %s with the code %s leads to the guide %s, which exists", (kind, code, guide) => {
  expect(guideOf({ kind, code })).toBe(guide);
  expect(existsSync(join(root, `daemon/docs/${guide}.ru.md`))).toBe(true);
});

test("a trouble has no link to a guide if its text already says what to do", () => {
  expect(guideOf({ kind: "register-blocked", code: "device.paper-out" })).toBeNull();
  expect(guideOf({ kind: "paper-low", code: null })).toBeNull();
});
