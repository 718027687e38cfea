/** The checker finds each of the mistakes of mistakes.md by its name, and finds nothing wrong with right sites. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Kopecks, kopecks } from "@fiscald/shared/amounts.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { checkSite } from "@fiscald/shared/site-check/check-site.js";
import type { SiteReport } from "@fiscald/shared/site-check/site-report.js";
import { exampleRegister, type SiteToCheck } from "@fiscald/shared/site-check/site-to-check.js";
import { needing } from "../support/has-program.js";
import { root } from "../support/read-imports.js";
import { type BrokenSite, programs, startBrokenSite, startPhpSite } from "./start-broken-site.js";

const page = readFileSync(join(root, "test/site-check/mistakes.md"), "utf8");
const mistakes = [...page.matchAll(/^\| \d+ \| ([\w-]+) \| (js|php|py) \| (\(?)([\w-]+)\)? \|/gm)].map(
  ([, mistake = "", language = "", bracket = "", finding = ""]) => ({
    ...{ mistake, language, finding },
    level: bracket === "" ? "wrong" : "advice",
  }),
);
const tolerated = [...page.matchAll(/^\| ([\w-]+) \| (js|php|py) \|/gm)].map(([, habit = "", language = ""]) => {
  return { habit, language };
});

const isLanguage = (name: string): name is keyof typeof programs => Object.hasOwn(programs, name);
const needed = (language: string) => needing(...(isLanguage(language) ? programs[language] : []));

let running: BrokenSite | null = null;
afterEach(async () => {
  await running?.close();
  running = null;
});

async function siteOf(language: string, mistake: string): Promise<BrokenSite> {
  if (!isLanguage(language)) throw new Error(`no site in ${language}`);
  running = await startBrokenSite(language, mistake);
  return running;
}

function check(site: SiteToCheck, total: Kopecks | null = kopecks(24_000)): Promise<SiteReport> {
  return checkSite({
    site,
    register: exampleRegister,
    order: { orderId: "A-1", total, operation: "sale" },
    clock: systemClock,
    newId: randomUUID,
    signal: new AbortController().signal,
  });
}

const findingsIn = ({ checks }: SiteReport) => checks.flatMap(({ findings }) => findings);

test("the list of a site's possible mistakes has sixty entries, and thirteen entries for habits that are no mistakes", () => {
  expect(new Set(mistakes.map(({ mistake }) => mistake)).size).toBe(60);
  expect(new Set(tolerated.map(({ habit }) => habit)).size).toBe(13);
});

describe.each(mistakes)("the site with the mistake $mistake", ({ mistake, language, finding, level }) => {
  const { test, reason } = needed(language);
  test(`a site with the mistake ${mistake} gets only the finding ${finding}, with a sentence how to mend it${reason}`, async () => {
    const { site } = await siteOf(language, mistake);
    const report = await check(site);
    expect(report.ok).toBe(level === "advice");
    const found = findingsIn(report).filter((one) => one.level === level);
    expect([...new Set(found.map(({ name }) => name))]).toEqual([finding]);
    for (const { mend, what } of found) {
      expect([mend.en, mend.ru]).toEqual([expect.stringMatching(/\w+ .*\.$/), expect.stringMatching(/[а-я]+ .*\.$/i)]);
      expect(what.ru).toMatch(/[а-я]{2}/i);
    }
  });
});

describe.each(tolerated)("the site with the habit $habit", ({ habit, language }) => {
  const { test, reason } = needed(language);
  test(`a site with the habit ${habit} passes every check without a finding${reason}`, async () => {
    const { site } = await siteOf(language, habit);
    const report = await check(site, null);
    expect(findingsIn(report)).toEqual([]);
    expect(report.orders).toMatchObject([{ orderId: "A-1", reportedAs: "printed", taken: true }]);
  });
});

describe.each(Object.keys(programs))("the right site in %s", (language) => {
  const { test, reason } = needed(language);
  test(`the correct site in ${language} passes every check, and its test order is finished${reason}`, async () => {
    const { site } = await siteOf(language, "right");
    const report = await check(site);
    expect(report.checks.map(({ name, state }) => [name, state])).toEqual(
      report.checks.map(({ name }) => [name, "right"]),
    );
    expect(report).toMatchObject({ ok: true, orders: [{ orderId: "A-1", reportedAs: "printed", taken: true }] });
    expect(report.paper).toContain("ИТОГ");
    expect(report.encoding).toBe(language === "php" ? "form" : "json");
  });
});

const php = needing("php");
php.test(`the site in PHP of PROTOCOL.md passes every check of a site${php.reason}`, async () => {
  running = await startPhpSite([["sell", "A-1", "Чай", "120.00", "2"]]);
  const report = await check(running.site);
  expect(report.checks.map(({ name, state, findings }) => [name, state, findings])).toEqual(
    report.checks.map(({ name }) => [name, "right", []]),
  );
});
