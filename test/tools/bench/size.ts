/** What a site installs with the kit, without a store: its packages and their files. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { z } from "zod";
import { root } from "../../support/read-imports.js";
import { type Figure, toFigure } from "./measuring/figure.js";

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  dependencies: z.record(z.string(), z.string()).default({}),
});
/** One list or one object by name: npm has had both. */
const packedSchema = z.record(z.string(), z.object({ unpackedSize: z.number() }));

const ofStores: ReadonlySet<string> = new Set(["kysely", "pg"]);

export async function run(): Promise<readonly Figure[]> {
  const kit = join(root, "handlers");
  const all = packagesOf(kit);
  const express = packagesOf(folderOf("express", kit));
  const beside = new Map([...all].filter(([id]) => !express.has(id)));
  const note = "without Kysely, pg and SQLite's library";
  return [
    toFigure({ name: "packages of the kit", figure: all.size, unit: "packages", atMost: 40, note }),
    toFigure({ name: "packages of the kit beside Express", figure: beside.size, unit: "packages", note }),
    toFigure({ name: "files of the kit", figure: megabytesOf(all), unit: "MB", atMost: 8, note }),
    toFigure({ name: "files of the kit beside Express", figure: megabytesOf(beside), unit: "MB", note }),
  ];
}

/**
 * The folders, by name and version, of a package and of all packages that it depends on, but those of stores. A version
 * that lies here twice, because the tests have another one at the root, lies once at a site.
 */
function packagesOf(folder: string, found: Map<string, string> = new Map()): ReadonlyMap<string, string> {
  const { name, version, dependencies } = manifestSchema.parse(
    JSON.parse(readFileSync(join(folder, "package.json"), "utf8")),
  );
  if (found.has(`${name}@${version}`)) return found;
  found.set(`${name}@${version}`, folder);
  for (const needed of Object.keys(dependencies)) {
    if (!ofStores.has(needed)) packagesOf(folderOf(needed, folder), found);
  }
  return found;
}

function folderOf(name: string, from: string): string {
  const places = createRequire(join(from, "package.json")).resolve.paths(name) ?? [];
  const place = places.map((place) => join(place, name)).find((one) => statSync(one, { throwIfNoEntry: false }));
  if (place === undefined) throw new Error(`${name}, which ${from} needs, is not installed`);
  return place;
}

function megabytesOf(packages: ReadonlyMap<string, string>): number {
  const bytes = [...packages].map(([id, folder]) =>
    id.startsWith("@fiscald/") ? packedSizeOf(folder) : sizeOf(folder),
  );
  return bytes.reduce((sum, size) => sum + size, 0) / 1e6;
}

/** This product's folders hold more than npm would publish. */
function packedSizeOf(folder: string): number {
  const told = execFileSync("npm", ["pack", "--dry-run", "--json"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const packed = Object.values(packedSchema.parse({ ...JSON.parse(String(told)) }));
  return packed.reduce((sum, { unpackedSize }) => sum + unpackedSize, 0);
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? sum : sum + sizeOf(path);
    return sum + statSync(path).size;
  }, 0);
}
