import type { Identity } from "@fiscald/drivers/fiscal-driver.js";
import type { RegisterId } from "@fiscald/shared/ids.js";
import type { Job } from "../store/job.js";
import type { RegisterStore } from "../store/register-store.js";

export interface Maker {
  readonly register: RegisterId;
  /** Null = never identified. */
  readonly identity: Identity | null;
}

/**
 * The register that made a job's document, found by the fiscal drive of the document. The job's register may be
 * another device now, or its former device may be another register of the config, or be gone. A drive that is not on
 * record belongs to the job's own register.
 */
export function deviceOfDocument(
  records: Pick<RegisterStore, "find" | "all" | "formerDrive">,
  { register, document }: Pick<Job, "register" | "document">,
): Maker {
  const identity = records.find(register)?.identity ?? null;
  if (document === null || identity?.fn === document.fn) return { register, identity };
  const holder = records.all().find(({ fn }) => fn === document.fn);
  if (holder !== undefined) return { register: holder.id, identity: holder.identity };
  return { register, identity: records.formerDrive(document.fn)?.identity ?? identity };
}
