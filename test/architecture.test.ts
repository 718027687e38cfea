import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { driverNames } from "@fiscald/drivers/registry.js";
import { readExports } from "./support/read-exports.js";
import { type ImportEdge, listFiles, listSources, readImports, root } from "./support/read-imports.js";

const edges = readImports();
const makers: readonly string[] = driverNames;

/** What a package may import. The drivers and the daemon load the emulators only when they need them. */
const packageMayImport: Record<string, readonly string[]> = {
  shared: [],
  emulators: ["shared"],
  drivers: ["shared", "emulators"],
  handlers: ["shared"],
  daemon: ["shared", "drivers"],
};

/** Each library is imported in one place only, so that it can be replaced there. */
const homes: Record<string, RegExp> = {
  serialport: /^drivers\/(transport\/serial-(transport|ports)|emulators\/wire\/serve)\.ts$/,
  "better-sqlite3": /^(daemon|handlers)\/store\/|^shared\/optional-package\.ts$/,
  winston: /^daemon\/logging\//,
  "winston-daily-rotate-file": /^daemon\/logging\//,
  "node-cron": /^daemon\/registers\/shift\/shift-close-schedule\.ts$/,
  express: /^(handlers|daemon\/console)\//,
  // Two packages that are installed apart have two copies of commander, whose classes differ.
  commander: /^shared\/command-line\.ts$/,
  pg: /^handlers\/store\//,
};

/** Folders of test tools; "." means a folder's own files. Each uses itself and the folders to its right. */
const rooms: Record<string, readonly (readonly string[])[]> = {
  "test/tools": [["bench", "campaign", "money-model", "two-nodes"], ["."]],
  "test/tools/bench": [["."], ["servers"], ["measuring"]],
  "test/tools/campaign": [["."], ["parts"], ["cases"], ["worlds"], ["sites"], ["judging"], ["plan"], ["processes"]],
};

/**
 * The floors of a package from the bottom up: a floor uses only itself and the floors before it, types included. A
 * floor is a folder without its subfolders ("." for the package's own files), a folder with all subfolders ("cli/*"),
 * or one file that stands apart from its folder. "|" joins parts of one floor.
 */
const floors: Record<string, readonly string[]> = {
  shared: [
    "files",
    "fault-codes",
    ".",
    "receipt/texts",
    "exchange/answer-texts.ts|exchange/order-problem.ts",
    "receipt",
    "exchange",
    "http",
    "outbox",
    "paper",
    "receipt/formats",
    "receipt/repeats",
    "site-check",
  ],
  emulators: [
    "memory|paper",
    "wire",
    "faults/fault-spec.ts",
    "device",
    "wire/serve.ts",
    "faults",
    "control",
    "reference",
    "atol",
    ...["shtrih", "pirit"].flatMap((maker) => [maker, `${maker}/commands`, `${maker}/emulator.ts`]),
    ".",
  ],
  drivers: [
    "transport",
    "framing",
    ".",
    "link",
    "codec",
    "compile",
    "reference",
    ...["atol", "pirit", "shtrih"].flatMap((maker) => [
      `${maker}/options.ts`,
      `${maker}/protocol`,
      `${maker}/compile`,
      `${maker}/read`,
      maker,
    ]),
    "registry.ts",
    "discover",
  ],
  daemon: [
    "messages/rows.ts",
    "messages/reasons",
    "messages/texts/troubles",
    "messages/texts",
    "messages",
    "config",
    "logging",
    "store/job.ts",
    "store/rows",
    "store/database",
    "store",
    "sites",
    "registers",
    "registers/shift",
    "registers/recovery",
    "registers/printing",
    "registers/actor",
    "registers/operator",
    "dispatch",
    "intake",
    "corrections",
    "setup",
    "console/*",
    "console/page/*",
    "alerts",
    ".",
    "cli/*",
    "main.ts",
  ],
  handlers: [
    "store",
    "receipts",
    "http",
    "print-server",
    "print-server/receipts",
    "print-server/http",
    "delivery/store",
    "delivery/http",
    "delivery/catalog",
    "delivery/backend",
    "delivery/orders",
    "delivery/callbacks",
    "delivery/account",
    "delivery/refunds",
    "delivery/settling",
    "delivery/changes",
    "delivery/couriers",
    "delivery/endpoints",
    "delivery/openapi",
    "delivery",
    "sidecar",
    "demo-shop",
    "sandbox",
    "cli",
    ".",
  ],
};

