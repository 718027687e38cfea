/** The makers' compilers with fixed facts of a register; programs as lines of text. */
import { compile as compileForAtol } from "@fiscald/drivers/atol/compile/compile.js";
import { atolOptionsSchema } from "@fiscald/drivers/atol/options.js";
import * as atolModels from "@fiscald/drivers/atol/protocol/models.js";
import type { CompileContext, Identity } from "@fiscald/drivers/fiscal-driver.js";
import { compile as compileForPirit } from "@fiscald/drivers/pirit/compile/compile.js";
import { piritOptionsSchema } from "@fiscald/drivers/pirit/options.js";
import * as piritModels from "@fiscald/drivers/pirit/protocol/models.js";
import type { Program, Step } from "@fiscald/drivers/program.js";
import { compile as compileForShtrih } from "@fiscald/drivers/shtrih/compile/compile.js";
import { shtrihOptionsSchema } from "@fiscald/drivers/shtrih/options.js";
import { commands } from "@fiscald/drivers/shtrih/protocol/commands.js";
import * as shtrihModels from "@fiscald/drivers/shtrih/protocol/models.js";
import { isFault } from "@fiscald/shared/fault.js";
import { toFnSerial, toInn, toKkm } from "@fiscald/shared/ids.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import type { PaintText } from "@fiscald/shared/paper/paint-text.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import type { VatCode } from "@fiscald/shared/receipt/vat.js";
import iconv from "iconv-lite";
import { toHex } from "../vectors/hex.js";
import { dataOf, v1Frames } from "../vectors/shtrih-frames.js";

export const makers = ["shtrih", "pirit", "atol"] as const;
export type Maker = (typeof makers)[number];

/** What differs from the usual register, context and options. */
export interface Over {
  readonly context?: Partial<CompileContext>;
  readonly identity?: Partial<Identity>;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly shtrih?: Partial<shtrihModels.RegisterFacts>;
  readonly atol?: Partial<atolModels.RegisterFacts>;
  /** True: an interrupted electronic receipt left the Shtrih-M's paper off. */
  readonly printIsOff?: boolean;
}

const identity: Identity = {
  kkm: toKkm("0001234567012345"),
  inn: toInn("7700000000"),
  fn: toFnSerial("9999078900000001"),
  serial: "1",
  model: "test",
  firmware: "665.4.20",
  ffd: "1.05",
  taxSystems: 1,
};
/** Tag 1199 of rows 1 to 12, as Shtrih-M has them. */
const vats: readonly VatCode[] = [1, 2, 5, 6, 3, 4, 7, 8, 9, 10, 11, 12];

const context: CompileContext = {
  shift: "open",
  mark: null,
  cashier: { name: "Иванова А.А.", inn: null },
  taxSystem: null,
  defaultTax: null,
  printPaper: true,
  tables: { taxes: vats.map((vat, row) => ({ id: row + 1, title: `${vat}`, vat })), paymentTypes: [] },
  images: new Map([["a.png", { width: 4, height: 2, rows: Uint8Array.of(0xf0, 0x90) }]]),
  localTime: "2026-11-20T14:05:06" as LocalTime,
};

/** A RETAIL-01F by the logs: its own F7, two fonts. */
export const shtrihFacts: Omit<shtrihModels.RegisterFacts, "identity"> = {
  parameters: commands.modelParameters.decode(dataOf(v1Frames.modelAnswer)),
  fonts: [{ columns: 32 }, { columns: 16 }],
  printWidth: 384,
  taxesByHost: false,
  tagsBeforeItem: false,
  nanoTaxCodes: false,
  printSwitch: { field: { table: 17, row: 1, field: 7 }, owner: 0 },
};

const listers: Readonly<Record<Maker, (order: Receipt, context: CompileContext, over: Over) => readonly string[]>> = {
  shtrih(order, given, over) {
    const facts = { ...shtrihFacts, ...over.shtrih, identity: { ...identity, ...over.identity } };
    const capabilities = shtrihModels.capabilitiesOf(facts);
    const options = shtrihOptionsSchema.parse(over.options ?? {});
    const setup = { facts, capabilities, options, printIsOff: over.printIsOff ?? false };
    return listing(compileForShtrih(order, given, setup), toHex);
  },
  pirit(order, given, over) {
    const facts = { columns: [48, 32], identity: { ...identity, ...over.identity } };
    const options = piritOptionsSchema.parse(over.options ?? {});
    const setup = { facts, options, capabilities: piritModels.capabilitiesOf(facts, options) };
    return listing(compileForPirit(order, given, setup), (payload) => inFields(payload).replace(/^../, "$& "));
  },
  atol(order, given, over) {
    const facts = { lineLength: 32, lineDots: 384, registeredForInternet: true, ...over.atol };
    const known = { ...facts, identity: { ...identity, ...over.identity } };
    const capabilities = atolModels.capabilitiesOf(known, atolOptionsSchema.parse(over.options ?? {}));
    return listing(compileForAtol(order, given, { facts: known, capabilities }), inFields);
  },
};

