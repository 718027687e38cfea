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
 * The register whose present rows a retried job uses, as a new order does; null = the job keeps its rows. The offer
 * must name the same tax ids, because the key of a receipt of the kit does not contain them. An offer for another
 * register says nothing about this job.
 */
export function presentTaxesFor({ receipt, register }: Offer, job: Job): RegisterId | null {
  const isItsOwn = register === job.register || register === registerOfTaxSource(job.taxRegister);
  return isItsOwn && taxIdsOf(receipt) === taxIdsOf(job.receipt) ? register : null;
}

function taxIdsOf(receipt: Receipt): string {
  return JSON.stringify(receipt.kind === "receipt" ? itemsOf(receipt).map(({ tax }) => tax) : []);
}
