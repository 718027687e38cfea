/** What the checker has to know about a site, and about the register that it plays. */
import type { Kopecks } from "../amounts.js";
import type { ReceiptFormat } from "../exchange/read-answer.js";
import type { SiteAuth } from "../http/auth-headers.js";
import { type FnSerial, type Inn, type Kkm, toFnSerial, toInn, toKkm } from "../ids.js";
import type { ReceiptRules } from "../receipt/check-receipt.js";
import type { Operation } from "../receipt/receipt.js";
import { type RegisterTables, type VatCode, vatRates } from "../receipt/vat.js";

export type SiteCall = "orders" | "result" | "sync" | "connected" | "disconnected" | "zreport";

export interface SiteToCheck {
  /** Null: the site does not get this call. */
  readonly urls: Readonly<Record<SiteCall, string | null>> & { readonly orders: string; readonly result: string };
  readonly auth: SiteAuth;
  /** `auto`: as JSON, or as form fields if the site understands only form fields. */
  readonly encoding: "auto" | "json" | "form";
  readonly format: ReceiptFormat;
  readonly rules: ReceiptRules;
  readonly resultAction: string;
  readonly resultExtras: boolean;
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
}

export interface PlayedRegister {
  readonly kkm: Kkm;
  /** Null: the taxpayer is not known, and an order may name any. */
  readonly inn: Inn | null;
  readonly fn: FnSerial;
  readonly model: string;
  readonly title: string;
  readonly tables: RegisterTables;
  /**
   * Where the register's rows come from: invented, the register's own record, or the command line (`stated`).
   * `withheld`: the register is real and its rows are not known; a site must not get invented rows in their place.
   */
  readonly rows: "invented" | "own" | "stated" | "withheld";
}

export interface TestOrder {
  /** The number of the order that may be reported as printed; null = each order is reported as failed. */
  readonly orderId: string | null;
  /** Null = neither the total nor the direction of that order is compared. */
  readonly total: Kopecks | null;
  readonly operation: Operation | null;
}

/** The rates of a common maker's tax table by row. Row 1 is not the main rate, although some sites assume that. */
const rowRates: readonly VatCode[] = [1, 2, 5, 6, 3, 4, 7, 8, 9, 10, 11, 12];

export const exampleRegister: PlayedRegister = {
  kkm: toKkm("0001234567012345"),
  inn: null,
  fn: toFnSerial("9999078900000001"),
  model: "fiscald check-site",
  title: "check-site",
  tables: {
    taxes: rowRates.map((vat, index) => ({ id: index + 1, title: vatRates[vat].title, vat })),
    paymentTypes: ["Наличными", "Электронными", "Предоплата", "Кредит", "Встречное предоставление"].map(
      (title, id) => ({ id, title }),
    ),
  },
  rows: "invented",
};

/** This INN is sent where the taxpayer is not known. */
export const exampleInn = toInn("7700000000");

export function foreignKkm(kkm: Kkm): Kkm {
  return toKkm(kkm === "9999999999999999" ? "9999999999999998" : "9999999999999999");
}
