/** A shop's own TypeScript compiles against the built declarations, under each way in which a shop's compiler looks. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { root } from "../support/read-imports.js";

const folder = mkdtempSync(join(tmpdir(), "fiscald-stranger-"));
const shop = join(folder, "shop.mts");
const source = readFileSync(join(root, "test/handlers/stranger/shop.mts"), "utf8");

beforeAll(() => {
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  copyFileSync(join(root, "test/handlers/stranger/shop.mts"), shop);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { ESNext, Node16, NodeNext } = ts.ModuleKind;
const settings: readonly [string, ts.CompilerOptions][] = [
  ["nodenext", { module: NodeNext }],
  ["node16", { module: Node16 }],
  ["bundler", { module: ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }],
];

test.each(settings)("a shop in TypeScript uses every call of the README without a cast under %s", (_, options) => {
  const program = ts.createProgram([shop], {
    ...{ target: ts.ScriptTarget.ES2022, strict: true, noEmit: true, types: ["node"], ...options },
    ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: true },
    typeRoots: [join(root, "node_modules/@types")],
  });
  const file = program.getSourceFile(shop);
  const problems = [
    ...program.getOptionsDiagnostics(),
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ];
  const told = problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  expect(told).toEqual([]);
});

test("the shop's TypeScript has no cast, and every method that the README's tables name", () => {
  expect(source).not.toMatch(/\bas (?!const\b)|\bany\b|@ts-/);
  const readme = readFileSync(join(root, "handlers/README.md"), "utf8");
  const methods = [...readme.matchAll(/`\.?(\w+)\(/g)].map(([, name = ""]) => name);
  const others = ["handler", "require", "onAnswerLost"];
  const missing = methods.filter((name) => !others.includes(name) && !source.includes(`${name}(`));
  expect([...new Set(missing)]).toEqual([]);
});
