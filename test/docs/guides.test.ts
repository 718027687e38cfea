/** What the guides tell people to type exists, and what they point at is there. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { startCommand } from "../support/command-line.js";
import { root } from "../support/read-imports.js";

const docs = join(root, "daemon/docs");
const pages = [
  join(root, "README.md"),
  join(root, "daemon/README.md"),
  ...readdirSync(docs).map((name) => join(docs, name)),
].map((path) => ({ path, name: relative(root, path), text: readFileSync(path, "utf8") }));

/** Command lines of a page: in fences and between backticks; not the names of files and packages. */
function commandLines(text: string): readonly string[] {
  const fenced = [...text.matchAll(/```\w*\n([\s\S]*?)```/g)].flatMap(([, block = ""]) => block.split("\n"));
  const inline = [...text.replaceAll(/```[\s\S]*?```/g, "").matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
  return [...fenced, ...inline].flatMap(
    (line) => /^(?:sudo (?:-u fiscald )?)?(fiscald(?: .*)?)$/.exec(line.trim())?.[1] ?? [],
  );
}

async function help(...words: readonly string[]): Promise<string | null> {
  const { code, out } = await startCommand(root, [...words, "--help"]).ended;
  return code === 0 ? out : null;
}

const known = new Map<string, Promise<string | null>>();
function helpOf(command: string): Promise<string | null> {
  const found = known.get(command) ?? help(command);
  known.set(command, found);
  return found;
}

async function problemOf(line: string): Promise<readonly string[]> {
  const [command = "", ...rest] = line.split(/\s+/).slice(1);
  // `fiscald` alone is the program itself.
  if (command === "" || command === "--version" || command === "--help") return [];
  const commands = await help();
  const text = new RegExp(`^  ${command}[ |]`, "m").test(commands ?? "") ? await helpOf(command) : null;
  if (text === null) return [`${line}: there is no command ${command}`];
  const options = rest.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.replace(/=.*$/, ""));
  return options
    .filter((option) => !new RegExp(`(^|[ ,])${option}[ ,\\n]`, "m").test(text))
    .map((option) => `${line}: ${command} has no ${option}`);
}

test.each(pages)("every command of $name exists, with its options", async ({ text }) => {
  const problems: string[] = [];
  for (const line of commandLines(text)) problems.push(...(await problemOf(line)));
  expect(problems).toEqual([]);
});

test("the check itself finds commands and notices wrong ones", async () => {
  const page = "`fiscald jobs --state unsure` and `fiscald explode`\n```\nsudo -u fiscald fiscald status --jsn\n```\n";
  const lines = commandLines(page);
  expect(lines).toHaveLength(3);
  const problems = (await Promise.all(lines.map(problemOf))).flat();
  expect(problems).toEqual([
    expect.stringContaining("status has no --jsn"),
    expect.stringContaining("no command explode"),
  ]);
});

test("every command of the program is in the operator's guide", async () => {
  const commands = [...((await help()) ?? "").matchAll(/^ {2}([a-z][a-z-]+)/gm)].map(([, name = ""]) => name);
  expect(commands.length).toBeGreaterThan(15);
  const guide = readFileSync(join(root, "daemon/README.md"), "utf8");
  expect(commands.filter((name) => name !== "help" && !guide.includes(`\`${name}`))).toEqual([]);
});

/** As GitHub makes them. */
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

test.each(pages)("every link of $name leads somewhere", ({ path, text }) => {
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

test("all pages can be reached from the daemon's guide", () => {
  const guide = readFileSync(join(root, "daemon/README.md"), "utf8");
  expect(readdirSync(docs).filter((name) => !guide.includes(`](docs/${name})`))).toEqual([]);
});
