import type { CompileContext } from "@fiscald/drivers/fiscal-driver.js";
import type { Program } from "@fiscald/drivers/program.js";
import { compile } from "@fiscald/drivers/shtrih/compile/compile.js";
import type { ShtrihCommand } from "@fiscald/drivers/shtrih/compile/steps.js";
import { type ShtrihOptions, shtrihOptionsSchema } from "@fiscald/drivers/shtrih/options.js";
import { commands } from "@fiscald/drivers/shtrih/protocol/commands.js";
import { capabilitiesOf } from "@fiscald/drivers/shtrih/protocol/models.js";
import type { RegisterFacts } from "@fiscald/drivers/shtrih/read/read-facts.js";
import { kopecks, quantity } from "@fiscald/shared/amounts.js";
import { toFnSerial, toInn, toKkm, toOrderId } from "@fiscald/shared/ids.js";
import { type LocalTime, parseLocalTime } from "@fiscald/shared/local-time.js";
import {
  type ItemLine,
  plainStyle,
  type Receipt,
  type SaleReceipt,
  type ServiceJob,
  type ServiceLine,
  type TextLine,
} from "@fiscald/shared/receipt/receipt.js";
import { toHex } from "../vectors/hex.js";
import { dataOf, v1Frames } from "../vectors/shtrih-frames.js";

/** A RETAIL-01F as the logs know it: its own F7, two fonts. */
export const facts: RegisterFacts = {
  identity: {
    kkm: toKkm("0001234567012345"),
    inn: toInn("7700000000"),
    fn: toFnSerial("9999078900000001"),
    serial: "1",
    model: "РИТЕЙЛ-01Ф",
    firmware: "C.1",
    ffd: "1.05",
    taxSystems: 1,
  },
  parameters: commands.modelParameters.decode(dataOf(v1Frames.modelAnswer)),
  fonts: [{ columns: 32 }, { columns: 16 }],
  printWidth: 384,
  taxesByHost: false,
  tagsBeforeItem: false,
  nanoTaxCodes: false,
  printSwitch: { field: { table: 17, row: 1, field: 7 }, owner: 0 },
};

const time: LocalTime = parseLocalTime("2026-11-20T14:05:06") ?? fail();

export const context: CompileContext = {
  shift: "open",
  mark: null,
  cashier: null,
  taxSystem: null,
  defaultTax: null,
  printPaper: true,
  tables: {
    taxes: Array.from({ length: 12 }, (_, index) => ({ id: index + 1, title: `${index + 1}`, vat: null })),
    paymentTypes: [],
  },
  images: new Map(),
  localTime: time,
};

export const tea: ItemLine = {
  type: "item",
  name: "Чай",
  price: kopecks(5000),
  quantity: quantity(2_000_000),
  total: kopecks(10_000),
  tax: 11,
  department: 1,
  subject: 1,
  method: 4,
  unit: null,
  measure: 0,
  agent: null,
  goodsCode: null,
  markingCode: null,
  countryCode: null,
  customsDeclaration: null,
  printSum: false,
};

export const sale: SaleReceipt = {
  kind: "receipt",
  orderId: toOrderId("A-1"),
  receiptId: null,
  kkm: null,
  format: "task-table",
  cancelFirst: false,
  operation: "sale",
  lines: [tea],
  payments: [{ typeClose: 1, sum: kopecks(10_000) }],
  contact: null,
  printDoc: true,
  internet: null,
  settlementPlace: null,
  cashier: null,
  taxSystem: null,
  expectedInn: null,
  cancelledByOrder: false,
};

export function service(...lines: ServiceLine[]): ServiceJob {
  return {
    kind: "service",
    orderId: null,
    receiptId: null,
    kkm: null,
    format: "task-table",
    cancelFirst: false,
    lines,
  };
}

export function text(content: string, style: Partial<TextLine["style"]> = {}): TextLine {
  return { type: "text", content: { kind: "text", text: content }, style: { ...plainStyle, ...style } };
}

export interface Over {
  readonly context?: Partial<CompileContext>;
  readonly facts?: Partial<RegisterFacts>;
  readonly identity?: Partial<RegisterFacts["identity"]>;
  readonly options?: Partial<ShtrihOptions>;
  readonly printIsOff?: boolean;
}

export function compileFor(receipt: Receipt, over: Over = {}): readonly Program<ShtrihCommand>[] {
  const allFacts = { ...facts, ...over.facts, identity: { ...facts.identity, ...over.identity } };
  return compile(
    receipt,
    { ...context, ...over.context },
    {
      facts: allFacts,
      capabilities: capabilitiesOf(allFacts),
      options: { ...shtrihOptionsSchema.parse({}), ...over.options },
      printIsOff: over.printIsOff ?? false,
    },
  );
}

/** One line per step: its name, and the bytes it sends. */
export function listing(program: Program<ShtrihCommand> | undefined): readonly string[] {
  return (program?.steps ?? []).map(({ name, command }) =>
    "request" in command ? `${name}: ${toHex(command.request.payload)}` : name,
  );
}

export function names(program: Program<ShtrihCommand> | undefined): readonly string[] {
  return (program?.steps ?? []).map(({ name }) => name);
}

function fail(): never {
  throw new Error("bad time");
}
