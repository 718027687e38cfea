import type { RegisterId } from "@fiscald/shared/ids.js";
import { itemsOf, type Receipt } from "@fiscald/shared/receipt/receipt.js";
import type { Job } from "../store/job.js";
import { registerOfTaxSource } from "../store/tax-table-versions.js";

/** A receipt as it came, and for which register. */
export interface Offer {
  readonly receipt: Receipt;
  readonly register: RegisterId;
}

/**
 * The register whose rows of now a retried job is read by, as a new order is; null = by those it has. Equal ids are meant: the
 * key of a receipt of the kit does not name them. Of another register's offer nothing is known here.
 */
export function taxesOfNow({ receipt, register }: Offer, job: Job): RegisterId | null {
  const isItsOwn = register === job.register || register === registerOfTaxSource(job.taxRegister);
  return isItsOwn && taxIdsOf(receipt) === taxIdsOf(job.receipt) ? register : null;
}

function taxIdsOf(receipt: Receipt): string {
  return JSON.stringify(receipt.kind === "receipt" ? itemsOf(receipt).map(({ tax }) => tax) : []);
}
