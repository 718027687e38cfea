/** What the dialog "wrong receipt" and `fiscald correct` show: the receipt to put right, and its new documents. */
import { isOfSums } from "@fiscald/drivers/compile/corrections.js";
import { formatQuantity, formatRoubles } from "@fiscald/shared/amounts.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { layoutReceipt } from "@fiscald/shared/paper/layout-receipt.js";
import { renderPng } from "@fiscald/shared/paper/rasterizer.js";
import { withoutChange } from "@fiscald/shared/receipt/paid-kopecks.js";
import { itemsOf, type SaleReceipt, signOf, totalOf } from "@fiscald/shared/receipt/receipt.js";
import { rowsAsMeant } from "@fiscald/shared/receipt/tax-meaning.js";
import { type PaymentTypeRow, type VatCode, vatCodes, vatRates } from "@fiscald/shared/receipt/vat.js";
import { unitPrice } from "../../corrections/repair-receipts.js";
import { casesOf, type PlannedDocument, type RepairPlan } from "../../corrections/repairs.js";
import type { RepairCase } from "../../corrections/what-the-law-wants.js";
import { inEveryLanguage } from "../../messages/messages.js";
import { inRoubles } from "../../messages/rows.js";
import type { RegisterSnapshot } from "../../registers/register-snapshot.js";
import { registeredRates } from "../../sites/registered-rates.js";
import type { RegisterMonth } from "../../store/day-facts.js";
import type { Job } from "../../store/job.js";
import { differencesIn } from "../../store/journal.js";
import type { ConsoleParts } from "../console-parts.js";
import { RISK_PERCENT, shareOfRisk } from "../troubles/risk-troubles.js";

const PAPER_COLUMNS = 42;

export type RepairForm = ReturnType<typeof repairForm>;
export type RepairPreview = Awaited<ReturnType<typeof repairPreview>>;

export interface RepairLine {
  readonly name: string;
  readonly price: string;
  readonly quantity: string;
  /** The code of the line's rate (tag 1199); null: not known. */
  readonly vat: number | null;
}

export interface RepairPayment {
  readonly typeClose: number;
  readonly sum: string;
}

/** `job` null gives the form of a settlement that the daemon knows nothing of. */
export function repairForm({ snapshots, journal }: Pick<ConsoleParts, "snapshots" | "journal">, job: Job | null) {
  const receipt = job?.receipt.kind === "receipt" ? job.receipt : null;
  const lines = receipt === null || job === null ? [] : itemsOf(receipt).map((item) => lineOf(item, job));
  const registered = job === null ? null : registeredRates(job, journal);
  return {
    cases: job === null ? casesUnknown : casesOf(job),
    /** The day of the wrong receipt's document; null: there is no document. */
    printedOn: job?.document?.time.slice(0, 10) ?? null,
    lines,
    /** The rates of the lines on the paper, as codes of tag 1199; null: not known. */
    onPaper: lines.map(({ vat }, index): number | null => (registered === null ? vat : (registered[index] ?? null))),
    /** How the receipt's VAT differs from what was sent; null: no difference is known. */
    altered: job === null || registered === null ? null : alteredRate(job, journal),
    payments: (receipt === null ? [] : withoutChange(receipt)).map(toPayment),
    registers: snapshots().map(({ settings: { id, title, sites } }) => ({ id, title, sites })),
    rates: vatCodes.map((code) => ({ code, title: vatRates[code].title })),
  };
}

const casesUnknown: readonly RepairCase[] = ["missed", "twice"];

function alteredRate({ id }: Job, journal: ConsoleParts["journal"]): FaultText | null {
  const rates = differencesIn(journal.ofJob(id)).filter(({ tag }) => tag === 1199);
  if (rates.length === 0) return null;
  const list = (key: "read" | "sent") => [...new Set(rates.map(({ [key]: rate }) => rate ?? "?"))].join(", ");
  return inEveryLanguage(({ page }) => page.repair.altered({ read: list("read"), sent: list("sent") }));
}

function toPayment({ typeClose, sum }: SaleReceipt["payments"][number]): RepairPayment {
  return { typeClose, sum: formatRoubles(sum) };
}