/** Programs line by line, or the refusal; texts that were drawn come first. */
export function linesOf(maker: Maker, order: Receipt, over: Over = {}): readonly string[] {
  const drawn: string[] = [];
  const paintText = over.context?.paintText;
  const recorded: PaintText = (rows, width) => {
    for (const { columns, spans } of rows) {
      const texts = spans.map((span) => `${JSON.stringify(span.text)}${span.columns ? ` of ${span.columns}` : ""}`);
      drawn.push(`drawn in ${width} dots, ${columns} columns: ${texts.join(" + ")}`);
    }
    if (paintText == null) throw new Error("nothing paints");
    return paintText(rows, width);
  };
  const given = { ...context, ...over.context, ...(paintText == null ? {} : { paintText: recorded }) };
  try {
    const lines = listers[maker](order, given, over);
    return [...new Set(drawn), ...lines.map(shortened)];
  } catch (error) {
    if (!isFault(error)) throw error;
    return [`refused ${error.code}${error.place === null ? "" : ` at ${error.place}`}: ${error.message}`];
  }
}

type Spell = (bytes: Uint8Array) => string;

function listing(programs: readonly Program<object>[], spell: Spell): readonly string[] {
  return programs.flatMap(({ kind, witness, steps, fiscalStep, warnings }) => [
    `program ${JSON.stringify(kind)} proven by ${JSON.stringify(witness)}`,
    ...steps.flatMap((step, at) => stepLines(step, at === fiscalStep, spell)),
    ...warnings.map((warning) => `warning: ${warning}`),
  ]);
}

function stepLines({ name, command, ...step }: Step<object>, isFiscal: boolean, spell: Spell): readonly string[] {
  const traits = [
    ...(isFiscal ? ["fiscal"] : []),
    ...(step.repeatable ? ["repeatable"] : []),
    ...(step.opensReceipt ? ["opens"] : []),
    ...(step.optional ? ["optional"] : []),
    ...(step.group === undefined ? [] : [`group ${step.group}`]),
    ...(step.expectSubtotal === undefined ? [] : [`sum ${step.expectSubtotal}`]),
  ];
  const head = `${name}${traits.length === 0 ? "" : ` (${traits.join(", ")})`}`;
  if ("task" in command && typeof command.task === "object") return [head, ...taskLines({ ...command.task })];
  return [
    `${head}: ${Object.entries(command)
      .flatMap(([key, value]) => partOf(key, value, spell))
      .join(" ")}`,
  ];
}

/** A request as its bytes; other commands as JSON. */
function partOf(key: string, value: unknown, spell: Spell): readonly string[] {
  if (key === "kind") return value === "send" ? [] : [String(value)];
  if (typeof value === "object" && value !== null && "payload" in value && value.payload instanceof Uint8Array) {
    return [`${key === "request" ? "" : `${key} `}${spell(value.payload)}`, ...sendingOf(value)];
  }
  const json = JSON.stringify(value, (_, part) => (part instanceof Uint8Array ? inFields(part) : part));
  return [`${key}=${json}`];
}

/** How long a request waits and whether it may be sent twice, where that is unusual. */
function sendingOf(request: object): readonly string[] {
  const { timeout, repeatable }: { readonly timeout?: unknown; readonly repeatable?: unknown } = request;
  return [...(timeout === "ordinary" ? [] : [`timeout=${timeout}`]), ...(repeatable === true ? ["repeatable"] : [])];
}

/** Each field of a task, and each member of a list, is a line. */
function taskLines(task: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(task).flatMap(([name, value]) =>
    Array.isArray(value)
      ? value.map((part, at) => `${name}[${at}]: ${JSON.stringify(part)}`)
      : [`${name}: ${JSON.stringify(value)}`],
  );
}

/** Fields of PIRIT: CP866, with `|` for the separator. */
function inFields(bytes: Uint8Array): string {
  return iconv.decode(Buffer.from(bytes), "cp866").replaceAll("\u001c", "|");
}

/** Four and more equal bytes: `00*30`; twenty and more equal letters: `x*256`. */
function shortened(line: string): string {
  return line
    .replace(/\b([0-9A-F]{2})( \1\b){3,}/g, (run, byte) => `${byte}*${(run.length + 1) / 3}`)
    .replace(/([^ ])\1{19,}/g, (run, letter) => `${letter}*${run.length}`);
}
