import { systemClock } from "@fiscald/shared/clock.js";
import { type Command, InvalidArgumentError } from "@fiscald/shared/command-line.js";
import { consoleLogger } from "../print-server/console-logger.js";
import { defaultDatabase } from "./on-database.js";

interface ServeFlags {
  readonly port: number;
  readonly host: string;
  readonly database: string;
  readonly demoShop: boolean;
  readonly publicUrl?: string;
  readonly requestsPerMinute?: number | false;
  readonly bodyLimit?: number;
}

/** A second signal, or a close that hangs, ends the process. */
const CLOSE_WITHIN_MS = 10_000;

export function addServeCommand(program: Command): void {
  program
    .command("serve")
    .description("runs the delivery API, the print server's handlers and, if asked, the demo shop")
    .option("--port <number>", "port; 0 = any free one", readPort, 8080)
    .option("--host <address>", "address to listen at", "127.0.0.1")
    .option("--database <file|url>", "SQLite file or postgres://...", defaultDatabase)
    .option("--demo-shop", "a shop page that enqueues receipts; nothing fiscal about it", false)
    .option("--public-url <url>", "address of this site as print servers see it; default: where it listens", readUrl)
    .option(
      "--requests-per-minute <number>",
      "of one token or courier session, or off; default: 600, and 60 of an address without one",
      readLimit,
    )
    .option("--body-limit <bytes>", "largest body; default 5 MB", readPositive)
    .action(serve);
}

async function serve(flags: ServeFlags): Promise<void> {
  const { serveSite } = await import("./serve-site.js");
  const { requestsPerMinute, bodyLimit, ...rest } = flags;
  const limits = {
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
    ...(bodyLimit === undefined ? {} : { bodyLimitBytes: bodyLimit }),
  };
  const site = await serveSite({ ...rest, limits, logger: consoleLogger });
  if (flags.demoShop) {
    console.log("DEMO SHOP: no money, no goods, nothing fiscal. Point only emulated registers at it.");
    console.log(`demo shop ${site.url}/  handlers ${site.url}/fiscal`);
  }
  console.log(`ready ${site.url}`);
  await signalled();
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

function readLimit(text: string): number | false {
  return text === "off" ? false : readPositive(text);
}

function readPositive(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("This is a whole number above zero.");
}

function signalled(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGTERM", () => resolve());
    process.once("SIGINT", () => resolve());
  });
}
