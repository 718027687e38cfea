// The archive and the Debian package. Both have the same files below one folder; times and owners are fixed, names sorted.
import { chmodSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { filesOf, fillTemplate, root, run, runBeside, sizeOf } from "./stage.js";

const templates = join(root, "scripts/package/debian");
const HOME = "/usr/lib/fiscald";
const MAINTAINER = "fiscald <fiscald@localhost.invalid>";
const MAIN = "app/node_modules/@fiscald/daemon/bin/fiscald.js";

/** Unpacked anywhere, `bin/fiscald` runs. */
export function layArchive({ staged, folder }) {
  cpSync(staged, folder, { recursive: true });
  mkdirSync(join(folder, "bin"));
  writeFileSync(
    join(folder, "bin/fiscald"),
    `#!/bin/sh\nhere=$(dirname "$(readlink -f "$0")")/..\nexec "$here/node" "$here/${MAIN}" "$@"\n`,
    { mode: 0o755 },
  );
}

export async function makeArchive({ folder, target, time }) {
  const sorted = ["--sort=name", `--mtime=@${time}`, "--owner=0", "--group=0", "--numeric-owner"];
  await runBeside("tar", [...sorted, "-czf", target, "-C", join(folder, ".."), folder.split("/").at(-1)], root);
}

/** `arch` as Debian names it. */
export async function layDeb({ staged, folder, version, arch }) {
  const home = join(folder, HOME);
  mkdirSync(home, { recursive: true });
  cpSync(staged, home, { recursive: true });
  const write = (path, text, mode = 0o644) => {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text, { mode });
    chmodSync(join(folder, path), mode);
  };
  const values = { HOME, MAIN: `${HOME}/${MAIN}`, VERSION: version, ARCH: arch };
  const fill = (name, path, mode) => {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    fillTemplate(join(templates, name), join(folder, path), values, mode);
    chmodSync(join(folder, path), mode ?? 0o644);
  };
  fill("fiscald.sh", "usr/bin/fiscald", 0o755);
  write("usr/lib/systemd/system/fiscald.service", await unit());
  fill("lintian-overrides", "usr/share/lintian/overrides/fiscald");
  const doc = "usr/share/doc/fiscald";
  fill("copyright", `${doc}/copyright`);
  const changelog = `fiscald (${version}) stable; urgency=medium\n\n  * See the project's CHANGELOG.md.\n\n`;
  const signature = ` -- ${MAINTAINER}  Thu, 01 Jan 2026 00:00:00 +0000\n`;
  write(`${doc}/changelog.gz`, gzipSync(changelog + signature, { level: 9 }));
  const daemon = "app/node_modules/@fiscald/daemon";
  const guides = filesOf(join(home, daemon)).filter((path) => /^([A-Z]+|docs\/.*)\.md$/.test(path));
  for (const [path, target] of [["NOTICES.txt", "NOTICES.txt"], ...guides.map((path) => [path, `${daemon}/${path}`])]) {
    mkdirSync(join(folder, doc, path, ".."), { recursive: true });
    symlinkSync(relative(join("/", doc, path, ".."), join(HOME, target)), join(folder, doc, path));
  }
  for (const name of ["postinst", "prerm", "postrm"]) fill(name, `DEBIAN/${name}`, 0o755);
  const kilobytes = Math.ceil(sizeOf(folder) / 1024);
  write("DEBIAN/control", control({ version, arch, kilobytes }));
  for (const path of filesOf(home)) chmodSync(join(home, path), path === "node" ? 0o755 : 0o644);
  run("find", [folder, "-type", "d", "-exec", "chmod", "0755", "{}", "+"], root);
}

export async function makeDeb({ folder, target, time }) {
  const options = ["--root-owner-group", "-Zxz", "-z0", "--build", folder, target];
  await runBeside("dpkg-deb", options, root, { SOURCE_DATE_EPOCH: String(time) });
}

/** The unit of `service install`, for the package's own places. */
async function unit() {
  const { systemdUnit } = await import("../../daemon/dist/cli/service/systemd-unit.js");
  return systemdUnit({
    ...{ node: `${HOME}/node`, main: `${HOME}/${MAIN}`, configPath: "/etc/fiscald/config.json" },
    ...{ dataFolders: ["/etc/fiscald", "/var/lib/fiscald"], secretFiles: [], serialGroup: "dialout" },
  });
}

function control({ version, arch, kilobytes }) {
  return `Package: fiscald
Version: ${version}
Section: misc
Priority: optional
Architecture: ${arch}
Maintainer: ${MAINTAINER}
Installed-Size: ${kilobytes}
Depends: libc6 (>= 2.34), libstdc++6 (>= 11), passwd
Description: prints the paid orders of web sites on fiscal registers (54-FZ)
 A daemon for a shop's till: it asks one or several sites for paid orders,
 prints a fiscal receipt for each exactly once, over serial, USB or network,
 and reports its numbers and link to the site.
`;
}
