import { wrongValue } from "@fiscald/shared/command-line.js";
import { Fault } from "@fiscald/shared/fault.js";
import { type CheckTarget, runChecks } from "@fiscald/shared/site-check/check-site.js";
import {
  addressFlags,
  isWebAddress,
  registerFromFlags,
  type SiteFlags,
  siteFlagsSchema,
  siteFromFlags,
} from "@fiscald/shared/site-check/command-flags.js";
import { exampleRegister, type PlayedRegister, type SiteToCheck } from "@fiscald/shared/site-check/site-to-check.js";
import type { Config } from "../../config/config-schema.js";
import { ownTlsOf, receiptRulesOf, type SiteConfig } from "../../config/site-schema.js";
import { commandReasons } from "../../messages/reasons/command-reasons.js";
import { siteAddressOf } from "../../sites/site-client.js";
import type { RegisterRecord } from "../../store/register-store.js";
import { requireKnown } from "../arguments.js";
import { daemonConfig, type ExitCode, exitCodes, type Session } from "../cli-context.js";
import { isDaemonUp } from "../daemon-client.js";
import { readStateIfAny } from "../stored-state.js";

export async function checkSites(session: Session): Promise<ExitCode> {
  const { context, language } = session;
  const [named] = session.args;
  const flags = siteFlagsSchema.parse(session.given);
  const targets =
    named !== undefined && isWebAddress(named)
      ? [{ site: siteFromFlags(named, flags, context.env), register: registerFromFlags(flags) }]
      : await targetsOf(daemonConfig(session), named, flags);
  const { out, stopSignal: signal } = context;
  const ok = await runChecks(targets, { flags, language, out, signal });
  return ok && !signal.aborted ? exitCodes.done : exitCodes.failed;
}

async function targetsOf(
  config: Config,
  named: string | undefined,
  options: SiteFlags,
): Promise<readonly CheckTarget[]> {
  if (named !== undefined) requireKnown(config, "site", named);
  const flag = addressFlags.find((name) => options[name] !== undefined);
  if (flag !== undefined) throw wrongValue(commandReasons.siteOfConfig, flag);
  if (await isDaemonUp(config)) {
    const message = commandReasons.daemonRuns;
    throw new Fault("usage.wrong", { message });
  }
  const records = readStateIfAny(config, ({ registers }) => registers.all()) ?? [];
  const sites = config.sites.filter(({ id }) => named === undefined || id === named);
  return sites.map((site) => ({ site: toCheck(site), register: registerOf(site, config, records) }));
}

function registerOf(site: SiteConfig, { registers }: Config, records: readonly RegisterRecord[]): PlayedRegister {
  const own = registers.filter(({ sites }) => sites.includes(site.id));
  for (const { id, title } of own) {
    const record = records.find((one) => one.id === id);
    if (record === undefined) continue;
    const { kkm, inn, fn, model } = record.identity;
    return { kkm, inn, fn, model, title: title ?? id, tables: record.tables, rows: "own" };
  }
  const expected = own.find(({ expectKkm }) => expectKkm !== null)?.expectKkm ?? null;
  return expected === null ? exampleRegister : { ...exampleRegister, kkm: expected, rows: "withheld" };
}

function toCheck(site: SiteConfig): SiteToCheck {
  const { urls, auth, receiptFormat: format, bodyEncoding: encoding, resultAction, resultExtras } = site;
  return {
    urls: {
      orders: urls.orders,
      result: urls.result,
      sync: urls.sync,
      connected: siteAddressOf(site, "connected"),
      disconnected: siteAddressOf(site, "disconnected"),
      zreport: urls.zreport,
    },
    auth,
    encoding,
    format,
    rules: receiptRulesOf(site),
    resultAction,
    resultExtras,
    tls: ownTlsOf(site),
  };
}
