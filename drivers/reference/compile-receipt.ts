import { layoutTexts } from "@fiscald/shared/paper/layout.js";
import { linesWithSum } from "@fiscald/shared/paper/layout-receipt.js";
import {
  type Cashier,
  type Correction,
  givenFields,
  type ItemLine,
  type ItemRequisites,
  itemsOf,
  type PaperLine,
  type Receipt,
  type ReceiptRequisites,
  type SaleReceipt,
  type TextLine,
  totalOf,
} from "@fiscald/shared/receipt/receipt.js";
import { splitLine } from "@fiscald/shared/receipt/split-lines.js";
import { unfitTexts } from "@fiscald/shared/receipt/texts/unfit-texts.js";
import { correctionTypes, requireCorrection } from "../compile/corrections.js";
import { requireLengths } from "../compile/fiscal-texts.js";
import { subjectOf } from "../compile/marking.js";
import { compileLines, compilePaper, looksOf, type PaperPart } from "../compile/paper-parts.js";
import { choosePaper, requireTaxRow, requireTaxSystem } from "../compile/receipt-tags.js";
import {
  agentTexts,
  buyerTexts,
  industryTexts,
  requireCapable,
  requireRequisites,
  unsupported,
  userPropertyOf,
} from "../compile/requisites.js";
import { compileOrder } from "../compile/service-parts.js";
import type { Capabilities, CompileContext, Identity } from "../fiscal-driver.js";
import { fiscalProgram, type Program, plainProgram, receiptProgram, type Step } from "../program.js";
import { commandRows, type ReferenceCommand } from "./commands.js";

type ReferenceProgram = Program<ReferenceCommand>;
type ReferenceStep = Step<ReferenceCommand>;

interface PrintBody extends Readonly<Record<string, unknown>> {
  readonly kind: string;
}

export function compileForReference(
  receipt: Receipt,
  context: CompileContext,
  capabilities: Capabilities,
  identity: Pick<Identity, "ffd" | "taxSystems">,
): readonly ReferenceProgram[] {
  return compileOrder<ReferenceCommand>(receipt, context, {
    sale: (sale) => compileSale(sale, context, capabilities, identity),
    openShift(cashier) {
      const open = step("open shift", { name: "OPEN-SHIFT", body: cashierBody(cashier) });
      return fiscalProgram({ type: "shift-open" }, [], open);
    },
    cash({ direction, sum }) {
      const move = step(`cash ${direction}`, { name: "CASH", body: { direction, sum } });
      return fiscalProgram({ type: "cash", direction, sum }, [], move);
    },
    report(report) {
      const printed = step(`report ${report}`, { name: "REPORT", body: { report, ...cashierBody(context.cashier) } });
      return report === "z"
        ? fiscalProgram({ type: "report", report }, [], printed)
        : plainProgram({ type: "report", report }, [printed]);
    },
    setTime() {
      const set = step("set time", { name: "SET-TIME", body: { time: context.localTime } });
      return plainProgram({ type: "set-time" }, [set]);
    },
    print(lines, number) {
      const { steps, warnings } = paperOf(lines, `text ${number}`, context, capabilities, false);
      return plainProgram({ type: "print" }, steps, warnings);
    },
  });
}

function compileSale(
  receipt: SaleReceipt,
  context: CompileContext,
  capabilities: Capabilities,
  identity: Pick<Identity, "ffd" | "taxSystems">,
): ReferenceProgram {
  requireCorrection(receipt, identity);
  requireRequisites(receipt, identity.ffd);
  requireLengths(receipt, context, { spell: (text) => text, joinedPhones: null });
  checkSale(receipt, context, capabilities);
  const { operation } = receipt;
  const paper = compileLines<ReferenceStep>(linesWithSum(receipt), {
    paper: (lines, name) => paperOf(lines, name, context, capabilities, true),
    item: (line, { name }) => itemSteps(line, name, context),
  });
  const paperChoice = choosePaper(receipt, context, capabilities);
  const before: readonly ReferenceStep[] = [
    {
      ...step("open receipt", {
        name: "OPEN",
        body: {
          operation,
          taxSystem: requireTaxSystem(receipt, context, identity),
          ...(receipt.correction === undefined ? {} : { correction: correctionBody(receipt.correction) }),
          ...cashierBody(receipt.cashier ?? context.cashier),
        },
      }),
      opensReceipt: true,
    },
    ...paper.steps,
    ...receipt.payments.map(({ typeClose, sum }, index) =>
      step(`payment ${index + 1}`, { name: "PAY", body: { type: typeClose, sum } }),
    ),
    { ...step("subtotal", { name: "SUBTOTAL", body: {} }), expectSubtotal: totalOf(receipt) },
  ];
  const close = step("close receipt", {
    name: "CLOSE",
    body: {
      contact: receipt.contact,
      internet: receipt.internet !== null,
      place: receipt.internet?.url ?? receipt.settlementPlace,
      userProperty: userPropertyOf(receipt, context),
      paper: !paperChoice.electronic,
      ...closingRequisites(receipt.requisites),
    },
  });
  const warnings = [...paper.warnings, ...paperChoice.warnings];
  return receiptProgram(receipt, context.mark, { before, step: close }, warnings);
}

