import type { SiteId } from "@fiscald/shared/ids.js";
import { orderKey } from "@fiscald/shared/receipt/order-key.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";

/** The same for two receipts of a site that only their `receiptId` tells apart; null = no site ordered it. */
export function contentOf({
  site,
  receipt,
}: {
  readonly site: SiteId | null;
  readonly receipt: Receipt;
}): string | null {
  return site === null ? null : orderKey({ site, receipt: { ...receipt, receiptId: null } }).key;
}