/** Folders of makers and of languages: files in two parallel folders may export the same names. */
const parallels = [
  new RegExp(`^drivers/(?:emulators/)?(${makers.join("|")})/`),
  /^daemon\/messages\/(english|russian)\//,
];

const top = (path: string) => path.split("/")[0] ?? "";
const show = (edge: ImportEdge) => `${edge.from} -> ${edge.to}`;
const isEmulator = (path: string) => path.startsWith("drivers/emulators/");
const packageOf = (path: string) => (isEmulator(path) ? "emulators" : top(path));
const folderOf = (name: string) => (name === "emulators" ? "drivers/emulators" : name);
const sourcesOf = (name: string) => listSources(folderOf(name)).filter((path) => packageOf(path) === name);
const roomOf = (path: string, parent: string) => /^([^/]+)\//.exec(path.slice(parent.length + 1))?.[1] ?? ".";
const own = edges.filter((edge) => !edge.foreign);
const ofTools = readImports(["test/tools"]).filter((edge) => !edge.foreign);

test("a package imports only the packages below it, types included", () => {
  const wrong = own.filter((edge) => {
    const [from, to] = [packageOf(edge.from), packageOf(edge.to)];
    return from !== to && !(packageMayImport[from] ?? []).includes(to);
  });
  expect(wrong.map(show)).toEqual([]);
});

test("no maker's driver or emulator imports another maker's", () => {
  const makerOf = (path: string) => /^drivers\/(?:emulators\/)?([a-z]+)\//.exec(path)?.[1] ?? "";
  const wrong = own.filter(({ from, to }) => {
    const both = [makerOf(from), makerOf(to)];
    return both.every((name) => makers.includes(name)) && both[0] !== both[1];
  });
  expect(wrong.map(show)).toEqual([]);
});

test("a folder of test helpers imports only the folders to its right in the list, and none to its left", () => {
  const wrong = Object.entries(rooms).flatMap(([parent, order]) => {
    const level = (path: string) => order.findIndex((names) => names.includes(roomOf(path, parent)));
    const inside = ofTools.filter(({ from, to }) => from.startsWith(`${parent}/`) && to.startsWith(`${parent}/`));
    return inside.filter(({ from, to, typeOnly }) => !typeOnly && !(level(from) <= level(to) && level(from) >= 0));
  });
  expect(wrong.map(show)).toEqual([]);
});

test.each(Object.entries(floors))("every folder of %s imports only lower layers, types included", (name, order) => {
  const parts = order.map((floor) => floor.split("|"));
  const floorNamed = (part: string) => parts.findIndex((floor) => floor.includes(part));
  const floorOf = (path: string) => {
    const file = path.slice(folderOf(name).length + 1);
    const [folder = ".", ...above] = foldersAbove(file).toReversed();
    const named = [file, folder, ...[folder, ...above].map((each) => `${each}/*`)].map(floorNamed);
    return named.find((floor) => floor !== -1) ?? -1;
  };
  expect(sourcesOf(name).filter((path) => floorOf(path) === -1)).toEqual([]);
  const used = new Set(sourcesOf(name).map(floorOf));
  expect(order.filter((_, floor) => !used.has(floor))).toEqual([]);
  const inside = own.filter(({ from, to }) => packageOf(from) === name && packageOf(to) === name);
  expect(inside.filter(({ from, to }) => floorOf(from) < floorOf(to)).map(show)).toEqual([]);
});

