// npm run package [-- linux deb windows npm]: what is installed on tills and sites, into out/, with checksums.
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeArchive, makeDeb } from "./linux.js";
import { filesOf, openStaging, root, run, sizeOf } from "./stage.js";
import { makeSetup } from "./windows.js";

const kinds = ["linux", "deb", "windows", "npm"];
const asked = process.argv.slice(2);
const unknown = asked.filter((kind) => !kinds.includes(kind));
if (unknown.length > 0) {
  console.error(`${unknown.join(", ")}: say ${kinds.join(", ")}, or nothing for all`);
  process.exit(2);
}
const isAsked = (kind) => asked.length === 0 || asked.includes(kind);

const out = process.env.FISCALD_PACKAGE_OUT ?? join(root, "out");
/** A test makes an older version of the same files. */
const version =
  process.env.FISCALD_PACKAGE_VERSION ?? JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;
/** Of all files in an archive, so that it does not depend on when it was made. */
const time = Date.UTC(2026, 0, 1) / 1000;
const work = mkdtempSync(join(tmpdir(), "fiscald-package-"));
mkdirSync(out, { recursive: true });

try {
  const stage = openStaging(work);
  const staged = (platform) => {
    const folder = join(work, platform);
    stage(platform, folder);
    note(platform, folder);
    return folder;
  };
  if (isAsked("linux") || isAsked("deb")) {
    const x64 = staged("linux-x64");
    if (isAsked("linux")) {
      const folder = join(work, `fiscald-${version}-linux-x64`);
      makeArchive({ staged: x64, folder, target: join(out, `fiscald-${version}-linux-x64.tar.gz`), time });
    }
    if (isAsked("deb")) await makeDebs(x64, staged("linux-arm64"));
  }
  if (isAsked("windows")) {
    const target = join(out, `fiscald-${version}-windows-x64-setup.exe`);
    makeSetup({ staged: staged("windows-x64"), work, target, version });
  }
  if (isAsked("npm")) run("npm", ["pack", "--workspaces", "--pack-destination", out, "--silent"], root);
  writeChecksums();
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function makeDebs(x64, arm64) {
  for (const [arch, staged] of [
    ["amd64", x64],
    ["arm64", arm64],
  ]) {
    const target = join(out, `fiscald_${version}_${arch}.deb`);
    await makeDeb({ staged, folder: join(work, `deb-${arch}`), target, version, arch, time });
  }
}

/** The list of files with their checksums is the same for each build of one commit. */
function note(platform, folder) {
  const lines = filesOf(folder).map((path) => `${sha256(join(folder, path))}  ${path}`);
  writeFileSync(join(out, `fiscald-${version}-${platform}.files`), `${lines.join("\n")}\n`);
  console.log(`${platform}: ${lines.length} files, ${megabytes(sizeOf(folder))} installed`);
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
