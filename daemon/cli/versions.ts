import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { arch, cpus, platform, release, totalmem, version } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const packageSchema = z.object({
  version: z.string().default("unknown"),
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});

const ownPackage = fileURLToPath(new URL("../../package.json", import.meta.url));

export function fiscaldVersion(): string {
  return readPackage(ownPackage).version;
}

export function readVersions() {
  return {
    fiscald: fiscaldVersion(),
    node: `${process.version} (modules ${process.versions.modules}, OpenSSL ${process.versions.openssl})`,
    system: `${platform()} ${release()} ${arch()}, ${version()}`,
    memoryMb: Math.round(totalmem() / 1024 / 1024),
    processors: `${cpus().length} x ${cpus()[0]?.model ?? "unknown"}`,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    modules: Object.fromEntries(installedModules()),
  };
}

function namesIn(path: string): readonly string[] {
  const { dependencies, optionalDependencies } = readPackage(path);
  return Object.keys({ ...dependencies, ...optionalDependencies });
}

function installedModules(): readonly (readonly [string, string])[] {
  const drivers = findPackage("@fiscald/drivers", ownPackage);
  const serialPort = drivers === null ? null : findPackage("serialport", drivers);
  const wanted: readonly (readonly [string | null, readonly string[]])[] = [
    [ownPackage, namesIn(ownPackage)],
    [drivers, drivers === null ? [] : namesIn(drivers)],
    [serialPort, ["@serialport/bindings-cpp"]],
  ];
  return wanted.flatMap(([from, names]) =>
    names.map((name) => {
      const path = from === null ? null : findPackage(name, from);
      return [name, path === null ? "not found" : readPackage(path).version] as const;
    }),
  );
}

/** Searches the folders, because `require` fails for packages that do not export their package.json. */
function findPackage(name: string, from: string): string | null {
  const folders = createRequire(from).resolve.paths(name) ?? [];
  return folders.map((folder) => join(folder, name, "package.json")).find((path) => existsSync(path)) ?? null;
}

function readPackage(path: string): z.output<typeof packageSchema> {
  try {
    return packageSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return { version: `unreadable in ${dirname(path)}`, dependencies: {}, optionalDependencies: {} };
  }
}
