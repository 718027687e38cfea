/** Runs the machine's Chromium, and checks pages with axe. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, chromium, type Page } from "playwright-core";
import { z } from "zod";

const executablePath = ["chromium", "chromium-browser", "google-chrome"]
  .map((name) => spawnSync("which", [name], { encoding: "utf8" }).stdout.trim())
  .find((path) => path !== "");

/** The title of a skipped test says why it is skipped. */
export function testInBrowser(title: string, run: () => Promise<void>, timeoutMs?: number): void {
  if (executablePath === undefined) test.skip(`${title} (skipped: needs Chromium)`, run);
  else test(title, run, timeoutMs);
}

export const hasBrowser = executablePath !== undefined;

export function launchBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error("this machine has no Chromium");
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
}

export async function seriousFindings(page: Page): Promise<readonly string[]> {
  const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  // The debugger evaluates it, because the page's own policy allows no script of another origin.
  await page.evaluate(source);
  const found: unknown = await page.evaluate("axe.run(document)");
  const { violations } = axeResult.parse(found);
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

const axeResult = z.object({
  violations: z.array(
    z.object({ id: z.string(), impact: z.string().nullable(), nodes: z.array(z.object({ html: z.string() })) }),
  ),
});
