/** Says whether a refused order may be printed after all, and by which register. */
import { Fault } from "@fiscald/shared/fault.js";
import { orderFault } from "@fiscald/shared/receipt/register-fit.js";
import { meaningOfTaxes } from "@fiscald/shared/receipt/tax-meaning.js";
import { orderReasons } from "../../messages/reasons/order-reasons.js";
import { ratesOfSales } from "../../sites/registered-rates.js";
import { isLive, type Job } from "../../store/job.js";
import type { JobStore, NewPlace } from "../../store/job-store.js";
import { type Journal, questionOf } from "../../store/journal.js";
import { knownKkm, type RegisterSnapshot } from "../register-snapshot.js";

type OrderStores = { readonly jobs: Pick<JobStore, "findByOrder">; readonly journal: Pick<Journal, "ofJob"> };

/** The register that may print the order; null = its own. Throws the reason when the order stays refused. */
export function placeOfRefused(job: Job, snapshots: readonly RegisterSnapshot[], stores: OrderStores): NewPlace | null {
  const { receipt, site, orderId } = job;
  const { kkm } = receipt;
  const register = snapshots.find((snapshot) =>
    kkm === null ? snapshot.settings.id === job.register : knownKkm(snapshot) === kkm && isBound(snapshot, job),
  );
  if (register === undefined) {
    if (kkm === null) return null;
    throw new Fault("register.unknown-kkm", { message: orderReasons.noKkm({ kkm }), place: "kkm" });
  }
  const { settings, identity, tables } = register;
  const fault = orderFault(receipt, identity?.inn ?? null);
  if (fault !== null) throw fault;
  if (settings.id === job.register) return null;
  if (identity === null || tables === null) {
    throw new Fault("register.offline", {
      message: orderReasons.notConnected({ register: settings.id }),
      place: settings.id,
    });
  }
  const defaultRow = tables.taxes.find(({ id }) => id === settings.defaultTax) ?? null;
  const sold = orderId === null ? [] : ratesOfSales(stores.jobs.findByOrder(site, orderId), stores.journal);
  const taxes = meaningOfTaxes(receipt, { lists: [tables.taxes], defaultRow, sold });
  return { register: settings.id, taxes, taxpayer: { inn: identity.inn, taxSystems: identity.taxSystems } };
}

/** The site itself answers the question that a person is asked when it sends the same receipt with a `receiptId`. */
export function answerOfSite(job: Job, { jobs, journal }: OrderStores): Job | undefined {
  const { id, site, orderId, operation } = job;
  if (site === null || orderId === null || questionOf(journal, job) === null) return undefined;
  const lines = JSON.stringify(job.receipt.lines);
  return jobs.findByOrder(site, orderId).find((other) => {
    const isTaken = other.id > id && isLive(other);
    return isTaken && other.operation === operation && JSON.stringify(other.receipt.lines) === lines;
  });
}

function isBound({ settings }: RegisterSnapshot, { site }: Job): boolean {
  return site === null || settings.sites.includes(site);
}
