import { driverNames } from "@fiscald/drivers/registry.js";
import { type ImportEdge, listSources, readImports } from "./support/read-imports.js";

const edges = readImports();
const makers: readonly string[] = driverNames;

/** Left may import right, never the reverse. Folders on one level do not see each other unless named. */
const workspaceMayImport: Record<string, readonly string[]> = {
  shared: [],
  drivers: ["shared"],
  handlers: ["shared"],
  daemon: ["shared", "drivers"],
};

const daemonOrder = [
  ["main.ts", "cli"],
  ["app.ts", "app-options.ts"],
  ["console"],
  ["intake"],
  ["dispatch"],
  ["registers"],
  ["sites"],
  ["store"],
  ["config", "logging"],
];

/** Where a library may be seen; one place each, so that it can be replaced in one place. */
const homes: Record<string, RegExp> = {
  serialport: /^drivers\/transport\/serial-(transport|ports)\.ts$/,
  "better-sqlite3": /^(daemon|handlers)\/store\/|^shared\/sqlite-library\.ts$/,
  winston: /^daemon\/logging\//,
  "winston-daily-rotate-file": /^daemon\/logging\//,
  "node-cron": /^daemon\/registers\/shift-keeper\.ts$/,
  express: /^(handlers|daemon\/console)\//,
  // Installed apart, two packages have two copies: classes of one are unknown to the other.
  commander: /^shared\/command-line\.ts$/,
  pg: /^handlers\/store\//,
};

const top = (path: string) => path.split("/")[0] ?? "";
const second = (path: string) => path.split("/")[1] ?? "";
const show = (edge: ImportEdge) => `${edge.from} -> ${edge.to}`;
const own = edges.filter((edge) => !edge.foreign);

test("workspaces import only along the arrows of the design", () => {
  const wrong = own.filter((edge) => {
    const [from, to] = [top(edge.from), top(edge.to)];
    return from !== to && !(workspaceMayImport[from] ?? []).includes(to);
  });
  expect(wrong.map(show)).toEqual([]);
});

test("inside the daemon left imports right, never the reverse", () => {
  const level = (path: string) => daemonOrder.findIndex((names) => names.includes(second(path)));
  const inside = own.filter((edge) => top(edge.from) === "daemon" && top(edge.to) === "daemon");
  expect(inside.filter((edge) => level(edge.from) === -1 || level(edge.to) === -1).map(show)).toEqual([]);
  expect(inside.filter((edge) => level(edge.from) > level(edge.to)).map(show)).toEqual([]);
});

test("makers never import each other", () => {
  const wrong = own.filter((edge) => {
    const [from, to] = [second(edge.from), second(edge.to)];
    return top(edge.from) === "drivers" && makers.includes(from) && makers.includes(to) && from !== to;
  });
  expect(wrong.map(show)).toEqual([]);
});

test("below a maker nothing knows a maker, except by lazy import", () => {
  const wrong = own.filter((edge) => {
    if (top(edge.from) !== "drivers" || edge.lazy) return false;
    const below = !makers.includes(second(edge.from)) && second(edge.from) !== "registry.ts";
    return below && top(edge.to) === "drivers" && makers.includes(second(edge.to));
  });
  expect(wrong.map(show)).toEqual([]);
});

test("emulators decode by their own reading, never through the driver's encoder", () => {
  const wrong = own.filter(
    (edge) =>
      /^drivers\/(emulator\/|[a-z]+\/emulator)/.test(edge.from) &&
      /^drivers\/([a-z]+\/(?!emulator)[a-z-]*commands?\b|codec\/command-table|framing\/|link\/)/.test(edge.to),
  );
  expect(wrong.map(show)).toEqual([]);
});

test("a maker's emulator knows nothing of its driver: only emulators and shared words", () => {
  const wrong = own.filter(
    ({ from, to, lazy }) =>
      !lazy &&
      makers.includes(second(from)) &&
      /^drivers\/[a-z]+\/emulator/.test(from) &&
      top(to) === "drivers" &&
      !/^drivers\/(emulator\/|[a-z]+\/emulator)/.test(to),
  );
  expect(wrong.map(show)).toEqual([]);
});

test("production code reaches the emulators only by lazy import", () => {
  const isEmulator = (path: string) => /^drivers\/(emulator\/|[a-z]+\/emulator)/.test(path);
  const wrong = own.filter(
    (edge) =>
      isEmulator(edge.to) &&
      !isEmulator(edge.from) &&
      !edge.lazy &&
      !edge.typeOnly &&
      edge.from !== "daemon/cli/commands/emulator.ts",
  );
  expect(wrong.map(show)).toEqual([]);
});

test("each library is seen in its one place", () => {
  const wrong = edges.filter((edge) => {
    const home = edge.foreign ? homes[edge.to] : undefined;
    return home !== undefined && !edge.typeOnly && !home.test(edge.from);
  });
  expect(wrong.map(show)).toEqual([]);
});

test("no import circles", () => {
  const next = new Map<string, string[]>();
  for (const edge of own) {
    if (edge.typeOnly || edge.lazy) continue;
    next.set(edge.from, [...(next.get(edge.from) ?? []), edge.to]);
  }
  expect(findCircles(next)).toEqual([]);
});

test("there is no barrel but the handlers' two", () => {
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