function correctionBody(correction: Correction) {
  const { type, date } = correction;
  return { type: correctionTypes[type], date, number: correction.type === "instruction" ? correction.number : null };
}

function checkSale(receipt: SaleReceipt, context: CompileContext, { fiscal }: Capabilities): void {
  requireCapable(receipt, fiscal);
  for (const [index, item] of itemsOf(receipt).entries()) {
    // This register sells even a position without a tax rate.
    if (item.tax !== null || context.defaultTax !== null) requireTaxRow(item, context, `items[${index}]`);
  }
  for (const { typeClose } of receipt.payments) {
    const isKnown = context.tables.paymentTypes.some(({ id }) => id === typeClose);
    if (!isKnown) unsupported(unfitTexts.registerPayment(typeClose));
  }
}

/** `optional` beside a receipt, which must not fail because of its paper lines. */
function paperOf(
  lines: readonly PaperLine[],
  place: string,
  context: CompileContext,
  capabilities: Capabilities,
  optional: boolean,
): PaperPart<ReferenceStep> {
  const print = (name: string, body: PrintBody) => ({ ...step(name, { name: "PRINT", body }), optional });
  return compilePaper(lines, place, {
    paper: capabilities.paper,
    images: context.images,
    texts: (texts, name) => ({ steps: textRows(texts, capabilities).map((body) => print(name, body)), warnings: [] }),
    barcode: ({ symbology, data, heightMm, printText, alignment }, _shape, name) => [
      print(name, { kind: "barcode", symbology, data, heightMm, printText, alignment }),
    ],
    image({ alignment }, { width, height, rows }, name) {
      return [print(name, { kind: "image", width, height, rows: Buffer.from(rows).toString("base64"), alignment })];
    },
    frame: (kind, name) => [print(name, { kind })],
  });
}

/** A position is split in two where price x quantity would not make the sum (54-fz 3). */
function itemSteps(item: ItemLine, name: string, context: CompileContext): readonly ReferenceStep[] {
  return splitLine(item).map(({ price, quantity, total }, part) =>
    step(part === 0 ? name : `${name} rest`, {
      name: "ITEM",
      body: {
        name: item.name,
        price,
        quantity,
        sum: total,
        tax: item.tax ?? context.defaultTax,
        department: item.department,
        subject: subjectOf(item),
        method: item.method,
        unit: item.unit,
        measure: item.measure,
        agent:
          item.agent === null
            ? null
            : {
                type: item.agent.type,
                supplier: item.agent.supplierName,
                phones: item.agent.supplierPhones,
                inn: item.agent.supplierInn,
                ...(item.agent.data === undefined ? {} : { data: agentTexts(item.agent.data) }),
              },
        goodsCode: item.goodsCode,
        markingCode: item.markingCode,
        country: item.countryCode,
        customs: item.customsDeclaration,
        ...requisitesOf(item.requisites),
      },
    }),
  );
}

function requisitesOf({ additional, excise, industry }: ItemRequisites = {}) {
  return givenFields({ additional, excise, industry: industry && industryTexts(industry) });
}

function closingRequisites({ buyer, additional, operating }: ReceiptRequisites = {}) {
  return givenFields({
    buyer: buyer && buyerTexts(buyer),
    additional,
    operating: operating && { ...operating, id: Number(operating.id) },
  });
}

function textRows(texts: readonly TextLine[], { paper }: Capabilities): readonly PrintBody[] {
  if (paper === null) return [];
  const columnsOf = (font: number) => paper.columns[font] ?? paper.columns.at(-1) ?? 1;
  return layoutTexts(texts, columnsOf).map(({ columns, spans }) => ({
    kind: "text",
    columns,
    spans: spans.map(({ text, style, columns: own }) => ({
      text,
      looks: looksOf({ ...style, rotation: 0 }),
      rotation: style.rotation,
      ...(own === undefined ? {} : { columns: own }),
    })),
  }));
}

function cashierBody(cashier: Cashier | null) {
  return { cashier: cashier?.name ?? null, cashierInn: cashier?.inn ?? null };
}

function step(name: string, command: ReferenceCommand): ReferenceStep {
  return { name, command, repeatable: commandRows[command.name].repeatable };
}
