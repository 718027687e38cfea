/** Texts that the source gives to certain calls, found by the compiler. */
import { join } from "node:path";
import ts from "typescript";
import { root } from "./read-imports.js";

export type TextNode = ts.Expression | ts.ShorthandPropertyAssignment;

export interface WantedTexts {
  readonly methods: readonly string[];
  /** Of the object whose methods they are. */
  readonly typeOf: RegExp;
  /** Null: this call has none where one is expected. */
  readonly textIn: (given: readonly ts.Expression[]) => TextNode | null;
}

export interface FoundTexts {
  readonly texts: ReadonlySet<string>;
  /** Calls whose text the compiler does not tell. */
  readonly unclear: readonly string[];
}

/** The texts that an expression may have; null = the compiler does not tell. */
type Texts = readonly string[] | null;

/** The projects' sources as the compiler reads them. */
export class SourceTexts {
  readonly #program: ts.Program;
  readonly #checker: ts.TypeChecker;
  readonly #calls: readonly ts.CallExpression[];

  constructor(projects: readonly string[]) {
    const parsed = projects.map((project) => {
      const { config } = ts.readConfigFile(project, ts.sys.readFile);
      return ts.parseJsonConfigFileContent(config, ts.sys, join(project, ".."));
    });
    const files = parsed.flatMap(({ fileNames }) => fileNames);
    this.#program = ts.createProgram(files, { ...parsed[0]?.options, noEmit: true, skipLibCheck: true });
    this.#checker = this.#program.getTypeChecker();
    const sources = this.#program.getSourceFiles().filter(({ isDeclarationFile }) => !isDeclarationFile);
    this.#calls = sources.flatMap((source) => callsIn(source));
  }

  /** The texts that all calls of these methods are given. */
  find({ methods, typeOf, textIn }: WantedTexts): FoundTexts {
    const unclear: string[] = [];
    const texts = this.#calls.flatMap((call) => {
      const { expression } = call;
      if (!ts.isPropertyAccessExpression(expression) || !methods.includes(expression.name.text)) return [];
      const type = this.#checker.typeToString(this.#checker.getTypeAtLocation(expression.expression));
      if (!typeOf.test(type)) return [];
      const given = textIn(call.arguments);
      const found = given === null ? null : this.#textsOf(given);
      if (found === null) unclear.push(placeOf(call));
      return found ?? [];
    });
    return { texts: new Set(texts), unclear };
  }

  #textsOf(node: TextNode): Texts {
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
