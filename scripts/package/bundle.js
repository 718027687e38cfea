// Joins the daemon and the packages that are only JavaScript into about 140 files: a till's daemon starts sooner
// and needs less memory. Nothing is minified, because a log may quote names.
// node scripts/package/bundle.js makes the till's program of this checkout, daemon/program, to test and to measure it.
import { cpSync, readdirSync, renameSync, rmSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { packagesOf } from "./prune.js";

/** Packages that have native code, or whose files are looked up. */
const apart = [
  "@expo-google-fonts/pt-mono",
  "@resvg/resvg-wasm",
  "@serialport/parser-readline",
  "better-sqlite3",
  "bwip-js",
  "serialport",
];
/** Modules of the daemon that are started by their path. */
const started = ["main", "registers/printing/picture-worker", "store/database/integrity-worker"];

/** Joins what is installed in `app`. Of a package that is joined its package.json stays: `doctor` names its version. */
export async function joinPackages(app) {
  const modules = join(app, "node_modules");
  const daemon = join(modules, "@fiscald/daemon");
  const program = join(daemon, "program");
  await bundle({ daemon, out: program });
  rmSync(join(daemon, "dist"), { recursive: true });
  renameSync(program, join(daemon, "dist"));

  const installed = packagesOf(modules);
  const whole = new Set(["@fiscald/daemon"]);
  const keep = (name) => {
    if (whole.has(name)) return;
    whole.add(name);
    for (const one of installed) if (one.name === name) Object.keys(one.dependencies ?? {}).forEach(keep);
  };
  apart.forEach(keep);
  for (const { folder } of installed.filter(({ name }) => !whole.has(name))) {
    for (const entry of readdirSync(folder)) {
      if (entry !== "package.json" && entry !== "node_modules") rmSync(join(folder, entry), { recursive: true });
    }
  }
}

/** Writes the built daemon of the package in the folder `daemon` to `out`, which lies directly in that folder. */
export async function bundle({ daemon, out }) {
  const dist = join(daemon, "dist");
  const require = createRequire(new URL("../../daemon/package.json", import.meta.url));
  const { build } = await import(pathToFileURL(require.resolve("vite")).href);
  const files = Object.fromEntries(started.map((name) => [name, join(dist, `${name}.js`)]));
  const rasterizer = createRequire(join(dist, "main.js")).resolve("@fiscald/shared/paper/rasterizer.js");
  await build({
    configFile: false,
    logLevel: "warn",
    root: daemon,
    plugins: [keepPlaces(dist), takeByName()],
    // Of each package the file is taken that Node itself would take.
    environments: { ssr: { resolve: { noExternal: true, external: apart, mainFields: [], conditions: ["node"] } } },
    build: {
      ...{ ssr: true, target: "node20", outDir: out, emptyOutDir: true, minify: false },
      rolldownOptions: {
        // Comments name each module's place from here: two builds are the same and name no folder of their machine.
        cwd: daemon,
        // A till does not have them, and the daemon says so when a config names one.
        external: /^@fiscald\/emulators\//,
        // `small-heap` runs before the others only as a file of its own. By its name `load-all.js` finds the rasterizer.
        input: { "small-heap": join(dist, "small-heap.js"), ...files, rasterizer },
        output: {
          entryFileNames: "[name].js",
          chunkFileNames: "[name]-[hash].js",
          comments: { jsdoc: false },
          // V8 keeps a source that has one Russian letter in twice its size.
          charset: "ascii",
        },
      },
    },
  });
  cpSync(join(dist, "console/page"), join(out, "console/page"), { recursive: true });
}

/**
 * A module that looks for a file beside itself finds it from the file that it has become part of. That file must lie
 * directly in the output folder, so no module that only a worker loads may look for a file.
 */
function keepPlaces(dist) {
  return {
    name: "keep-places",
    transform(code, id) {
      if (!code.includes("import.meta.url") || id.startsWith("\0")) return null;
      const place = JSON.stringify(relative(dist, id));
      return code.replaceAll("import.meta.url", `new URL(${place}, import.meta.url).href`);
    },
  };
}

/**
 * For an `import` Node reads all that its own module exports, and so loads what nobody needs: with `node:http` undici,
 * HTTP/2 and the assertions of tests. What is taken by its name loads nothing else.
 */
function takeByName() {
  return {
    name: "take-by-name",
    renderChunk(code) {
      return code.replace(/^import (?:([\w$]+),? )?(\{.*\} )?from "(.+)";$/gm, (statement, all, some, from) => {
        if (!isBuiltin(from)) return statement;
        if (/\bdefault as\b/.test(some)) throw new Error(`take the default of ${from} by a name: ${statement}`);
        const names = [all, some?.replaceAll(" as ", ": ").trim()].filter((name) => name !== undefined);
        return names.map((name) => `const ${name} = globalThis.process.getBuiltinModule("${from}");`).join(" ");
      });
    },
  };
}

const file = fileURLToPath(import.meta.url);
if (process.argv[1] === file) {
  const daemon = fileURLToPath(new URL("../../daemon", import.meta.url));
  await bundle({ daemon, out: join(daemon, "program") });
}
