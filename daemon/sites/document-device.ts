import type { Identity } from "@fiscald/drivers/fiscal-driver.js";
import type { RegisterId } from "@fiscald/shared/ids.js";
import type { Job } from "../store/job.js";
import type { RegisterStore } from "../store/register-store.js";

export interface Maker {
  readonly register: RegisterId;
  /** Null = never seen. */
  readonly identity: Identity | null;
}

/**
 * Who made a job's document, by the drive that it is on: another device may stand in the place of the job's own by now, and its
 * own may be another register of the config, or be gone. A drive that is on no record was one of the job's own register.
 */
export function makerOf(
  records: Pick<RegisterStore, "find" | "all" | "taxSource">,
  { register, taxRegister, document }: Pick<Job, "register" | "taxRegister" | "document">,
): Maker {
  const identity = records.find(register)?.identity ?? null;
  if (document === null || identity?.fn === document.fn) return { register, identity };
  const holder = records.all().find(({ fn }) => fn === document.fn);
  if (holder !== undefined) return { register: holder.id, identity: holder.identity };
  // As it was when the job was taken in.
  const former = records.taxSource(taxRegister);
  return former?.identity.fn === document.fn
    ? { register: former.id, identity: former.identity }
    : { register, identity };
}
