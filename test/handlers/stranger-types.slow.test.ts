/** A shop's own TypeScript compiles against the built declarations under each module resolution. */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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

function problemsOf(files: readonly string[], options: ts.CompilerOptions): readonly string[] {
  const program = ts.createProgram([...files], {
    ...{ target: ts.ScriptTarget.ES2022, strict: true, noEmit: true, types: ["node"], ...options },
    ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: true },
    typeRoots: [join(root, "node_modules/@types")],
  });
  const problems = files.flatMap((name) => {
    const file = program.getSourceFile(name);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  });
  return [...program.getOptionsDiagnostics(), ...problems].map(({ file, start, messageText }) => {
    const line = file?.text.slice(start).split("\n", 1)[0] ?? "";
    return `${ts.flattenDiagnosticMessageText(messageText, "\n")} (${line})`;
  });
}

test.each(settings)("a shop in TypeScript uses every call of the README without a cast under %s", (_, options) => {
  expect(problemsOf([shop], options)).toEqual([]);
});

/** Earlier blocks of the page have defined these names. A block's own imports and constants hide them. */
const named = `
import type * as kit from "@fiscald/handlers";
import type * as drizzle from "drizzle-orm";
import type { drizzle as openDrizzle } from "drizzle-orm/node-postgres";
import type { Express } from "express";
import type { Knex } from "knex";
import type pg from "pg";
import type { Sequelize } from "sequelize";
import type { DataSource } from "typeorm";
interface Prisma {
  $executeRawUnsafe(sql: string, ...values: unknown[]): Promise<number>;
  $queryRawUnsafe<T = unknown>(sql: string, ...values: unknown[]): Promise<T>;
}
declare global {
  const { onlineReceipt, taskTable, fromCloudReceipt, createPrintServerRouter, openReceiptStore }: typeof kit;
  const receipts: kit.ReceiptStore;
  const store: kit.OwnReceiptStore & { enqueue(receipt: kit.PlainReceipt): Promise<{ receiptId: string }> };
  const sharedStore: kit.SharedStore;
  const order: kit.OrderAnswer;
  const within: { query: (sql: string, values: readonly unknown[]) => Promise<{ rows: object[] }> };
  const secret: string;
  const secretsOfShops: { [shop: string]: string };
  const body: object;
  const app: Express;
  const pool: pg.Pool;
  const knex: Knex;
  const db: ReturnType<typeof openDrizzle>;
  const sql: typeof drizzle.sql;
  const dataSource: DataSource;
  const sequelize: Sequelize;
  const prisma: { $transaction(work: (tx: Prisma) => Promise<void>): Promise<void> };
}
`;

test("every block of JavaScript and TypeScript on the kit's pages compiles strictly as printed", () => {
  const pages = readdirSync(join(root, "handlers")).filter((name) => name.endsWith(".md") && name !== "REFERENCE.md");
  const files = pages.flatMap((page) => {
    const blocks = readFileSync(join(root, "handlers", page), "utf8").matchAll(/```[jt]s( [^.\n]+)?\n([\s\S]*?)```/g);
    return [...blocks].map(([, , code = ""], index) => {
      const path = join(folder, `${page}-${index}.mts`);
      writeFileSync(path, `${code}\nexport {};\n`);
      return path;
    });
  });
  expect(files.length).toBeGreaterThan(15);
  const names = join(folder, "named.d.mts");
  writeFileSync(names, named);
  expect(problemsOf([names, ...files], { module: NodeNext })).toEqual([]);
});

test("the shop's TypeScript has no cast, and every method that the README's tables name", () => {
  expect(source).not.toMatch(/\bas (?!const\b)|\bany\b|@ts-/);
  const readme = readFileSync(join(root, "handlers/README.md"), "utf8");
  const methods = [...readme.matchAll(/`\.?(\w+)\(/g)].map(([, name = ""]) => name);
  const others = ["handler", "require", "onAnswerLost"];
  const missing = methods.filter((name) => !others.includes(name) && !source.includes(`${name}(`));
  expect([...new Set(missing)]).toEqual([]);
});
