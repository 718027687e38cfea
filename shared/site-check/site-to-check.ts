/** What the checker has to know about a site, and about the register that it plays. */
import type { Kopecks } from "../amounts.js";
import type { ReceiptFormat } from "../exchange/read-answer.js";
import type { SiteAuth } from "../http/auth-headers.js";
import { type FnSerial, type Inn, type Kkm, toFnSerial, toInn, toKkm } from "../ids.js";
import type { ReceiptRules } from "../receipt/check-receipt.js";
import type { RegisterTables } from "../receipt/vat.js";

export type SiteCall = "orders" | "result" | "sync" | "connected" | "disconnected" | "zreport";

export interface SiteToCheck {
  /** The address of each call; null: the site does not get this call. */
  readonly urls: Readonly<Record<SiteCall, string | null>> & { readonly orders: string; readonly result: string };
  readonly auth: SiteAuth;
  /** How bodies are encoded. `auto`: as JSON, or as form fields if the site understands only those. */
  readonly encoding: "auto" | "json" | "form";
  readonly format: ReceiptFormat;
  readonly rules: ReceiptRules;
  readonly resultAction: string;
  readonly resultExtras: boolean;
  /** Certificates and key in PEM, as in `PosterOptions`. */
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
}

/** The register that the checker plays. */
export interface PlayedRegister {
  readonly kkm: Kkm;
  /** INN of the taxpayer; null: it is not known, and an order may name any. */
  readonly inn: Inn | null;
  readonly fn: FnSerial;
  readonly model: string;
  readonly title: string;
  readonly tables: RegisterTables;
}

export interface TestOrder {
  /** The number of the order that may be reported as printed; null = none, and each order is reported as failed. */
  readonly orderId: string | null;
  /** The total of that order; null = it is not compared. */
  readonly total: Kopecks | null;
}

/** An invented register, for a site that runs on its developer's machine. */
export const exampleRegister: PlayedRegister = {
  kkm: toKkm("0001234567012345"),
  inn: null,
  fn: toFnSerial("9999078900000001"),
  model: "fiscald check-site",
  title: "check-site",
  tables: {
    taxes: [
      { id: 1, title: "НДС 22%", vat: 11 },
      { id: 2, title: "НДС 10%", vat: 2 },
      { id: 3, title: "НДС 0%", vat: 5 },
      { id: 4, title: "Без НДС", vat: 6 },
      { id: 5, title: "НДС 22/122", vat: 12 },
      { id: 6, title: "НДС 10/110", vat: 4 },
    ],
    paymentTypes: [
      { id: 0, title: "Наличными" },
      { id: 1, title: "Электронными" },
      { id: 2, title: "Предоплата" },
      { id: 3, title: "Кредит" },
      { id: 4, title: "Встречное предоставление" },
    ],
  },
};

/** The INN that is sent where the taxpayer is not known. */
export const exampleInn = toInn("7700000000");

/** A registration number that is surely not the given one. */
export function foreignKkm(kkm: Kkm): Kkm {
  return toKkm(kkm === "9999999999999999" ? "9999999999999998" : "9999999999999999");
}
