/** Types the commands of a page, window by window, and compares their output with the page. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.js";
import { root } from "./read-imports.js";

/**
 * Blocks of the page: `sh` is typed into the first window and has to succeed; `sh window` is typed into a window of its
 * own. A block without a name is the output, in which three dots stand for anything. The page's ports are replaced by
 * free ports, its packages by those of this repository.
 */
export async function typePage(path: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "fiscald-page-"));
  const windows: Window[] = [];
  const open = () => {
    const window = openWindow(folder);
    windows.push(window);
    return window;
  };
  try {
    const first = open();
    first.type(
      `npm() { if [ "$1" = install ]; then ln -s "${root}/node_modules" node_modules; else command npm "$@"; fi; }`,
    );
    let last: Window | null = null;
    let printed = "";
    for (const { kind, code } of await blocksOf(path)) {
      if (kind === "sh window") {
        last = open();
        last.type(code);
      } else if (kind === "sh") {
        last = null;
        first.type(`${code}\necho "ended with $?"`);
        printed = await first.shows(/ended with \d+\n/);
        expect(printed).toMatch(/ended with 0\n$/);
      } else if (last !== null) await last.shows(asPattern(code));
      else expect(printed).toMatch(asPattern(code));
    }
  } finally {
    await Promise.all(windows.map(({ child }) => close(child)));
    await rm(folder, { recursive: true, force: true });
  }
}

async function blocksOf(path: string) {
  const text = readFileSync(join(root, path), "utf8")
    .replaceAll("8080", `${await freePort()}`)
    .replaceAll("8000", `${await freePort()}`)
    .replaceAll("5480", `${await freePort()}`)
    .replaceAll("7780", `${await freePort()}`);
  const blocks = [...text.matchAll(/^```([\w -]*)\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, kind = "", code = ""]) => (["sh window", "sh", ""].includes(kind) ? { kind, code } : []));
}

type Window = ReturnType<typeof openWindow>;

/** A shell that stays open, with its output and errors. */
function openWindow(folder: string) {
  const child = spawn("bash", ["--noprofile", "--norc"], { cwd: folder, detached: true });
  let printed = "";
  const waiting = new Set<() => void>();
  const add = (chunk: Buffer) => {
    printed += chunk.toString();
    for (const look of waiting) look();
  };
  child.stdout.on("data", add);
  child.stderr.on("data", add);
  return {
    child,
    type: (text: string) => child.stdin.write(`${text}\n`),
    /** Resolves with the output before the pattern; jest ends a test that waits for ever. */
    shows: (pattern: RegExp) =>
      new Promise<string>((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(printed);
          if (found === null) return;
          waiting.delete(look);
          resolve(printed.slice(0, found.index + found[0].length));
          printed = printed.slice(found.index + found[0].length);
        };
        child.once("close", () => reject(new Error(`the window was closed: ${printed}`)));
        waiting.add(look);
        look();
      }),
  };
}

/** Also ends everything that was started in the window. */
async function close(window: ChildProcess): Promise<void> {
  if (window.exitCode !== null || window.pid === undefined) return;
  const closed = new Promise((resolve) => window.once("close", resolve));
  process.kill(-window.pid, "SIGTERM");
  await closed;
}

/** Three dots on the page stand for anything. */
function asPattern(shown: string): RegExp {
  const parts = shown.trim().split("...");
  return new RegExp(parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("[\\s\\S]*?"));
}
