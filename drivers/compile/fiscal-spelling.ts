/** A receipt's texts on a register with an 8-bit code page. */
import { Fault } from "@fiscald/shared/fault.js";
import { itemsOf, type SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { type CodePage, charactersLost } from "../codec/code-pages.js";

/** `spell`: a text as the register holds it. Fault `receipt.unsupported`: an address with other letters is another address, and the receipt would go to a stranger. */
export function requireExactAddresses({ contact, internet }: SaleReceipt, spell: (text: string) => string): void {
  for (const [place, text] of [
    ["contact", contact],
    ["internet.url", internet?.url ?? null],
  ] as const) {
    if (text === null || spell(text) === text.normalize("NFC")) continue;
    const message = `${place} "${text}" has letters that the register cannot hold: it would become "${spell(text)}"`;
    throw new Fault("receipt.unsupported", { message, place });
  }
}

/** One warning for each name with letters that the register cannot write. */
export function respeltNames(receipt: SaleReceipt, page: CodePage): readonly string[] {
  return itemsOf(receipt).flatMap(({ name }) => {
    const lost = charactersLost(name, page);
    return lost === "" ? [] : [`"${name}": the register has no ${lost} and writes ? instead`];
  });
}
