import { once } from "node:events";
import { systemClock } from "@fiscald/shared/clock.js";
import { type Command, InvalidArgumentError, Option } from "@fiscald/shared/command-line.js";
import { Fault } from "@fiscald/shared/fault.js";
import { isThisMachine } from "@fiscald/shared/http/local-guard.js";
import { consoleLogger } from "@fiscald/shared/logger.js";
import { addDeliveryFlags } from "./delivery-flags.js";
import { defaultDatabase } from "./on-database.js";
import type { ServeSiteOptions } from "./serve-site.js";

type ServeFlags = Omit<ServeSiteOptions, "logger"> & { readonly allowOpenSandbox: boolean };

const sandboxDatabase = "data/sandbox.sqlite";
/** A second signal, or a close that takes longer, ends the process. */
const CLOSE_WITHIN_MS = 10_000;

export function addServeCommand(program: Command): void {
  const command = program
    .command("serve")
    .description(
      "runs the delivery API, a shop's receipts by HTTP, the print server's handlers and, if asked, the demo shop",
    )
    .option("--port <number>", "port; 0 = any free one", readPort, 8080)
    .option("--host <address>", "address to listen at", "127.0.0.1")
    .option("--database <file|url>", "SQLite file or postgres://...", defaultDatabase)
    .option("--demo-shop", "a shop page that enqueues receipts; nothing fiscal about it", false)
    .option(
      "--sandbox",
      `takes the shops' receipts itself and shows them at /sandbox; default database ${sandboxDatabase}`,
      false,
    )
    .option("--allow-open-sandbox", "the sandbox may listen at an address that other machines reach", false)
    .option("--strict", "POST /receipts refuses a key that nothing reads, and a position without a rate", false)
    .option("--public-url <url>", "address of this site as print servers see it; default: where it listens", readUrl)
    .addOption(
      new Option("--lang <language>", "of errors for shops whose requests have no Accept-Language")
        .choices(["en", "ru"])
        .default(process.env.FISCALD_LANG === "ru" ? "ru" : "en"),
    );
  addDeliveryFlags(command).action(serve);
}

async function serve({ allowOpenSandbox, ...flags }: ServeFlags): Promise<void> {
  const { serveSite } = await import("./serve-site.js");
  const { host, demoShop, sandbox = false } = flags;
  const isOpenSandbox = sandbox && !isThisMachine(host);
  if (isOpenSandbox && !allowOpenSandbox) {
    const message =
      `${host} can be reached from other machines, and whoever reaches a sandbox sees all its receipts and works its ` +
      "switches: leave out --host, or add --allow-open-sandbox.";
    throw new Fault("usage.wrong", { message });
  }
  // A sandbox counts each receipt that it takes as printed, so it must never open a shop's database by accident.
  const database = sandbox && flags.database === defaultDatabase ? sandboxDatabase : flags.database;
  const site = await serveSite({ ...flags, database, logger: consoleLogger });
  if (demoShop) {
    console.log("DEMO SHOP: no money, no goods, nothing fiscal. Point only emulated registers at it.");
    console.log(`demo shop ${site.url}/  handlers ${site.url}/fiscal`);
  }
  if (sandbox) {
    console.log(`SANDBOX: nothing fiscal. A shop's token: fiscald-site token create NAME --database ${database}`);
    console.log(`receipts ${site.url}/sandbox`);
    if (isOpenSandbox)
      console.log(`OPEN SANDBOX: whoever reaches ${host} sees all its receipts and works its switches.`);
  }
  console.log(`ready ${site.url}`);
  await Promise.race([once(process, "SIGTERM"), once(process, "SIGINT")]);
  const timer = systemClock.setTimer(CLOSE_WITHIN_MS, () => process.exit(1));
  await site.close();
  timer.cancel();
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError("A port is a number from 0 to 65535.");
}

function readUrl(text: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new InvalidArgumentError("This is an address such as https://shop.example.");
}
