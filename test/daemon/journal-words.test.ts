/** Every word that the daemon writes to a journal, found in its source by the compiler, is in each catalogue. */
import { join } from "node:path";
import { languages, messagesIn } from "@fiscald/daemon/messages/messages.js";
import ts from "typescript";
import { root } from "../support/read-imports.js";

/** The texts that an expression may have; null = the compiler does not tell. */
type Texts = readonly string[] | null;

class JournalWords {
  readonly #program: ts.Program;
  readonly #checker: ts.TypeChecker;
  readonly #calls: readonly ts.CallExpression[];
  /** Places whose words could not be found out. */
  readonly unclear: string[] = [];

  constructor(project: string) {
    const { config } = ts.readConfigFile(project, ts.sys.readFile);
    const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, join(project, ".."));
    this.#program = ts.createProgram(fileNames, { ...options, noEmit: true, skipLibCheck: true });
    this.#checker = this.#program.getTypeChecker();
    const sources = this.#program.getSourceFiles().filter(({ isDeclarationFile }) => !isDeclarationFile);
    this.#calls = sources.flatMap((source) => callsIn(source));
  }

  find(): ReadonlySet<string> {
    const adds = this.#calls.filter((call) => this.#isJournalAdd(call));
    return new Set(adds.flatMap((call) => this.#wordsOf(whatOf(call))));
  }

  #isJournalAdd({ expression }: ts.CallExpression): boolean {
    if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== "add") return false;
    return this.#checker.typeToString(this.#checker.getTypeAtLocation(expression.expression)).includes("Journal");
  }

  #wordsOf(expression: ts.Expression | ts.ShorthandPropertyAssignment | null): readonly string[] {
    const texts = expression === null ? null : this.#textsOf(expression);
    if (texts === null) this.unclear.push(expression === null ? "a call without `what`" : placeOf(expression));
    return texts ?? [];
  }

  #textsOf(node: ts.Expression | ts.ShorthandPropertyAssignment): Texts {
    if (ts.isShorthandPropertyAssignment(node)) {
      return this.#ofSymbol(this.#checker.getShorthandAssignmentValueSymbol(node));
    }
    const ofType = literalsOf(this.#checker.getTypeAtLocation(node));
    if (ofType !== null) return ofType;
    if (ts.isTemplateExpression(node)) return this.#ofTemplate(node);
    if (ts.isConditionalExpression(node)) return both(this.#textsOf(node.whenTrue), this.#textsOf(node.whenFalse));
    return ts.isIdentifier(node) ? this.#ofSymbol(this.#checker.getSymbolAtLocation(node)) : null;
  }

  #ofTemplate({ head, templateSpans }: ts.TemplateExpression): Texts {
    return templateSpans.reduce<Texts>(
      (before, { expression, literal }) => {
        const texts = this.#textsOf(expression);
        if (before === null || texts === null) return null;
        return before.flatMap((start) => texts.map((text) => `${start}${text}${literal.text}`));
      },
      [head.text],
    );
  }

  /** A constant has the text of its value; a parameter those of all its calls. */
  #ofSymbol(symbol: ts.Symbol | undefined): Texts {
    const declaration = symbol?.valueDeclaration;
    if (declaration === undefined) return null;
    if (ts.isVariableDeclaration(declaration) && declaration.initializer !== undefined) {
      return this.#textsOf(declaration.initializer);
    }
    if (!ts.isParameter(declaration)) return null;
    const owner = declaration.parent;
    const index = owner.parameters.indexOf(declaration);
    const name = owner.name !== undefined && ts.isIdentifier(owner.name) ? owner.name : null;
    const called = this.#calls.filter((call) => this.#mayCall(call, owner, name?.text ?? null));
    return called.reduce<Texts>((texts, call) => {
      const given = call.arguments[index];
      return given === undefined ? null : both(texts, this.#textsOf(given));
    }, []);
  }

  /** The function itself, or a method of the interface that it fulfils. */
  #mayCall(call: ts.CallExpression, owner: ts.SignatureDeclaration, name: string | null): boolean {
    const declared = this.#checker.getResolvedSignature(call)?.declaration;
    if (declared === owner) return true;
    const isMethod = declared !== undefined && ts.isMethodSignature(declared) && ts.isMethodDeclaration(owner);
    return isMethod && declared.name.getText() === name && declared.getSourceFile() === owner.getSourceFile();
  }
}

function callsIn(node: ts.Node): readonly ts.CallExpression[] {
  const below: ts.CallExpression[] = [];
  node.forEachChild((child) => void below.push(...callsIn(child)));
  return ts.isCallExpression(node) ? [node, ...below] : below;
}

function whatOf(call: ts.CallExpression): ts.Expression | ts.ShorthandPropertyAssignment | null {
  const [entry] = call.arguments;
  if (entry === undefined || !ts.isObjectLiteralExpression(entry)) return null;
  const what = entry.properties.find(({ name }) => name?.getText() === "what");
  if (what === undefined) return null;
  if (ts.isPropertyAssignment(what)) return what.initializer;
  return ts.isShorthandPropertyAssignment(what) ? what : null;
}

function literalsOf(type: ts.Type): Texts {
  if (type.isStringLiteral()) return [type.value];
  if (!type.isUnion() || !type.types.every((part) => part.isStringLiteral())) return null;
  return type.types.flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
}

function both(one: Texts, other: Texts): Texts {
  return one === null || other === null ? null : [...one, ...other];
}

function placeOf(node: ts.Node): string {
  const source = node.getSourceFile();
  return `${source.fileName.slice(root.length)}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

const words = new JournalWords(join(root, "daemon/tsconfig.json"));
const found = words.find();

test("the compiler finds the words of every journal line", () => {
  expect(words.unclear).toEqual([]);
  expect(found.size).toBeGreaterThan(30);
});

test.each(languages)("every word of a journal line is in the catalogue %s", (language) => {
  const { journal } = messagesIn(language);
  expect([...found].filter((word) => !Object.hasOwn(journal, word))).toEqual([]);
});
