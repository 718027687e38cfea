/**
 * Plays the print server against a site in any language: every call, good and bad, repeated and late, with right and
 * wrong secrets. Prints nothing, and leaves no order half taken: each one that it was offered gets a result.
 */
import { checkAddress, checkEvents, checkSecrets, checkStrangeCalls } from "./check-calls.js";
import { checkOrder, checkResults, paperOf } from "./check-orders.js";
import { CheckRun, type CheckSiteOptions } from "./check-run.js";
import { maskAddress } from "./site-caller.js";
import type { SiteReport } from "./site-report.js";

/**
 * An order is reported as failed (nothing was printed, so the site may offer it again); only the one that is named as a
 * test order is reported as printed. Never rejects because of the site.
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
    await run.caller.close();
  }
  const { site, register } = options;
  return {
    site: maskAddress(site.urls.orders),
    kkm: register.kkm,
    encoding: run.caller.encodedAs,
    ok: !run.checks.some(({ state }) => state === "wrong"),
    checks: run.checks,
    exchanges: run.caller.exchanges,
    paper: paperOf(run),
    orders: run.orders(),
  };
}
