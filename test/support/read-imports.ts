import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** The root of the repository; compiled tests run below test/dist. */
export const root = fileURLToPath(new URL("../../../", import.meta.url));

export interface ImportEdge {
  /** The importing source file below the root: `drivers/shtrih/driver.ts`. */
  readonly from: string;
  /** The imported source file below the root, or the bare name of a foreign package. */
  readonly to: string;
  readonly foreign: boolean;
  /** True for `import type` and `export type`, which do not exist at run time. */
  readonly typeOnly: boolean;
  /** True for `await import(...)`. */
  readonly lazy: boolean;
}

const workspaces = ["shared", "drivers", "daemon", "handlers"];
const skipped = new Set(["dist", "node_modules"]);

export function listSources(folder: string): string[] {
  return listFiles(folder, (name) => /\.tsx?$/.test(name) && !name.endsWith(".d.ts"));
}

export function listFiles(folder: string, isWanted: (name: string) => boolean): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : listFiles(path, isWanted);
    return isWanted(entry.name) ? [path] : [];
  });
}

export function readImports(folders: readonly string[] = workspaces): ImportEdge[] {
  return folders.flatMap(listSources).flatMap(importsOf);
}

function importsOf(from: string): ImportEdge[] {
  const source = ts.createSourceFile(from, readFileSync(join(root, from), "utf8"), ts.ScriptTarget.ES2023, true);
  const edges: ImportEdge[] = [];
  const add = (specifier: ts.Expression | undefined, typeOnly: boolean, lazy: boolean) => {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return;
    edges.push({ from, ...resolve(from, specifier.text), typeOnly, lazy });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeOnly(node.importClause), false);
    if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly, false);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], false, true);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return edges;
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.isTypeOnly) return true;
  const named = clause.namedBindings;
  if (clause.name !== undefined || named === undefined || !ts.isNamedImports(named)) return false;
  return named.elements.length > 0 && named.elements.every((element) => element.isTypeOnly);
}

function resolve(from: string, specifier: string): { to: string; foreign: boolean } {
  if (specifier.startsWith(".")) {
    return { to: toSource(relative(root, join(root, dirname(from), specifier))), foreign: false };
  }
  const ours = /^@fiscald\/([a-z]+)(?:\/(.*))?$/.exec(specifier);
  if (ours !== null) {
    const folder = ours[1] === "emulators" ? "drivers/emulators" : ours[1];
    return { to: toSource(`${folder}/${ours[2] ?? "index.js"}`), foreign: false };
  }
  const parts = specifier.split("/");
  return { to: specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? specifier), foreign: true };
}

function toSource(path: string): string {
  return path.replaceAll("\\", "/").replace(/\.js$/, ".ts");
}
