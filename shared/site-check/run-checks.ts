/** Checks sites one after another for a command, and writes their reports. */
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { systemClock } from "../clock.js";
import { toFault } from "../fault.js";
import { checkSite } from "./check-site.js";
import { orderFromFlags, type SiteFlags } from "./command-flags.js";
import type { Language, SiteReport } from "./site-report.js";
import type { PlayedRegister, SiteToCheck } from "./site-to-check.js";
import { writeJunit } from "./write-junit.js";
import { writeText } from "./write-text.js";

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

/** True: nothing is wrong with any of them. Throws `usage.wrong` where the JUnit report cannot be written. */
export async function runChecks(targets: readonly CheckTarget[], options: RunChecksOptions): Promise<boolean> {
  const { flags, language, out, signal } = options;
  const reports: SiteReport[] = [];
  for (const { site, register } of targets) {
    const order = orderFromFlags(flags);
    const report = await checkSite({ site, register, order, clock: systemClock, newId: randomUUID, signal });
    reports.push(report);
    if (flags.json !== true) out(`${reports.length === 1 ? "" : "\n"}${writeText(report, language)}`);
  }
  const ok = reports.every((report) => report.ok);
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
