import { type FnSerial, type Inn, type Kkm, toFnSerial, toInn, toKkm } from "@fiscald/shared/ids.js";
import { type VatCode, vatRates } from "@fiscald/shared/receipt/vat.js";

export interface Registration {
  /** Tag 1037 (registration number of the register). */
  readonly kkm: Kkm;
  /** Tag 1018 (INN of the user). */
  readonly inn: Inn;
  /** Tag 1013 (serial number of the register). */
  readonly serial: string;
  /** Tag 1209 (version of the format): 2 = 1.05, 3 = 1.1, 4 = 1.2. */
  readonly ffd: 2 | 3 | 4;
  /** Tag 1062 (tax systems). */
  readonly taxSystems: number;
  /** Tag 1108: the register is for internet payments only. */
  readonly internetOnly: boolean;
  /** Tag 1048 (name of the user). */
  readonly user: string;
  /** Tags 1009 (address) and 1187 (place). */
  readonly address: string;
  readonly place: string;
  readonly ofd: { readonly name: string; readonly inn: string };
  /** Tax rows in the order of the maker's table; a receipt names the number of a row. */
  readonly taxes: readonly TaxTableRow[];
  readonly paymentNames: readonly string[];
}

/** Facts that a re-registration on the same drive may change, and rows of the register's tables. */
export type RegistrationChange = Partial<
  Pick<Registration, "inn" | "ffd" | "taxSystems" | "internetOnly" | "place" | "taxes">
>;

export interface TaxTableRow {
  readonly row: number;
  readonly vat: VatCode;
  readonly name: string;
}

export function taxTable(codes: readonly VatCode[]): readonly TaxTableRow[] {
  return codes.map((vat, index) => ({ row: index + 1, vat, name: vatRates[vat].title }));
}

/** For registers without tables of their own: tax rows by the codes of tag 1199 (VAT rate), payments by kind. */
export const plainTables = {
  taxes: taxTable([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
  paymentNames: ["Наличными", "Безналичными", "Предоплата", "В кредит", "Иная форма"],
};

export interface RegistrationOptions {
  readonly kkm?: string | undefined;
  readonly inn?: string | undefined;
  readonly fn?: string | undefined;
  readonly ffd?: Registration["ffd"] | undefined;
  readonly taxSystems?: number | undefined;
  readonly taxes: readonly TaxTableRow[];
  readonly paymentNames: readonly string[];
}

const DEFAULT_KKM = "0001234567012345";
const DEFAULT_INN = "7700000000";
const DEFAULT_FN = "9999078900000001";

export function makeRegistration(options: RegistrationOptions): { registration: Registration; fn: FnSerial } {
  const kkm = toKkm(options.kkm ?? DEFAULT_KKM);
  return {
    fn: toFnSerial(options.fn ?? DEFAULT_FN),
    registration: {
      kkm,
      inn: toInn(options.inn ?? DEFAULT_INN),
      // Two emulated registers must differ in their serial numbers as well.
      serial: `EMU${kkm.slice(-10)}`,
      ffd: options.ffd ?? 2,
      taxSystems: options.taxSystems ?? 1,
      internetOnly: true,
      user: "ООО ЭМУЛЯТОР",
      address: "г. Москва, ул. Тестовая, д. 1",
      place: "Тестовый магазин",
      ofd: { name: "Тестовый ОФД", inn: "7704211201" },
      taxes: options.taxes,
      paymentNames: options.paymentNames,
    },
  };
}
