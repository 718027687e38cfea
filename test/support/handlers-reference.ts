/** Makes handlers/REFERENCE.md from the doc comments of what the package exports. */
import { join } from "node:path";
import ts from "typescript";
import { root } from "./read-imports.js";

const preamble = `# Reference of @fiscald/handlers

What the package exports, with its doc comments: made by \`npm run docs\`. How it goes together: [README](README.md).
All fields are read-only; the word \`readonly\` is left out here.
`;

/** Reads the built declarations. */
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
    `\`\`\`ts\n${symbols
      .filter((symbol) => !isValue(symbol))
      .map((symbol) => typeWithComment(symbol, checker))
      .join("\n\n")}\n\`\`\`\n`,
  ].join("\n");
}

function commentOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  return ts.displayPartsToString(symbol.getDocumentationComment(checker));
}

function section(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const text = commentOf(symbol, checker);
  const fenced = `\`\`\`ts\n${codeOf(symbol)}\n\`\`\`\n`;
  return `### \`${symbol.name}\`\n\n${text === "" ? "" : `${text}\n\n`}${fenced}`;
}

function typeWithComment(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const lines = commentOf(symbol, checker)
    .split("\n")
    .filter((line) => line !== "");
  return [...lines.map((line) => `// ${line}`), codeOf(symbol)].join("\n");
}

/** The declaration with the comments of its members. A short comment stands behind its member. */
function codeOf(symbol: ts.Symbol): string {
  const code = (symbol.declarations ?? [])
    .map((declaration) => declaration.getText().replace(/^export (declare )?/, ""))
    .join("\n");
  return code
    .replaceAll("readonly ", "")
    .replaceAll(/^ +\/\*\* (.*) \*\/\n( +.*;)$/gm, (whole, comment: string, member: string) => {
      const line = `${member} // ${comment}`;
      return line.length > 120 ? whole : line;
    })
    .replaceAll(/^( *)\/\*\* (.*) \*\/$/gm, "$1// $2")
    .replaceAll(/^ *\/\*\*\n|^ *\*\/\n/gm, "")
    .replaceAll(/^( *) \* /gm, "$1// ");
}
