/** Plays the print server against a site with right and wrong calls. Each order gets a result. */
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { systemClock } from "../clock.js";
import { toFault } from "../fault.js";
import { checkAddress, checkEvents, checkSecrets, checkStrangeCalls } from "./check-calls.js";
import { checkOrder, checkResults, paperOf } from "./check-orders.js";
import { CheckRun, type CheckSiteOptions } from "./check-run.js";
import { orderFromFlags, type SiteFlags } from "./command-flags.js";
import type { Language } from "./findings.js";
import { maskAddress } from "./site-caller.js";
import type { SiteReport } from "./site-report.js";
import type { PlayedRegister, SiteToCheck } from "./site-to-check.js";
import { writeJunit } from "./write-junit.js";
import { writeText } from "./write-text.js";

/**
 * Orders are reported as failed (nothing was printed, so the site may offer them again); only the order that is named
 * as a test order is reported as printed. Never rejects because of the site.
 */
export async function checkSite(options: CheckSiteOptions): Promise<SiteReport> {
  const run = new CheckRun(options);
  try {
    await checkAddress(run);
    await checkEvents(run);
    await checkSecrets(run);
    await checkStrangeCalls(run);
    await checkOrder(run);
    await checkResults(run);
  } finally {
    await run.giveBack();
    run.caller.close();
  }
  const { site, register } = options;
  return {
    site: maskAddress(site.urls.orders),
    kkm: register.kkm,
    encoding: run.caller.encoding,
    ok: !run.checks.some(({ state }) => state === "wrong"),
    checks: run.checks,
    exchanges: run.caller.exchanges,
    paper: paperOf(run),
    orders: run.orders(),
    needsSync: register.rows === "stated",
  };
}

export interface CheckTarget {
  readonly site: SiteToCheck;
  readonly register: PlayedRegister;
}

export interface RunChecksOptions {
  readonly flags: SiteFlags;
  readonly language: Language;
  readonly out: (text: string) => void;
  readonly signal: AbortSignal;
}

/** True: nothing is wrong with any of the sites. */
export async function runChecks(targets: readonly CheckTarget[], options: RunChecksOptions): Promise<boolean> {
  const { flags, language, out, signal } = options;
  const reports: SiteReport[] = [];
  for (const { site, register } of targets) {
    const order = orderFromFlags(flags);
    const report = await checkSite({ site, register, order, clock: systemClock, newId: randomUUID, signal });
    reports.push(report);
    if (flags.json !== true) out(`${reports.length === 1 ? "" : "\n"}${writeText(report, language)}`);
  }
  const isRight = ({ ok, checks }: SiteReport) => ok && !(flags.strict && checks.some((one) => one.state === "advice"));
  const ok = reports.every(isRight);
  if (flags.json === true) out(`${JSON.stringify({ ok, sites: reports }, null, 2)}\n`);
  if (flags.junit !== undefined) writeReport(flags.junit, writeJunit(reports, language));
  return ok;
}

function writeReport(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw toFault(error, "usage.wrong", { place: file });
  }
}
