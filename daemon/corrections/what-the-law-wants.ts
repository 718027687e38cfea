/** Which documents put a settlement right, by the register's format (54-fz 18); a person names the case. Pure. */
import { Fault } from "@fiscald/shared/fault.js";
import type { SaleReceipt, Sign } from "@fiscald/shared/receipt/receipt.js";
import { unfitTexts } from "@fiscald/shared/receipt/texts/unfit-texts.js";
import { correctionReasons } from "../messages/reasons/correction-reasons.js";

/** `wrong`: a receipt with a mistake. `twice`: a surplus receipt. `test`: a trial receipt, or a sale that is undone. */
export const repairCases = ["missed", "wrong", "twice", "test"] as const;
export type RepairCase = (typeof repairCases)[number];

export interface WantedDocument {
  readonly sign: Sign;
  /** `printed`: the return of the receipt as it was registered. `right`: the settlement as it was. */
  readonly content: "printed" | "right";
  /** Tag 1192 holds the fiscal sign of the printed receipt. */
  readonly namesPrinted: boolean;
}

/** Each document follows when the one before it is proven printed. Throws `receipt.no-correction`. */
export function whatTheLawWants(what: RepairCase, ffd: string | null): readonly WantedDocument[] {
  if (what === "test") return [{ sign: "return", content: "printed", namesPrinted: false }];
  if (ffd === null) throw new Fault("receipt.no-correction", { message: unfitTexts.correctionFormatUnknown });
  if (what === "missed") return [{ sign: "sale-correction", content: "right", namesPrinted: false }];
  const is105 = ffd === "1.05";
  const back = { sign: is105 ? "return" : "return-correction", content: "printed", namesPrinted: true } as const;
  if (what === "twice") return [back];
  return [back, { sign: is105 ? "sale" : "sale-correction", content: "right", namesPrinted: true }];
}

/** Throws `usage.wrong` for a printed receipt that no document of this program can put right. */
export function requireRepairable({ operation, correction }: SaleReceipt, what: RepairCase, ffd: string | null): void {
  const isSale = operation === "sale";
  if (isSale && correction === undefined) return;
  // The wrong correction of a sale is corrected like the sale itself, in the formats that can correct it.
  if (isSale && what === "wrong" && ffd !== "1.05") return;
  throw new Fault("usage.wrong", { message: correctionReasons.notASale });
}
