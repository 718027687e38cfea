import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Fault, messageOf } from "@fiscald/shared/fault.js";
import { flushFolder, writeNewFlushed } from "@fiscald/shared/files/flushed-file.js";
import { describeRights, isForbidden } from "@fiscald/shared/files/folder-rights.js";
import type { Config } from "../config/config-schema.js";
import { parseConfig, readUtf8 } from "../config/load-config.js";

/** Only this user may read the file. `file` is relative to the config's folder. */
export interface SecretFile {
  readonly file: string;
  readonly value: string;
}

export interface NewConfig {
  readonly path: string;
  /** The folder of an installed program's data; null: the data is beside the config. */
  readonly dataFolder: string | null;
  /** An existing config at `path` is kept under this path. */
  readonly oldConfig: string;
  readonly site: Readonly<Record<string, unknown>>;
  readonly registers: readonly Readonly<Record<string, unknown>>[];
  readonly secrets: readonly SecretFile[];
}

/** The daemon's own check of the text comes before anything is written. */
export function writeConfig({ path, dataFolder, oldConfig, site, registers, secrets }: NewConfig): Config {
  const places = dataFolder === null ? { log: {} } : placesIn(dataFolder);
  const log = { ...places.log, language: "ru" };
  const text = `${JSON.stringify({ version: 1, sites: [site], registers, ...places, log }, null, 2)}\n`;
  const folder = dirname(path);
  const values = new Map(secrets.map(({ file, value }) => [resolve(folder, file), value]));
  const config = parseConfig(text, path, {
    folder,
    env: {},
    readFile: (name) => values.get(name) ?? readUtf8(name),
  });
  rewriteConfig(path, text, secrets, oldConfig);
  return config;
}

/** The config is replaced whole or not at all. The former config is kept at `keepAs`. Throws `config.not-written`. */
export function rewriteConfig(path: string, text: string, secrets: readonly SecretFile[], keepAs?: string): void {
  const part = `${path}.part`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    const old = statSync(path, { throwIfNoEntry: false });
    // An existing file is never overwritten.
    for (const { file, value } of secrets) writeNewFlushed(resolve(dirname(path), file), `${value}\n`, 0o600);
    writeFileSync(part, text, { flush: true });
    // A user who could read the old file can read the new one. A new file holds no secret, so the folder's group, to
    // which the service's user belongs, may read it.
    chmodSync(part, old === undefined ? 0o640 : old.mode & 0o777);
    if (old !== undefined && keepAs !== undefined) copyFileSync(path, keepAs);
    renameSync(part, path);
    flushFolder(dirname(path));
  } catch (error) {
    rmSync(part, { force: true });
    const rights = isForbidden(error) ? ` (${describeRights(path)})` : "";
    const message = `${path} cannot be written: ${messageOf(error)}${rights}`;
    throw new Fault("config.not-written", { message, place: path, cause: error });
  }
}

/** Windows checks the rights of a file only when the file is opened. */
export function canRewrite(path: string): boolean {
  try {
    closeSync(openSync(path, "r+"));
    accessSync(dirname(path), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function placesIn(folder: string) {
  return {
    database: join(folder, "fiscald.sqlite"),
    images: { folder: join(folder, "images") },
    console: { tokenFile: join(folder, "console-token") },
    log: { folder: join(folder, "logs") },
  };
}

export function freeName(folder: string, wanted: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    if (!existsSync(resolve(folder, name))) return name;
  }
}
