/** Types what a page says, window by window, and compares what the page shows. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../support/read-imports.js";

const windows: ChildProcess[] = [];
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fiscald-first-order-"));
});
afterEach(async () => {
  await Promise.all(windows.splice(0).map(close));
  await rm(folder, { recursive: true, force: true });
});

/** With all that was started in it. */
async function close(window: ChildProcess): Promise<void> {
  if (window.exitCode !== null || window.pid === undefined) return;
  const closed = new Promise((resolve) => window.once("close", resolve));
  process.kill(-window.pid, "SIGTERM");
  await closed;
}

/** A shell that stays open; what is printed in it, errors too. */
function openWindow() {
  const child = spawn("bash", ["--noprofile", "--norc"], { cwd: folder, detached: true });
  windows.push(child);
  let printed = "";
  const waiting = new Set<() => void>();
  const add = (chunk: Buffer) => {
    printed += chunk.toString();
    for (const look of waiting) look();
  };
  child.stdout.on("data", add);
  child.stderr.on("data", add);
  return {
    type: (text: string) => child.stdin.write(`${text}\n`),
    /** Resolves with what stands before the pattern; jest ends a test that waits for ever. */
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

/** Three dots of the page stand for anything. */
function asPattern(shown: string): RegExp {
  const parts = shown.trim().split("...");
  return new RegExp(parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("[\\s\\S]*?"));
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("there is no port");
  return String(address.port);
}

const pages = ["delivery/FIRST-ORDER.md", "FROM-CLOUD.md", "FROM-CLOUD.ru.md"];

test.each(pages)("whoever types %s has a printed receipt at its end", async (page) => {
  const text = readFileSync(join(root, "handlers", page), "utf8")
    .replaceAll("8080", await freePort())
    .replaceAll("5480", await freePort());
  const fences = text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm);
  const blocks = [...fences].map(([, kind = "", code = ""]) => ({ kind, code }));
  // Each is typed or compared.
  expect(blocks.filter(({ kind }) => !["sh window", "sh", ""].includes(kind))).toEqual([]);
  expect(blocks.filter(({ kind }) => kind === "sh window")).toHaveLength(2);
  const first = openWindow();
  // The packages of this repository in place of those of the registry.
  first.type(
    `npm() { if [ "$1" = install ]; then ln -s "${root}/node_modules" node_modules; else command npm "$@"; fi; }`,
  );
  let last: ReturnType<typeof openWindow> | null = null;
  let printed = "";
  for (const { kind, code } of blocks) {
    if (kind === "sh window") {
      last = openWindow();
      last.type(code);
    } else if (kind === "sh") {
      last = null;
      first.type(`${code}\necho "ended with $?"`);
      printed = await first.shows(/ended with \d+\n/);
      expect(printed).toMatch(/ended with 0\n$/);
    } else if (last !== null) await last.shows(asPattern(code));
    else expect(printed).toMatch(asPattern(code));
  }
});
