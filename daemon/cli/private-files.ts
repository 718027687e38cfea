import { chmodSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { backupFolder } from "../store/database/nightly-maintenance.js";

/** Orders contain names and contacts. Existing folders are not changed, because they may be shared on purpose. */
export function keepFilesPrivate({
  database,
  log,
}: {
  readonly database: string;
  readonly log: { readonly folder: string };
}): void {
  process.umask(0o077);
  const ofDatabase = (name: string) => name.startsWith(basename(database));
  closeToOthers(dirname(database), ofDatabase);
  closeToOthers(backupFolder(database), (name) => name.startsWith("fiscald-"));
  closeToOthers(log.folder, (name) => name.startsWith("fiscald-"));
}

function closeToOthers(folder: string, isOurs: (name: string) => boolean): void {
  for (const name of namesIn(folder).filter(isOurs)) {
    try {
      const path = join(folder, name);
      const stat = statSync(path);
      if (stat.isFile() && (stat.mode & 0o077) !== 0) chmodSync(path, 0o600);
    } catch {
      // The file belongs to another user or was just removed. The daemon starts nevertheless.
    }
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
