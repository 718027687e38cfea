/** Writes reports as JUnit XML: each site is a suite, each check a case. */
import type { Language } from "./findings.js";
import type { Check, SiteReport } from "./site-report.js";
import { exchangeLines, findingLine } from "./write-text.js";

export function writeJunit(reports: readonly SiteReport[], language: Language): string {
  const suites = reports.map((report) => suite(report, language));
  return ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>", ...suites, "</testsuites>", ""].join("\n");
}

function suite(report: SiteReport, language: Language): string {
  const { checks, site } = report;
  const count = (state: Check["state"]) => checks.filter((check) => check.state === state).length;
  const counts = `tests="${checks.length}" failures="${count("wrong")}" errors="0" skipped="${count("skipped")}"`;
  const cases = checks.map((check) => testCase(check, report, language));
  return [`  <testsuite name="${xml(site)}" ${counts}>`, ...cases, "  </testsuite>"].join("\n");
}

function testCase(check: Check, report: SiteReport, language: Language): string {
  const open = `    <testcase classname="${xml(report.site)}" name="${xml(`${check.name}: ${check.title[language]}`)}"`;
  const inside = check.skipped === null ? findings(check, report, language) : [skipped(check.skipped[language])];
  return inside.length === 0 ? `${open}/>` : [`${open}>`, ...inside, "    </testcase>"].join("\n");
}

function skipped(why: string): string {
  return `      <skipped message="${xml(why)}"/>`;
}

function findings(check: Check, report: SiteReport, language: Language): readonly string[] {
  return check.findings.map((found) => {
    const exchange = found.exchange === null ? undefined : report.exchanges[found.exchange];
    const shown = exchange === undefined ? "" : `\n\n${exchangeLines(exchange, language)}`;
    const line = findingLine(found, language);
    const text = xml(`${line}\n${found.mend[language]}${shown}`);
    if (found.level === "advice") return `      <system-out>${text}</system-out>`;
    return `      <failure type="${found.name}" message="${xml(line)}">${text}</failure>`;
  });
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** XML 1.0 cannot contain some control characters and halves of surrogate pairs: they are left out. */
function xml(text: string): string {
  return text
    .replace(/[^\P{Cc}\n\t]|\p{Cs}|[\uFFFE\uFFFF]/gu, "\uFFFD")
    .replace(/[&<>"]/g, (char) => escapes[char] ?? char);
}