function lineOf(item: ReturnType<typeof itemsOf>[number], { taxes }: Job): RepairLine {
  return {
    name: item.name,
    price: formatRoubles(unitPrice(item)),
    quantity: formatQuantity(item.quantity),
    vat: taxes.find(({ id }) => id === item.tax)?.vat ?? null,
  };
}

export async function repairPreview(plan: RepairPlan, months: readonly RegisterMonth[]) {
  const { register, documents, laterReceipt: day } = plan;
  const { id, title } = register.settings;
  const month = months.find((one) => one.register === id);
  return {
    /** The order, the register and the sum of the first document, and what is odd about the day. */
    about: inEveryLanguage(({ page: { repair } }, language) => {
      const [said] = documents.map(({ receipt }) =>
        repair.about({ order: receipt.orderId ?? "", register: title, sum: inRoubles(totalOf(receipt))[language] }),
      );
      return [said, ...(day === null ? [] : [repair.laterReceipt({ day })])].join(" ");
    }),
    documents: await Promise.all(documents.map((document) => previewOf(document, register))),
    /** The share of corrections so far; null: there are too few receipts to say. */
    share:
      month === undefined
        ? null
        : inEveryLanguage(({ page }) =>
            page.repair.share({ ...month, percent: shareOfRisk(month).corrections, risk: RISK_PERCENT }),
          ),
  };
}

async function previewOf({ receipt, job }: PlannedDocument, register: RegisterSnapshot) {
  const meanings = job.taxes?.taxes ?? [];
  const rows = layoutReceipt(receipt, {
    columns: PAPER_COLUMNS,
    document: null,
    tables: { paymentTypes: register.tables?.paymentTypes ?? [], taxes: rowsAsMeant(meanings) },
  });
  const png = await renderPng(rows, { columns: PAPER_COLUMNS });
  const isWithoutItems = register.identity !== null && isOfSums(receipt, register.identity);
  return {
    title: inEveryLanguage(({ page }) => page.jobKinds[signOf(receipt)]),
    rows: rowsOf(receipt, {
      rateOf: (tax) => meanings.find(({ id }) => id === tax)?.vat ?? null,
      payments: register.tables?.paymentTypes ?? [],
    }),
    /** Names what the picture of the document cannot show. */
    lacks: isWithoutItems ? inEveryLanguage(({ page }) => page.repair.sumsOnly) : null,
    paper: `data:image/png;base64,${Buffer.from(png).toString("base64")}`,
  };
}

interface NamesOfRegister {
  rateOf(tax: number | null): VatCode | null;
  readonly payments: readonly PaymentTypeRow[];
}

function rowsOf(receipt: SaleReceipt, { rateOf, payments: known }: NamesOfRegister): readonly FaultText[] {
  const { correction, requisites, payments } = receipt;
  const row = (name: "date" | "byOrder" | "fixes", value: string) =>
    inEveryLanguage(({ page }) => `${page.repair[name]}: ${value}`);
  return [
    ...(correction === undefined ? [] : [row("date", correction.date)]),
    ...(correction?.type === "instruction" ? [row("byOrder", correction.number)] : []),
    ...(requisites?.additional === undefined ? [] : [row("fixes", requisites.additional)]),
    ...itemsOf(receipt).map((item) => {
      const vat = rateOf(item.tax);
      const rate = vat === null ? "" : `, ${vatRates[vat].title}`;
      return inEveryLanguage(({ page: { repair } }, language) => {
        const price = `${formatQuantity(item.quantity)} × ${inRoubles(unitPrice(item))[language]}`;
        const agent = item.agent === null ? "" : `, ${repair.agent}`;
        const mark = item.markingCode === null ? "" : `, ${repair.marked}`;
        return `${item.name}: ${price} = ${inRoubles(item.total)[language]}${rate}${agent}${mark}`;
      });
    }),
    inEveryLanguage(({ page }, language) => {
      const paid = payments.map(({ typeClose, sum }) => {
        const title = known.find(({ id }) => id === typeClose)?.title ?? typeClose;
        return `${title} ${inRoubles(sum)[language]}`;
      });
      return `${page.repair.payment}: ${paid.join(", ")}`;
    }),
  ];
}
