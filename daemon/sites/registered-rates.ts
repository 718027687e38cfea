/** The VAT rates that a register registered in place of those that were sent (exactly-once 14). Pure. */
import { itemsOf, type Receipt, type SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { isSale } from "@fiscald/shared/receipt/repeats/order-money.js";
import { splitLine } from "@fiscald/shared/receipt/split-lines.js";
import type { SoldAtRates, TaxMeaning } from "@fiscald/shared/receipt/tax-meaning.js";
import { isVatCode, taxIdOfRate, type VatCode } from "@fiscald/shared/receipt/vat.js";
import { isLive, type Job } from "../store/job.js";
import { differencesIn, isOtherRate, type Journal, ratesReadIn } from "../store/journal.js";
import { takesBackExtra } from "./earlier-jobs.js";
import { withoutReplaced } from "./return-differences.js";

/** The rate of each line as its document shows it, if any; null = the register is not known to have altered a rate. */
export function registeredRates(
  { id, receipt }: Pick<Job, "id" | "receipt">,
  journal: Pick<Journal, "ofJob">,
): readonly (VatCode | null)[] | null {
  const history = journal.ofJob(id);
  if (receipt.kind !== "receipt" || !differencesIn(history).some(isOtherRate)) return null;
  const read = ratesReadIn(history) ?? [];
  let before = 0;
  return itemsOf(receipt).map((item) => {
    const parts = read.slice(before, before + splitLine(item).length);
    before += splitLine(item).length;
    const [rate = null, ...others] = new Set(parts);
    return rate !== null && others.length === 0 && isVatCode(rate) ? rate : null;
  });
}

/** The meaning of the receipt's tax ids by these rates of its lines; null = an id has no rate, or several. */
export function meaningsOf(
  { receipt, taxes }: { readonly receipt: SaleReceipt; readonly taxes: readonly TaxMeaning[] },
  rates: readonly (VatCode | null)[],
): readonly TaxMeaning[] | null {
  const meanings = taxes.flatMap(({ id }): readonly TaxMeaning[] => {
    const [vat = null, ...others] = new Set(
      itemsOf(receipt).flatMap(({ tax }, index) => (tax === id ? [rates[index]] : [])),
    );
    return vat === null || others.length > 0 ? [] : [{ id, vat, title: null }];
  });
  return meanings.length === taxes.length ? meanings : null;
}

/** The meaning of a job's tax ids in its document if the register altered the rates, or else as sent. */
export function taxesInDocument(job: Pick<Job, "id" | "receipt" | "taxes">, journal: Pick<Journal, "ofJob">) {
  const { receipt, taxes } = job;
  const rates = registeredRates(job, journal);
  return (receipt.kind !== "receipt" || rates === null ? null : meaningsOf({ receipt, taxes }, rates)) ?? taxes;
}

/** Covers the order's printed and unfinished sales, newest first. */
export function ratesOfSales(ofOrder: readonly Job[], journal: Pick<Journal, "ofJob">) {
  const live = ofOrder.filter((job) => isLive(job) && !takesBackExtra(job, journal)).sort((a, b) => b.id - a.id);
  return withoutReplaced(live).flatMap((job): readonly SoldAtRates[] => {
    const { receipt, taxes: meant } = job;
    return isSale(receipt) ? [{ receipt, meant, registered: taxesInDocument(job, journal) }] : [];
  });
}

/** A line without a rate in `rates` keeps its own. */
export function withRates(receipt: SaleReceipt, rates: readonly (VatCode | null)[]): SaleReceipt {
  let index = 0;
  const lines = receipt.lines.map((line) => {
    if (line.type !== "item") return line;
    const rate = rates[index++] ?? null;
    return rate === null ? line : { ...line, tax: taxIdOfRate(rate) };
  });
  return { ...receipt, lines };
}

export function asRegistered(job: Pick<Job, "id" | "receipt">, journal: Pick<Journal, "ofJob">): Receipt {
  const rates = registeredRates(job, journal);
  return job.receipt.kind !== "receipt" || rates === null ? job.receipt : withRates(job.receipt, rates);
}
