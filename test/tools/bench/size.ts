/** What a site installs with the kit, without a store: its packages and their files. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { z } from "zod";
import { root } from "../../support/read-imports.js";
import { type Figure, toFigure } from "./measuring/figure.js";

const manifestSchema = z.object({
  name: z.string(),
  dependencies: z.record(z.string(), z.string()).default({}),
});

const ofStores: ReadonlySet<string> = new Set(["kysely", "pg"]);

export async function run(): Promise<readonly Figure[]> {
  const folders = packagesOf(join(root, "handlers"));
  const bytes = [...folders].reduce((sum, folder) => sum + sizeOf(folder), 0);
  return [
    toFigure({ name: "packages of the kit", figure: folders.size, unit: "packages", atMost: 40 }),
    toFigure({
      name: "files of the kit",
      figure: bytes / 1e6,
      unit: "MB",
      atMost: 8,
      note: "without Kysely, pg and SQLite's library",
    }),
  ];
}

/** The folders of a package and of all packages that it depends on, but those of stores. */
function packagesOf(folder: string, found: Set<string> = new Set()): ReadonlySet<string> {
  if (found.has(folder)) return found;
  found.add(folder);
  const { dependencies } = manifestSchema.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
  for (const name of Object.keys(dependencies)) if (!ofStores.has(name)) packagesOf(folderOf(name, folder), found);
  return found;
}

function folderOf(name: string, from: string): string {
  const places = createRequire(join(from, "package.json")).resolve.paths(name) ?? [];
  const place = places.map((place) => join(place, name)).find((one) => statSync(one, { throwIfNoEntry: false }));
  if (place === undefined) throw new Error(`${name}, which ${from} needs, is not installed`);
  return place;
}

/** Bytes of a package's files; of this product without the sources that npm leaves out. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? sum : sum + sizeOf(path);
    return isLeftOut(entry.name) ? sum : sum + statSync(path).size;
  }, 0);
}

function isLeftOut(name: string): boolean {
  return name.endsWith(".tsbuildinfo") || name.endsWith(".map") || (name.endsWith(".ts") && !name.endsWith(".d.ts"));
}
