import type { RegisterId } from "@fiscald/shared/ids.js";
import type { Job } from "../../store/job.js";
import type { RegisterSettings } from "../register-settings.js";

type Place = Pick<RegisterSettings, "id" | "sites" | "group">;

/**
 * Whether this register may have printed the job's order while another database was in use: an order that names no kkm goes
 * to whichever register of its site asks first, and any other moves within its group. Pure.
 */
export function couldHavePrinted(job: Job, register: RegisterId, places: readonly Place[]): boolean {
  const there = places.find(({ id }) => id === register);
  // The config no longer has it: what it served is not known.
  if (there === undefined || register === job.register) return true;
  const own = places.find(({ id }) => id === job.register);
  if (there.group !== null && own?.group === there.group) return true;
  return job.receipt.kkm === null && job.site !== null && there.sites.includes(job.site);
}
