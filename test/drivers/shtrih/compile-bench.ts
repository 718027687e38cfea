import type { CompileContext } from "@fiscald/drivers/fiscal-driver.js";
import type { Program } from "@fiscald/drivers/program.js";
import { compile } from "@fiscald/drivers/shtrih/compile/compile.js";
import type { ShtrihCommand } from "@fiscald/drivers/shtrih/compile/steps.js";
import { type ShtrihOptions, shtrihOptionsSchema } from "@fiscald/drivers/shtrih/options.js";
import { commands } from "@fiscald/drivers/shtrih/protocol/commands.js";
import type { RegisterFacts } from "@fiscald/drivers/shtrih/protocol/models.js";
import { capabilitiesOf } from "@fiscald/drivers/shtrih/protocol/models.js";
import { kopecks, quantity } from "@fiscald/shared/amounts.js";
import { toFnSerial, toInn, toKkm } from "@fiscald/shared/ids.js";
import { type LocalTime, parseLocalTime } from "@fiscald/shared/local-time.js";
import type { Receipt, ServiceLine } from "@fiscald/shared/receipt/receipt.js";
import { makeItem, makeReceipt } from "../../support/make-job.js";
import { service as serviceOf } from "../contract/jobs.js";
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

export const tea = makeItem({ price: kopecks(5000), quantity: quantity(2_000_000), total: kopecks(10_000), tax: 11 });

export const sale = makeReceipt({ lines: [tea], payments: [{ typeClose: 1, sum: kopecks(10_000) }] });

export const service = (...lines: readonly ServiceLine[]) => serviceOf(lines);

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

export { text } from "../contract/receipts.js";

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
