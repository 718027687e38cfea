/** Runs one of the sites in `sites/` with a mistake of mistakes.md, or right. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { defaultRules } from "@fiscald/shared/receipt/check-receipt.js";
import type { SiteToCheck } from "@fiscald/shared/site-check/site-to-check.js";
import { type Child, startChild } from "../support/child-process.js";
import { freePort } from "../support/free-port.js";
import { root } from "../support/read-imports.js";

/** What each language needs on this machine. */
export const programs = { js: [], php: ["php"], py: ["python3"] } as const;
export type SiteLanguage = keyof typeof programs;

export interface BrokenSite {
  readonly site: SiteToCheck;
  close(): Promise<void>;
}

export const siteSecret = "whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQ=";

export async function startBrokenSite(language: SiteLanguage, mistake: string): Promise<BrokenSite> {
  const file = join(root, "test/site-check/sites", `site.${language}`);
  const folder = mkdtempSync(join(tmpdir(), "fiscald-site-"));
  const env = { FISCAL_SECRET: siteSecret, SITE_FOLDER: folder, MISTAKE: mistake };
  if (language === "php") {
    const { child, address } = await startPhp(file, env);
    return opened(child, folder, siteAt(`${address}?key=${encodeURIComponent(siteSecret)}`));
  }
  const child = startChild([file, mistake], language === "py" ? { env, program: "python3" } : { env });
  const [, port = ""] = await child.line(/ready (\d+)/);
  return opened(child, folder, siteAt(`http://127.0.0.1:${port}/`, auths[language]));
}

const auths: Readonly<Record<"js" | "py", SiteToCheck["auth"]>> = {
  js: { kind: "signature", secret: siteSecret },
  py: { kind: "header", name: "X-Fiscal-Key", value: siteSecret },
};

/** The site in PHP of PROTOCOL.md, whose calls are signed. `receipts`: the words of its command line, for each receipt. */
export async function startPhpSite(receipts: readonly (readonly string[])[]): Promise<BrokenSite & PhpSite> {
  const folder = mkdtempSync(join(tmpdir(), "fiscald-site-"));
  const file = join(folder, "site.php");
  mkdirSync(join(folder, "data"));
  const page = readFileSync(join(root, "handlers/PROTOCOL.md"), "utf8");
  writeFileSync(file, /<<'END'\n(<\?php\n[\s\S]*?)\nEND\n/.exec(page)?.[1] ?? "");
  const run = (...words: readonly string[]) =>
    execFileSync("php", [file, ...words], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] }).toString();
  for (const words of receipts) run(...words);
  const { child, address } = await startPhp(file, { FISCAL_SECRET: siteSecret });
  return { ...opened(child, folder, siteAt(address, auths.js)), run, store: join(folder, "data/receipts.json") };
}

export interface PhpSite {
  /** Runs its command line; throws where it fails. */
  run(...words: readonly string[]): string;
  /** The file of its receipts. */
  readonly store: string;
}

export async function startPhp(file: string, env: NodeJS.ProcessEnv) {
  const words = ["-S", `127.0.0.1:${await freePort()}`, file];
  const child = startChild(words, { env, program: "php", cwd: dirname(file) });
  const [, port = ""] = await child.line(/:(\d+)\) started/);
  return { child, address: `http://127.0.0.1:${port}/` };
}

function opened(child: Child, folder: string, site: SiteToCheck): BrokenSite {
  return {
    site,
    async close() {
      child.signal("SIGTERM");
      await child.ended;
      rmSync(folder, { recursive: true });
    },
  };
}

/** A site with one address for all calls. */
export function siteAt(url: string, auth: SiteToCheck["auth"] = { kind: "none" }): SiteToCheck {
  return {
    urls: { orders: url, result: url, sync: url, connected: url, disconnected: url, zreport: url },
    auth,
    encoding: "auto",
    format: "auto",
    rules: defaultRules,
    resultAction: "orderConfirm",
    resultExtras: true,
    tls: {},
  };
}
