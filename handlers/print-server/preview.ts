/** The paper of an order before anything is registered: for the site's own pages and tests. */
import { layoutReceipt } from "@fiscald/shared/paper/layout-receipt.js";
import { renderSvg, renderText } from "@fiscald/shared/paper/render.js";
import { type OrderAnswer, toReceipt } from "./order-body.js";

export interface Preview {
  readonly text: string;
  /** A whole SVG document. */
  readonly svg: string;
}

/** `columns`: characters per row of the register, 32, 42 or 48. Throws the fault that the daemon would report. */
export function preview(order: OrderAnswer, { columns = 42 }: { readonly columns?: number } = {}): Preview {
  const rows = layoutReceipt(toReceipt(order, Date.now()), { columns, document: null, tables: null });
  return { text: renderText(rows, { columns }), svg: renderSvg(rows, { columns }) };
}
