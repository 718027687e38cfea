import { writeFileSync } from "node:fs";
import { resolve } from "node:path";

/** A secret that stands in a file of its own, for this user only; `file` is relative to the config. */
export interface SecretFile {
  readonly file: string;
  readonly value: string;
}

/** Never over a file that is there. */
export function writeSecret(folder: string, { file, value }: SecretFile): void {
  writeFileSync(resolve(folder, file), `${value}\n`, { mode: 0o600, flag: "wx" });
}