test("no files import each other in a circle, types included", () => {
  const next = new Map<string, string[]>();
  for (const { from, to } of own) next.set(from, [...(next.get(from) ?? []), to]);
  expect(findCircles(next)).toEqual([]);
});

test.each(Object.keys(floors))(
  "no two files of %s export the same name, except parallel files of two makers",
  (name) => {
    const twice = [...readExports(folderOf(name))].flatMap(([exported, all]) => {
      const files = all.filter((path) => packageOf(path) === name);
      const isParallel = parallels.some((sides) => {
        const side = files.map((path) => sides.exec(path)?.[1]);
        return !side.includes(undefined) && new Set(side).size === files.length;
      });
      return files.length > 1 && !isParallel ? [[exported, files]] : [];
    });
    expect(twice).toEqual([]);
  },
);

test("no folder of sources holds more than 15 files", () => {
  const files = new Map<string, number>();
  for (const path of ["shared", "drivers", "daemon", "handlers", "test/tools"].flatMap(listSources)) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    files.set(folder, (files.get(folder) ?? 0) + 1);
  }
  const full = [...files].filter(([, count]) => count > 15);
  expect(full).toEqual([]);
});

test("the emulators are imported from the registry of drivers alone, and lazily", () => {
  const reaching = own.filter((edge) => isEmulator(edge.to) && !isEmulator(edge.from));
  expect(reaching.filter((edge) => !edge.lazy || edge.from !== "drivers/registry.ts").map(show)).toEqual([]);
});

test("an idle daemon has not loaded what only the page, the metrics, mail or a serial port need", () => {
  const loaded = new Set(["daemon/main.ts", "daemon/cli/commands/run.ts", "drivers/transport/tcp-transport.ts"]);
  for (const path of loaded) {
    for (const { from, to, typeOnly, lazy } of edges) if (from === path && !typeOnly && !lazy) loaded.add(to);
  }
  const late = ["express", "helmet", "express-rate-limit", "prom-client", "nodemailer", "serialport", "pngjs"];
  expect(loaded).toContain("node:http");
  expect(late.filter((library) => loaded.has(library))).toEqual([]);
});

test("each foreign library is imported only in the place that is listed for it", () => {
  const wrong = edges.filter((edge) => {
    const home = edge.foreign ? homes[edge.to] : undefined;
    return home !== undefined && !edge.typeOnly && !home.test(edge.from);
  });
  expect(wrong.map(show)).toEqual([]);
});

test("no folder except the handlers' two entries has an index.ts", () => {
  const barrels = ["shared", "drivers", "daemon", "handlers"]
    .flatMap(listSources)
    .filter((path) => /\/index\.ts$/.test(path));
  const allowed = ["handlers/index.ts", "handlers/delivery/index.ts"];
  expect(barrels.filter((path) => !allowed.includes(path))).toEqual([]);
});

function findCircles(next: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    const seenAt = path.indexOf(file);
    if (seenAt !== -1) {
      circles.push([...path.slice(seenAt), file].join(" -> "));
      return;
    }
    if (done.has(file)) return;
    for (const target of next.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of next.keys()) visit(file, []);
  return circles;
}

/** Folders whose files are not named one by one: a line of the parent's README describes the folder as a whole. */
const describedAsAWhole =
  /^(daemon\/registers\/recovery|shared\/fault-codes|drivers\/emulators\/(shtrih|pirit)\/commands)\//;

