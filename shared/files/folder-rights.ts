import { statSync } from "node:fs";
import { dirname } from "node:path";

const refusals = ["EACCES", "EPERM", "EROFS"];

/** The code of an error of the system or of a library, such as "ENOSPC" or "SQLITE_BUSY"; "" = it has none. */
export function codeOfError(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
}

export function isForbidden(error: unknown): boolean {
  return refusals.includes(codeOfError(error));
}

/** Says who may write at `path`: rights and owner of the nearest existing folder, and the user of this process. */
export function describeRights(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return dirname(path) === path ? path : describeRights(dirname(path));
  const what = `${stat.isDirectory() ? "folder" : "file"} ${path}`;
  // Windows has neither rights nor owners in this form.
  if (process.geteuid === undefined) return what;
  const rights = (stat.mode & 0o7777).toString(8).padStart(4, "0");
  const asker = `${process.geteuid()}:${process.getegid?.()}`;
  return `${what}: rights ${rights}, owner ${stat.uid}:${stat.gid}; this process is user ${asker}`;
}
