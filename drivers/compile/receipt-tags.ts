import { Fault } from "@fiscald/shared/fault.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import type { ItemLine, SaleReceipt, TaxSystem } from "@fiscald/shared/receipt/receipt.js";
import { unknownTaxRow } from "@fiscald/shared/receipt/register-fit.js";
import { unfitTexts } from "@fiscald/shared/receipt/texts/unfit-texts.js";
import type { TaxRow } from "@fiscald/shared/receipt/vat.js";
import type { Capabilities, CompileContext, Identity } from "../fiscal-driver.js";
import { unsupported } from "./requisites.js";

const single = [1, 2, 4, 8, 16, 32] as const satisfies readonly TaxSystem[];

/** The register's only tax system. Undefined: the register has several, or does not report its systems. */
export function onlySystemOf({ taxSystems }: Pick<Identity, "taxSystems">): TaxSystem | undefined {
  return single.find((system) => system === taxSystems);
}

/**
 * Tag 1055 (tax system) of a receipt: the receipt's own, else the register's setting, else the only system of the
 * register. A register that gets no tax system would silently use its first. Fault `receipt.unsupported` where there
 * are several systems and none is named, or the register is not registered for the named one.
 */
export function requireTaxSystem(
  { taxSystem }: Pick<SaleReceipt, "taxSystem">,
  context: Pick<CompileContext, "taxSystem">,
  { taxSystems: registered }: Pick<Identity, "taxSystems">,
): TaxSystem {
  const chosen = taxSystem ?? context.taxSystem ?? onlySystemOf({ taxSystems: registered });
  if (chosen === undefined) unsupported(unfitTexts.taxSystemMissing);
  if (registered !== 0 && (registered & chosen) === 0) unsupported(unfitTexts.noTaxSystem(chosen));
  return chosen;
}

/**
 * The row of the register's tax table for the position at `path`; `defaultTax` if the order names none. Faults:
 * `device.tax-unknown` when the table lacks the order's row; `config.default-tax` when `defaultTax` is missing or
 * wrong.
 */
export function requireTaxRow(
  { tax, name }: Pick<ItemLine, "tax" | "name">,
  { tables, defaultTax }: Pick<CompileContext, "tables" | "defaultTax">,
  path: string,
): TaxRow {
  const wanted = tax ?? defaultTax;
  const row = tables.taxes.find(({ id }) => id === wanted);
  if (row !== undefined) return row;
  const place = `${path}.tax`;
  if (tax !== null) throw unknownTaxRow({ name, tax }, tables.taxes, place);
  throw new Fault("config.default-tax", { place });
}

export type PaperChoice = { readonly electronic: boolean; readonly warnings: readonly FaultText[] };

/** Paper is left out only where the buyer gets the receipt by an address or on the internet (54-fz 11). */
export function choosePaper(
  receipt: SaleReceipt,
  { printPaper }: Pick<CompileContext, "printPaper">,
  { fiscal }: Pick<Capabilities, "fiscal">,
): PaperChoice {
  if (receipt.printDoc && printPaper) return { electronic: false, warnings: [] };
  if (!fiscal.electronicOnly) return { electronic: false, warnings: [unfitTexts.paperAlways] };
  if (receipt.contact !== null || receipt.internet !== null) return { electronic: true, warnings: [] };
  return { electronic: false, warnings: [unfitTexts.paperWithoutContact] };
}

/**
 * Warns that a document lacks tag 1125 (internet payment), which a setting let the driver send in a way that no source
 * confirms. This is no fault, since the document is registered. The drive's document is read after a program that
 * succeeded, but not after one that recovery found printed.
 */
export function missingInternetTag(fd: number, setting: string): Fault {
  const message = unfitTexts.internetLost(fd, setting);
  return new Fault("receipt.unsupported", { message, details: { fd, setting } });
}
