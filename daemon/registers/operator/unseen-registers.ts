import { Fault } from "@fiscald/shared/fault.js";
import type { Kkm } from "@fiscald/shared/ids.js";
import type { Job } from "../../store/job.js";
import type { Stores } from "../register-context.js";
import type { RegisterSnapshot } from "../register-snapshot.js";
import { doubtOf } from "./resolve-unasked.js";

/**
 * The job's own register is not there under its id. One that nobody has seen may be that very register, renamed while it was
 * off, unless the config expects another number there than the one of the job's drive: no other device is let in, and a
 * drive works with the number that it was registered for and with no other.
 */
export function refuseWhileUnseen(stores: Stores, registers: readonly RegisterSnapshot[], job: Job): void {
  const owner = ownerOfDrive(stores, job);
  const mayBeOwner = ({ expectKkm }: RegisterSnapshot["settings"]) =>
    owner === null || expectKkm === null || expectKkm === owner;
  const unseen = registers.filter(({ identity, settings }) => identity === null && mayBeOwner(settings));
  const [first, ...others] = unseen.map(({ settings }) => settings.id);
  if (first === undefined) return;
  const [who, itself] =
    others.length === 0
      ? [`${first} was never connected and may`, "it"]
      : [`${[first, ...others].join(", ")} were never connected and one may`, "each"];
  const [named, way] =
    owner === null ? ["", ""] : [` (kkm ${owner})`, "give its registration number as expectKkm, or "];
  const message =
    `${who} be the job's register${named} under another id: connect ${itself}; ` +
    `or ${way}take it out of the config, and start fiscald anew`;
  throw new Fault("register.offline", { message, place: first });
}

/** The registration number that is on record with the drive which the job was sent to; null = it is not known. */
function ownerOfDrive(stores: Stores, job: Job): Kkm | null {
  const drive = doubtOf(stores, job)?.baseline.fn;
  const owners = new Set(stores.registers.all().flatMap(({ fn, identity }) => (fn === drive ? [identity.kkm] : [])));
  const [owner = null] = owners;
  return owners.size === 1 ? owner : null;
}
