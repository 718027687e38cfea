import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import type { CompileContext } from "../fiscal-driver.js";

export type PaperChoice = { readonly electronic: boolean; readonly warning: string | null };

/** No paper only where the buyer gets the receipt another way (domain 5.5): an address, or an internet settlement. */
export function choosePaper(receipt: SaleReceipt, { printPaper }: Pick<CompileContext, "printPaper">): PaperChoice {
  if (receipt.printDoc && printPaper) return { electronic: false, warning: null };
  if (receipt.contact !== null || receipt.internet !== null) return { electronic: true, warning: null };
  return {
    electronic: false,
    warning: "no paper was asked for, but there is no contact to send the receipt to: printed",
  };
}
