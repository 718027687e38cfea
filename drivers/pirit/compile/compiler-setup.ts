import type { Cashier, SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { requireLengths as requireIn, type TextFields } from "../../compile/fiscal-texts.js";
import type { Capabilities, CompileContext } from "../../fiscal-driver.js";
import type { PiritOptions } from "../options.js";
import { spell } from "../protocol/fields.js";
import type { RegisterFacts } from "../read/read-facts.js";

/** Settings of the compiler beside the receipt and its context. */
export interface CompilerSetup {
  readonly facts: RegisterFacts;
  readonly capabilities: Capabilities;
  readonly options: PiritOptions;
}

/** Tag 1021 may not be empty on this maker's registers (reference, section 10, reason 33). */
export const UNNAMED_CASHIER = "Кассир";

/** The operator field of documents and reports; `&` parts INN and name. */
export function operatorOf(cashier: Cashier | null): string {
  if (cashier === null) return UNNAMED_CASHIER;
  const name = cashier.name.replaceAll("&", " ").slice(0, 64);
  return cashier.inn === null ? name : `${cashier.inn}&${name}`;
}

/** Several phones are one field of command 24. */
const fields: TextFields = { spell, joinedPhones: 40 };

export function requireLengths(receipt: SaleReceipt, context: Pick<CompileContext, "mark" | "cashier">): void {
  requireIn(receipt, context, fields);
}
