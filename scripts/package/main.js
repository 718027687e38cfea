// npm run package [-- linux deb windows npm list]: what is installed on tills and sites, into out/, with checksums.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { layArchive, layDeb, makeArchive, makeDeb } from "./linux.js";
import { filesOf, openStaging, root, run, runBeside, sizeOf } from "./stage.js";
import { addLaunchers, makeSetup } from "./windows.js";

const kinds = ["linux", "deb", "windows", "npm", "list"];
/** `--build`: the product is built from nothing first, once it is known that the packages can be made. */
const isBuilt = !process.argv.includes("--build");
const asked = process.argv.slice(2).filter((word) => word !== "--build");
const unknown = asked.filter((kind) => !kinds.includes(kind));
if (unknown.length > 0) {
  console.error(`${unknown.join(", ")}: say ${kinds.join(", ")}, or nothing for all`);
  process.exit(2);
}
const isAsked = (...those) => asked.length === 0 || those.some((kind) => asked.includes(kind));

const out = process.env.FISCALD_PACKAGE_OUT ?? join(root, "out");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
/** Of all files in an archive, so that it does not depend on when it was made. */
const time = Date.UTC(2026, 0, 1) / 1000;
const isForTills = isAsked("linux", "deb", "windows", "list");
/** By their Debian packages. */
const needed = {
  ...{ "dpkg-deb": isAsked("deb") && "dpkg", makensis: isAsked("windows") && "nsis", tar: isForTills && "tar" },
  "x86_64-linux-gnu-strip": isAsked("linux", "deb", "list") && "binutils",
  "aarch64-linux-gnu-strip": isAsked("deb", "list") && "binutils-aarch64-linux-gnu",
};
const folders = (process.env.PATH ?? "").split(delimiter);
const missing = Object.entries(needed).filter(
  ([program, debian]) => debian && !folders.some((folder) => existsSync(join(folder, program))),
);
const lacks = [
  ...missing.map(([program, debian]) => `${program} is missing: apt-get install ${debian}`),
  ...(existsSync(join(root, "node_modules/typescript")) ? [] : ["the packages of npm are missing: npm ci"]),
  ...(isForTills && `${process.platform} ${process.arch}` !== "linux x64" ? ["this needs Linux on x64"] : []),
];
if (lacks.length > 0) {
  console.error(lacks.join("\n"));
  process.exit(1);
}
if (!isBuilt) {
  for (const script of ["clean.js", "build.js"]) {
    execFileSync(process.execPath, [join(root, "scripts", script)], { cwd: root, stdio: "inherit" });
  }
}
const work = mkdtempSync(join(tmpdir(), "fiscald-package-"));
/** Only what is whole comes into `out`. */
const made = join(work, "made");
mkdirSync(made);

try {
  const stage = openStaging(work);
  const staged = async (platform) => {
    const folder = join(work, platform);
    await stage(platform, folder);
    return folder;
  };
  const parts = await Promise.allSettled([
    isAsked("windows", "list") && staged("windows-x64").then(packWindows),
    isAsked("linux", "deb", "list") && staged("linux-x64").then(packLinux),
    isAsked("deb", "list") && staged("linux-arm64").then((folder) => packDeb("arm64", folder)),
    isAsked("npm") && runBeside("npm", ["pack", "--workspaces", "--pack-destination", made, "--silent"], root),
  ]);
  // The others have ended too: none goes on without its folder.
  for (const part of parts) if (part.status === "rejected") throw part.reason;
  // What an earlier version has left is not listed with this one.
  if (asked.length === 0 && process.env.FISCALD_PACKAGE_OUT === undefined)
    rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  run("mv", [...readdirSync(made).map((name) => join(made, name)), out], work);
  writeChecksums();
} finally {
  rmSync(work, { recursive: true, force: true });
}

function packWindows(staged) {
  const target = join(made, `fiscald-${version}-windows-x64-setup.exe`);
  addLaunchers(staged);
  note("windows-x64", staged);
  return isAsked("windows") && makeSetup({ staged, work, target, version });
}

function packLinux(staged) {
  return Promise.all([packArchive(staged), packDeb("amd64", staged)]);
}

function packArchive(staged) {
  if (!isAsked("linux", "list")) return;
  const folder = join(work, `fiscald-${version}-linux-x64`);
  const target = join(made, `fiscald-${version}-linux-x64.tar.gz`);
  layArchive({ staged, folder });
  note("linux-x64", folder);
  return isAsked("linux") && makeArchive({ folder, target, time });
}

async function packDeb(arch, staged) {
  if (!isAsked("deb", "list")) return;
  const folder = join(work, `deb-${arch}`);
  const target = join(made, `fiscald_${version}_${arch}.deb`);
  await layDeb({ staged, folder, version, arch });
  note(`deb-${arch}`, folder);
  if (isAsked("deb")) await makeDeb({ folder, target, time });
}

/** Of all that is packed, what is written here too. The list of files with their checksums is the same for each build of one commit. */
function note(kind, folder) {
  const lines = filesOf(folder).map((path) => `${sha256(join(folder, path))}  ${path}`);
  writeFileSync(join(made, `fiscald-${version}-${kind}.files`), `${lines.join("\n")}\n`);
  console.log(`${kind}: ${lines.length} files, ${megabytes(sizeOf(folder))} installed: ${partsOf(folder)}`);
}

/** What makes up the size: each part of more than a megabyte, the largest first. */
function partsOf(folder) {
  const sizes = new Map();
  for (const path of filesOf(folder)) {
    const [, part = "Node"] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
    sizes.set(part, (sizes.get(part) ?? 0) + lstatSync(join(folder, path)).size);
  }
  const [large, small] = [[], []];
  for (const part of [...sizes].sort(([, a], [, b]) => b - a)) (part[1] > 1e6 ? large : small).push(part);
  const rest = small.reduce((sum, [, size]) => sum + size, 0);
  const named = large.map(([name, size]) => `${name} ${megabytes(size)}`);
  return [...named, `${small.length} more packages ${megabytes(rest)}`].join(", ");
}

function writeChecksums() {
  const names = readdirSync(out)
    .filter((name) => name !== "SHA256SUMS")
    .sort();
  writeFileSync(join(out, "SHA256SUMS"), names.map((name) => `${sha256(join(out, name))}  ${name}\n`).join(""));
  for (const name of names) console.log(`${megabytes(statSync(join(out, name)).size).padStart(9)}  ${name}`);
}

function sha256(path) {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
