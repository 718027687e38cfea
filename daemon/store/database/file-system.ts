import { statfsSync } from "node:fs";
import { Fault } from "@fiscald/shared/fault.js";

/** Types of `statfs(2)` whose locks cannot be relied on. FUSE is left out: ordinary local disks come through it too. */
const networkTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xfe534d42, "SMB2"],
  [0xff534d42, "CIFS"],
  [0x564c, "NCP"],
  [0x5346414f, "AFS"],
  [0x6b414653, "AFS"],
  [0x73757245, "Coda"],
  [0x01021997, "9P"],
  [0x00c36400, "Ceph"],
  [0x0bd00bd0, "Lustre"],
  [0x786f4256, "VirtualBox shared folder"],
]);

/** `store.network-file-system` when the folder is not on a disk of this machine: SQLite's locks do not hold there. */
export function refuseNetworkFolder(folder: string, typeOf: (folder: string) => number = fileSystemType): void {
  const name = /^(\\\\|\/\/)[^?.]/.test(folder) ? "network share" : networkTypes.get(typeOf(folder) >>> 0);
  if (name === undefined) return;
  throw new Fault("store.network-file-system", { message: `${folder} is on a network file system (${name})` });
}

function fileSystemType(folder: string): number {
  return statfsSync(folder).type;
}
