import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import type { CompileContext } from "../fiscal-driver.js";
import { requireLengths as requireIn, type TextFields } from "../require-lengths.js";
import { spell } from "./fields.js";

/** Several phones are one field of command 24. */
const fields: TextFields = { spell, joinedPhones: 40 };

export function requireLengths(receipt: SaleReceipt, context: Pick<CompileContext, "mark" | "cashier">): void {
  requireIn(receipt, context, fields);
}
