import type { Capabilities } from "@fiscald/drivers/fiscal-driver.js";
import { toFault } from "@fiscald/shared/fault.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { loadTextPainter, type PaintText } from "@fiscald/shared/paper/paint-text.js";
import { plainStyle, type Receipt, type TextLine } from "@fiscald/shared/receipt/receipt.js";

/**
 * The painter, where the register draws what its fonts lack and the order may need it; else null: most shops print
 * plain texts and never load it. When it cannot be loaded the receipt is printed with plain texts.
 */
export async function painterFor(
  receipt: Receipt,
  { paper }: Capabilities,
  log: Logger,
  load: () => Promise<PaintText> = loadTextPainter,
): Promise<PaintText | null> {
  const wanted = receipt.lines.some((line) => line.type === "text" && hasTextStyle(line));
  if (!wanted || paper?.drawsText !== true) return null;
  try {
    return await load();
  } catch (error) {
    log.warn("texts are printed plain", { order: receipt.orderId, fault: toFault(error, "internal") });
    return null;
  }
}

function hasTextStyle({ style }: TextLine): boolean {
  const { font, bold, italic, doubleHeight, underline, overline, negative, rotation } = style;
  return (
    font !== plainStyle.font ||
    rotation !== 0 ||
    [bold, italic, doubleHeight, underline, overline, negative].some((look) => look)
  );
}
