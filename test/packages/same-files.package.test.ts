/** The packages are made once more: nothing in them depends on when or where that is done. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "../support/read-imports.js";
import { madePackage, run, version } from "./made-packages.js";

const again = mkdtempSync(join(tmpdir(), "fiscald-again-"));
afterAll(() => rmSync(again, { recursive: true, force: true }));

test("two builds of one commit have the same packages with the same contents", () => {
  // The staged files may be more than the tests' memory disk has room for.
  const { TMPDIR: _, ...env } = process.env;
  execFileSync(process.execPath, [join(root, "scripts/package/main.js"), "list"], {
    ...{ env: { ...env, FISCALD_PACKAGE_OUT: again }, stdio: "pipe" },
  });
  const own = { "windows-x64": "bin/fiscald.cmd", "linux-x64": "bin/fiscald" };
  const unit = "usr/lib/systemd/system/fiscald.service";
  for (const [kind, written] of Object.entries({ ...own, "deb-amd64": unit, "deb-arm64": unit })) {
    const name = `fiscald-${version}-${kind}.files`;
    const files = readFileSync(madePackage(name), "utf8");
    expect(files).toContain(`  ${written}\n`);
    expect(readFileSync(join(again, name), "utf8")).toBe(files);
  }
});

test("making packages without a needed program is refused with the name of that program", () => {
  const bin = join(again, "bin");
  mkdirSync(bin);
  symlinkSync(process.execPath, join(bin, "node"));
  const make = () =>
    run(join(bin, "node"), [join(root, "scripts/package/main.js"), "windows"], {
      env: { ...process.env, PATH: bin, FISCALD_PACKAGE_OUT: join(again, "nothing") },
    });
  expect(make).toThrow("makensis is missing: apt-get install nsis");
  expect(existsSync(join(again, "nothing"))).toBe(false);
});

test("the packages match their checksums, stay within their size limits and bring all notices", () => {
  const sums = madePackage("SHA256SUMS");
  run("sha256sum", ["--check", "--strict", "--quiet", sums], { cwd: dirname(sums) });
  const setup = madePackage(`fiscald-${version}-windows-x64-setup.exe`);
  expect(statSync(setup).size).toBeLessThan(32e6);
  const archive = madePackage(`fiscald-${version}-linux-x64.tar.gz`);
  const folder = `fiscald-${version}-linux-x64`;
  const files = run("tar", ["-tzvf", archive])
    .split("\n")
    .map((line) => line.split(/\s+/));
  expect(files.reduce((sum, [, , size = "0"]) => sum + Number(size), 0)).toBeLessThan(140e6);
  const notices = run("tar", ["-xzOf", archive, `${folder}/NOTICES.txt`]);
  const packages = files.flatMap(
    (words) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(words.at(-1) ?? "")?.[1] ?? [],
  );
  const foreign = [...new Set(packages)].filter((name) => !name.startsWith("@fiscald/"));
  expect(foreign.length).toBeGreaterThan(100);
  expect(foreign.filter((name) => !notices.includes(name))).toEqual([]);
  // These notices are of the console's pages and of the library that draws receipts.
  for (const work of ["Node.js", "\npreact ", "Mozilla Public License"]) expect(notices).toContain(work);
});
