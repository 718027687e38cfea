// Part of the build: the operator's page. Skipped while nothing of it has changed.
import { existsSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const built = at("daemon/dist/console/page/index.html");
const sources = ["daemon/console/page", "daemon/messages", "daemon/docs"].flatMap((folder) =>
  readdirSync(at(folder), { recursive: true }).map((name) => join(at(folder), name)),
);
const newest = Math.max(...[fileURLToPath(import.meta.url), ...sources].map((path) => statSync(path).mtimeMs));

if (!existsSync(built) || statSync(built).mtimeMs < newest) {
  const require = createRequire(at("daemon/package.json"));
  const load = (name) => import(pathToFileURL(require.resolve(name)));
  const [{ build }, { Marked }] = [await load("vite"), await load("marked")];
  // The daemon serves it all: one script, one style sheet, nothing from other hosts.
  const files = {
    outDir: at("daemon/dist/console/page"),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: false,
    rollupOptions: { input: ["index.html", "setup.html"].map((name) => at(`daemon/console/page/${name}`)) },
  };
  const page = { root: at("daemon/console/page"), base: "./", build: files, plugins: [guidesAsHtml(Marked)] };
  await build({ configFile: false, logLevel: "warn", ...page });
}

/** An imported guide is its title and its HTML, so that the page needs no reader of Markdown. */
function guidesAsHtml(Marked) {
  const marked = new Marked({
    // HTML in a guide is shown as text.
    tokenizer: { html: () => undefined, tag: () => undefined },
    walkTokens: (token) => {
      if (token.type === "heading") token.depth = Math.min(token.depth + 1, 4);
    },
    renderer: {
      link({ href, tokens }) {
        const label = this.parser.parseInline(tokens);
        const topic = /^([\w-]+)\.ru\.md(?:#.*)?$/.exec(href)?.[1];
        return topic === undefined ? label : `<a href="#help/${topic}">${label}</a>`;
      },
      image: () => "",
    },
  });
  // What may be wider than the page is shown as by the page's own `Wide`.
  const htmlOf = (text) =>
    marked
      .parse(text)
      .replaceAll("<p></p>\n", "")
      .replace(/<pre><code.*?>(.*?)\n<\/code>/gs, "<pre>$1")
      .replace(/<th(?=[ >])/g, '<th scope="col"')
      .replace(/<(pre|table)>.*?<\/\1>/gs, '<div class="wide" tabindex="0">$&</div>');
  const handler = (text) => {
    const guide = { title: text.slice(2, text.indexOf("\n")), html: htmlOf(text) };
    return { code: `export default ${JSON.stringify(guide)}`, moduleType: "js" };
  };
  return { name: "guides", transform: { filter: { id: /\.ru\.md$/ }, handler } };
}
