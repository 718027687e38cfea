/** Titles of the tests in a source file, as they are written there; what a template fills in is `…`. */
import { readFileSync } from "node:fs";
import ts from "typescript";

export function testTitles(file: string): readonly string[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^test(Kind)?\b/.test(node.expression.getText())) {
      const title = titleOf(node.arguments[0]);
      // `test.each(table)` has a title only in the call that follows.
      if (title !== null && !node.expression.getText().endsWith(".each")) titles.push(title);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

function titleOf(argument: ts.Node | undefined): string | null {
  if (argument === undefined) return null;
  if (ts.isStringLiteralLike(argument)) return argument.text;
  if (!ts.isTemplateExpression(argument)) return null;
  return argument.head.text + argument.templateSpans.map(({ literal }) => `…${literal.text}`).join("");
}
