import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { requireLengths as requireIn, type TextFields } from "../../compile/require-lengths.js";
import type { CompileContext } from "../../fiscal-driver.js";
import { spell } from "../protocol/fields.js";

/** Several phones are one field of command 24. */
const fields: TextFields = { spell, joinedPhones: 40 };

export function requireLengths(receipt: SaleReceipt, context: Pick<CompileContext, "mark" | "cashier">): void {
  requireIn(receipt, context, fields);
}
