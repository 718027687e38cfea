import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as kit from "@fiscald/handlers";
import { handlersReference } from "../support/handlers-reference.js";
import { root } from "../support/read-imports.js";

const page = readFileSync(join(root, "handlers/REFERENCE.md"), "utf8");

test("handlers/REFERENCE.md is up to date with the doc comments (else: npm run docs)", () => {
  expect(page).toBe(handlersReference());
});

test("every exported function of the kit is in handlers/REFERENCE.md with its purpose", () => {
  const undescribed = Object.keys(kit).filter((name) => !new RegExp(`^### \`${name}\`\n\n[A-Z\`]`, "m").test(page));
  expect(undescribed).toEqual([]);
});
