/** The files that a till's config names: files that move with config and database, and files that cannot. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { TillFiles } from "../../store/database/move-till.js";

export const CONFIG = "config";
const FILE = "file:";
const PICTURE = "picture:";

/** Keys of the config that name a file made by a person. The daemon makes its console token itself. */
const fileKeys: ReadonlySet<string> = new Set(["fromFile", "caFile", "certFile", "keyFile", "operatorTokenFile"]);
const placeKeys: ReadonlySet<string> = new Set([...fileKeys, "database", "folder", "tokenFile", "statePath"]);

export interface TillPlaces {
  readonly folder: string;
  readonly images: string;
}

export function collectFiles(text: string, { folder, images }: TillPlaces): TillFiles {
  const named = stringsUnder(text, fileKeys).map((name) => [`${FILE}${name}`, resolve(folder, name)] as const);
  const pictures = filesIn(images).map((name) => [`${PICTURE}${name}`, join(images, name)] as const);
  const files = [...named, ...pictures].flatMap(([name, path]) => {
    const data = readIfAny(path);
    return data === null ? [] : [[name, data] as const];
  });
  return new Map([[CONFIG, Buffer.from(text)], ...files]);
}

export function placeFiles(files: TillFiles, { folder, images }: TillPlaces): TillFiles {
  const placed = [...files].flatMap(([name, data]) => {
    if (name.startsWith(FILE)) return [[resolve(folder, name.slice(FILE.length)), data] as const];
    return name.startsWith(PICTURE) ? [[join(images, name.slice(PICTURE.length)), data] as const] : [];
  });
  return new Map(placed);
}

export function secretVariables(text: string): readonly string[] {
  return stringsUnder(text, new Set(["fromEnv"]));
}

/** Finds a path that belongs to another operating system; null: there is none. */
export function foreignPath(text: string, platform: NodeJS.Platform): string | null {
  const foreign = platform === "win32" ? /^\// : /^(?:[a-z]:|\\)[\\/]/i;
  return stringsUnder(text, placeKeys).find((path) => foreign.test(path)) ?? null;
}

export function stringsUnder(text: string, keys: ReadonlySet<string>): readonly string[] {
  const found = new Set<string>();
  JSON.parse(text.replace(/^\uFEFF/, ""), (key, value: unknown) => {
    if (keys.has(key) && typeof value === "string") found.add(value);
    return value;
  });
  return [...found];
}

function filesIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  } catch {
    return [];
  }
}

function readIfAny(path: string): Uint8Array | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
