import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { listSources, root } from "./read-imports.js";

/** The files of a package by the names that they declare and export. Names that a file only hands on are left out. */
export function readExports(folder: string): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>();
  for (const path of listSources(folder)) {
    const source = ts.createSourceFile(path, readFileSync(join(root, path), "utf8"), ts.ScriptTarget.ES2023);
    const names = new Set(source.statements.flatMap(exportedNames));
    for (const name of names) files.set(name, [...(files.get(name) ?? []), path]);
  }
  return files;
}

function exportedNames(node: ts.Statement): readonly string[] {
  const isExported =
    ts.canHaveModifiers(node) &&
    ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
  if (!isExported) return [];
  if (ts.isVariableStatement(node)) return node.declarationList.declarations.flatMap(({ name }) => boundNames(name));
  const isNamed =
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node);
  return isNamed && node.name !== undefined ? [node.name.text] : [];
}

function boundNames(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []));
}
