import { chmodSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { backupFolder } from "../store/database/nightly-maintenance.js";

/**
 * Orders have names and contacts in them: database, copies and logs are for the daemon's user alone, also where no service
 * says so. New files and folders are made so from here on; files that are there are closed to others. Folders stay as they
 * are: one that was there may be shared by intent.
 */
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
      // Of another user, or gone meanwhile: no reason to keep a till from starting.
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
