import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig, parseConfig } from "@fiscald/daemon/config/load-config.js";
import { configTable } from "../support/config-table.js";
import { root } from "../support/read-imports.js";

const guide = readFileSync(join(root, "daemon/docs/guide.md"), "utf8");
const keys = readFileSync(join(root, "daemon/CONFIG.md"), "utf8");

test("config.example.json loads with emulated registers of different makers and one site", () => {
  const { registers, sites } = loadConfig({ path: join(root, "config.example.json"), env: {} });
  expect(new Set(registers.map(({ driver }) => driver)).size).toBe(registers.length);
  expect(registers.length).toBeGreaterThanOrEqual(2);
  expect(registers.every(({ connection }) => connection.kind === "emulator")).toBe(true);
  expect(sites).toHaveLength(1);
});

test("every config in the operator's guide loads", () => {
  const snippets = [...guide.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = ""]) => text);
  expect(snippets.length).toBeGreaterThan(0);
  for (const text of snippets) {
    const secret = "C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    expect(() => parseConfig(text, "guide.md", { folder: "/", env: {}, readFile: () => secret })).not.toThrow();
  }
});

test("the guide's table of config keys is up to date with the schema (else: npm run docs)", () => {
  const [, table = ""] = /<!-- config table -->\n\n([\s\S]*?)\n\n<!-- end of config table -->/.exec(keys) ?? [];
  expect(table).toBe(configTable());
});

test("every config key has a description in the guide's table", () => {
  const bare = configTable()
    .split("\n")
    .filter((row) => row.endsWith("|  |") && !row.startsWith("|---"));
  expect(bare).toEqual([]);
});
