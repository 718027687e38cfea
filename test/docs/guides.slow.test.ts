/** Checks that the commands of the guides exist, and that their links lead somewhere. */
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { startCommand } from "../support/command-line.js";
import { root } from "../support/read-imports.js";

const docs = join(root, "daemon/docs");
const pages = [
  join(root, "README.md"),
  join(root, "daemon/README.md"),
  join(root, "daemon/CONFIG.md"),
  join(root, "daemon/ARCHITECTURE.md"),
  join(root, "daemon/FAULTS.md"),
  join(root, "drivers/README.md"),
  join(root, "drivers/emulators/README.md"),
  join(root, "handlers/README.md"),
  join(root, "handlers/PROTOCOL.md"),
  join(root, "handlers/PROTOCOL.ru.md"),
  join(root, "handlers/FROM-CLOUD.md"),
  join(root, "handlers/FROM-CLOUD.ru.md"),
  join(root, "handlers/WITHOUT-NODE.md"),
  join(root, "handlers/WITHOUT-NODE.ru.md"),
  join(root, "handlers/OWN-STORE.md"),
  join(root, "handlers/SERVERS.md"),
  join(root, "handlers/OWN-TRANSACTION.md"),
  join(root, "handlers/delivery/README.md"),
  join(root, "handlers/delivery/DECISIONS.md"),
  ...readdirSync(docs)
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(docs, name)),
].map((path) => ({ path, name: relative(root, path), text: readFileSync(path, "utf8") }));

/** Finds the commands of a page in code blocks and between backticks, and leaves out names of files and packages. */
function commandLines(text: string): readonly string[] {
  const fenced = [...text.matchAll(/```\w*\n([\s\S]*?)```/g)].flatMap(([, block = ""]) => block.split("\n"));
  const inline = [...text.replaceAll(/```[\s\S]*?```/g, "").matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
  return [...fenced, ...inline].flatMap(
    (line) =>
      /^(?:npx |node_modules\/\.bin\/|sudo (?:-u fiscald )?)?(fiscald(?:-site)?(?: .*)?)$/.exec(line.trim())?.[1] ?? [],
  );
}

async function help(...words: readonly string[]): Promise<string | null> {
  const { code, out } = await startCommand(root, [...words, "--help"]).ended;
  return code === 0 ? out : null;
}

const siteProgram = join(root, "handlers/bin/fiscald-site.js");
async function siteHelp(...words: readonly string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, [siteProgram, ...words, "--help"])).stdout;
}

const known = new Map<string, Promise<string | null>>();
function helpOf(program: string, ...command: readonly string[]): Promise<string | null> {
  const key = [program, ...command].join(" ");
  const found = known.get(key) ?? (program === "fiscald" ? help : siteHelp)(...command);
  known.set(key, found);
  return found;
}

async function problemOf(line: string): Promise<readonly string[]> {
  const [program = "", ...words] = line.split(/\s+/);
  const [command = ""] = words;
  // `fiscald` without a command is the program itself.
  if (["", "help", "--version", "--help"].includes(command)) return [];
  const path: string[] = [];
  let text = await helpOf(program);
  for (const word of words) {
    if (!/^[a-z][a-z-]*$/.test(word) || !new RegExp(`^  ${word}[ |]`, "m").test(text ?? "")) break;
    path.push(word);
    text = await helpOf(program, ...path);
  }
  if (path.length === 0) return [`${line}: there is no command ${command}`];
  const options = words.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.replace(/=.*$/, ""));
  return options
    .filter((option) => !new RegExp(`(^|[ ,])${option}[ ,\\n]`, "m").test(text ?? ""))
    .map((option) => `${line}: ${path.join(" ")} has no ${option}`);
}

test.each(pages)("every command on the page $name exists, with its options", async ({ text }) => {
  const problems: string[] = [];
  for (const line of commandLines(text)) problems.push(...(await problemOf(line)));
  expect(problems).toEqual([]);
});

test("the check of the guides' commands finds commands on a page and reports wrong commands", async () => {
  const page =
    "`fiscald jobs --state unsure` and `fiscald explode`, `node_modules/.bin/fiscald-site serve --port 0`, `fiscald-site explode`\n" +
    "```\nsudo -u fiscald fiscald status --jsn\n```\n";
  const lines = commandLines(page);
  expect(lines).toHaveLength(5);
  const problems = (await Promise.all(lines.map(problemOf))).flat();
  expect(problems).toEqual([
    expect.stringContaining("status has no --jsn"),
    expect.stringContaining("fiscald explode: there is no command explode"),
    expect.stringContaining("fiscald-site explode: there is no command explode"),
  ]);
});

test("every command of the program is on the page of commands", async () => {
  const commands = [...((await help()) ?? "").matchAll(/^ {2}([a-z][a-z-]+)/gm)].map(([, name = ""]) => name);
  expect(commands.length).toBeGreaterThan(15);
  const guide = readFileSync(join(root, "daemon/docs/commands.md"), "utf8");
  expect(commands.filter((name) => name !== "help" && !guide.includes(`\`${name}`))).toEqual([]);
});

/** GitHub makes the same anchors of headings. */
function anchorsOf(text: string): readonly string[] {
  const titles = text.replaceAll(/```[\s\S]*?```/g, "").matchAll(/^#+ (.+)$/gm);
  return [...titles].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(/\s/g, "-"),
  );
}

test.each(pages)("every link on the page $name leads to a file and a heading that exist", ({ path, text }) => {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  const lost = links.filter((link) => {
    if (/^https?:/.test(link)) return false;
    const [file = "", anchor] = link.split("#");
    const target = file === "" ? path : join(dirname(path), file);
    if (!existsSync(target)) return true;
    return anchor !== undefined && !anchorsOf(readFileSync(target, "utf8")).includes(anchor);
  });
  expect(lost).toEqual([]);
});

test("all pages of daemon/docs are linked from the daemon's README", () => {
  const readme = readFileSync(join(root, "daemon/README.md"), "utf8");
  const pages = readdirSync(docs).filter((name) => name.endsWith(".md"));
  expect(pages.filter((name) => !readme.includes(`](docs/${name})`))).toEqual([]);
});

test("no picture of daemon/docs is larger than 40 kB", () => {
  const pictures = readdirSync(docs).filter((name) => name.endsWith(".png"));
  expect(pictures.length).toBeGreaterThan(5);
  expect(pictures.filter((name) => statSync(join(docs, name)).size > 40_000)).toEqual([]);
});
