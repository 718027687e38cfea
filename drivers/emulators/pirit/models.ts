import type { VatCode } from "@fiscald/shared/receipt/vat.js";
import { vatRates } from "@fiscald/shared/receipt/vat.js";
import type { TaxTableRow } from "../memory/registration.js";
import type { PiritSettings } from "./settings.js";

export interface PiritModel {
  readonly title: string;
  /** Number of the model, the answer of query 02/21. */
  readonly number: number;
  /** Firmware version, the answer of query 02/70. */
  readonly firmware: string;
  readonly columns: 32 | 48;
  readonly fonts: readonly number[];
}

export const piritModels = {
  "viki-print-80": { title: "Viki Print 80+", number: 5, firmware: "665.4.20", columns: 48, fonts: [48, 64] },
  "viki-print-57": { title: "Viki Print 57", number: 3, firmware: "565.1.20", columns: 32, fonts: [32, 42] },
} as const satisfies Readonly<Record<string, PiritModel>>;

export const paymentNames: readonly string[] = [
  "НАЛИЧНЫМИ",
  "БЕЗНАЛИЧНЫМИ",
  ...Array.from({ length: 11 }, (_, index) => `ТИП ОПЛАТЫ ${index + 2}`),
  "ПРЕДВАРИТЕЛЬНАЯ ОПЛАТА",
  "ПОСЛЕДУЮЩАЯ ОПЛАТА",
  "ВСТРЕЧНОЕ ПРЕДОСТАВЛЕНИЕ",
];

const oldRows: readonly VatCode[] = [1, 2, 5, 6, 3, 4, 7, 8, 9, 10];
const newRows: readonly VatCode[] = [...oldRows, 11, 12];
const renamedRows: readonly VatCode[] = [11, 2, 5, 6, 12, 4, 7, 8, 9, 10];
const NO_VAT: VatCode = 6;

/** Tax rows, numbered from 0, as command 42 (item) names them; "no VAT" has no name. */
export function taxRows(settings: Pick<PiritSettings, "vat-22">): readonly TaxTableRow[] {
  const codes = settings["vat-22"] === "renamed" ? renamedRows : newRows;
  return codes.map((vat, row) => ({ row, vat, name: vat === NO_VAT ? "" : vatRates[vat].title }));
}
