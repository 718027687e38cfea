/** handlers/REFERENCE.md, made from the doc comments of what the package exports. */
import { join } from "node:path";
import ts from "typescript";
import { root } from "./read-imports.js";

const preamble = `# Reference of @fiscald/handlers

What the package exports, with its doc comments: made by \`npm run docs\`. How it goes together: [README](README.md).
`;

/** From the built declarations. */
export function handlersReference(): string {
  const entry = join(root, "handlers/dist/index.d.ts");
  const program = ts.createProgram([entry], {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(entry);
  const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${entry} exports nothing: npm run build`);
  const symbols = checker
    .getExportsOfModule(module)
    .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol));
  const isValue = ({ flags }: ts.Symbol) => (flags & ts.SymbolFlags.Value) !== 0;
  return [
    preamble,
    "## Functions and values\n",
    ...symbols.filter(isValue).map((symbol) => section(symbol, checker)),
    "## Types\n",
    ...symbols.filter((symbol) => !isValue(symbol)).map((symbol) => section(symbol, checker)),
  ].join("\n");
}

/** The comment as text, then the declaration with the comments of its members. */
function section(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
  const code = (symbol.declarations ?? []).map((declaration) =>
    declaration.getText().replace(/^export (declare )?/, ""),
  );
  return `### \`${symbol.name}\`\n\n${text === "" ? "" : `${text}\n\n`}\`\`\`ts\n${code.join("\n")}\n\`\`\`\n`;
}
