import { type Command, Option } from "@fiscald/shared/command-line.js";
import {
  addSiteFlags,
  registerFromFlags,
  type SiteFlags,
  siteFlagsSchema,
  siteFromFlags,
} from "@fiscald/shared/site-check/command-flags.js";

export function addCheckSiteCommand(program: Command, language: "en" | "ru"): void {
  const command = program
    .command("check-site <url...>")
    .description(
      "plays the print server against sites in any language and says what is wrong and how to mend it; for a site with " +
        "test orders: an order that is offered is reported as failed",
    )
    .addOption(new Option("--lang <language>", "of the report").choices(["en", "ru"]).default("en"));
  addSiteFlags(command, language).action(async (urls: readonly string[], options: unknown) => {
    process.exitCode = (await checkSites(urls, siteFlagsSchema.parse(options))) ? 0 : 1;
  });
}

async function checkSites(urls: readonly string[], flags: SiteFlags): Promise<boolean> {
  const language = flags.lang === "ru" ? "ru" : "en";
  const targets = urls.map((url) => ({
    site: siteFromFlags(url, flags, process.env),
    register: registerFromFlags(flags),
  }));
  const { runChecks } = await import("@fiscald/shared/site-check/check-site.js");
  const stopping = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stopping.abort());
  const out = (text: string) => void process.stdout.write(text);
  return (await runChecks(targets, { flags, language, out, signal: stopping.signal })) && !stopping.signal.aborted;
}