test("the README of each room names the files of that room and no others", () => {
  const isSuite = (path: string) => path.endsWith(".test.ts");
  const sources = ["shared", "drivers", "daemon", "handlers", "test/tools"]
    .flatMap(listSources)
    .filter((path) => !isSuite(path));
  const readmes = new Map<string, readonly string[]>();
  for (const folder of new Set(sources.flatMap(foldersAbove))) {
    const path = join(root, folder, "README.md");
    if (!existsSync(path)) continue;
    const rows = readFileSync(path, "utf8").matchAll(/^\| ((?:`[\w*-]+\.tsx?`(?:, )?)+) *\|/gm);
    readmes.set(
      folder,
      [...rows].flatMap(([, names = ""]) => [...names.matchAll(/`([\w*-]+\.tsx?)`/g)].map(([, name = ""]) => name)),
    );
  }
  const isNamed = (path: string, name: string) =>
    new RegExp(`/${name.replaceAll(".", "\\.").replaceAll("*", "[\\w-]*")}$`).test(path);
  const unnamed = sources.filter((path) => {
    const names = foldersAbove(path).flatMap((folder) => readmes.get(folder) ?? []);
    const commands = /\/protocol\/[a-z]+-commands\.ts$/;
    const isWhole = describedAsAWhole.test(path) || commands.test(path) || /^\w+\/[\w-]+\.ts$/.test(path);
    return !isWhole && !names.some((name) => isNamed(path, name));
  });
  const gone = [...readmes].flatMap(([folder, names]) =>
    names
      .filter((name) => !sources.some((path) => path.startsWith(`${folder}/`) && isNamed(path, name)))
      .map((name) => `${folder}/README.md: ${name}`),
  );
  expect({ unnamed, gone }).toEqual({ unnamed: [], gone: [] });
});

/** Turns `daemon/store/rows/columns.ts` into the three folders that contain it. */
function foldersAbove(path: string): readonly string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

test("ARCHITECTURE.md names only files that exist", () => {
  const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  const paths = [...text.matchAll(/`((?:shared|drivers|daemon|handlers|test)\/[\w./-]+\.ts)`/g)].map(
    ([, path = ""]) => path,
  );
  expect(paths.length).toBeGreaterThan(30);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("a comment cites only existing sections of docs/54-fz.md and docs/exactly-once.md", () => {
  const sectionsOf = (page: string, form: RegExp) =>
    new Set([...readFileSync(join(root, page), "utf8").matchAll(form)].map(([, number = ""]) => number));
  const sections = {
    "54-fz": sectionsOf("docs/54-fz.md", /^## (\d+)\./gm),
    "exactly-once": sectionsOf("docs/exactly-once.md", /^(\d+)\. /gm),
  };
  const wrong = ["shared", "drivers", "daemon", "handlers", "test"].flatMap(listSources).flatMap((path) => {
    const text = readFileSync(join(root, path), "utf8");
    const cited = [...text.matchAll(/\b(54-fz|exactly-once) (\d+(?:(?:, | and | to )\d+)*)/g)].flatMap(
      ([, page = "", numbers = ""]) => (numbers.match(/\d+/g) ?? []).map((number) => [page, number] as const),
    );
    const gone = cited.filter(
      ([page, number]) => !(page === "54-fz" ? sections["54-fz"] : sections["exactly-once"]).has(number),
    );
    const elsewhere = text.match(/\b(?:design|domain|interfaces|house)\.md\b|\bdomain \d|\bprotocols\/\w/g) ?? [];
    return [...gone.map((each) => each.join(" ")), ...elsewhere].map((what) => `${path}: ${what}`);
  });
  expect(wrong.filter((line) => !line.startsWith("test/architecture.test.ts:"))).toEqual([]);
});

const roots = ["shared", "drivers", "daemon", "handlers", "test", "scripts"];

test("prose in the Markdown pages stays within 120 characters a line", () => {
  const isPage = (name: string) => name.endsWith(".md");
  const pages = [...readdirSync(root).filter(isPage), ...roots.flatMap((folder) => listFiles(folder, isPage))];
  const long = pages.flatMap((page) => {
    let isCode = false;
    return readFileSync(join(root, page), "utf8")
      .split("\n")
      .flatMap((line, index) => {
        if (line.trimStart().startsWith("```")) isCode = !isCode;
        const isProse = !isCode && !/^(\||#|<| {4}|\[[^\]]+\]: |`[^`]*`$)/.test(line);
        return isProse && line.length > 120 ? [`${page}:${index + 1}`] : [];
      });
  });
  expect(long).toEqual([]);
});
