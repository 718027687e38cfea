/** What forbids a print that a person wants: other receipts of the order, or the unprinted first document of a pair. */

import { Fault } from "@fiscald/shared/fault.js";
import type { SiteId } from "@fiscald/shared/ids.js";
import { decideRepeat } from "@fiscald/shared/receipt/repeats/decide-repeat.js";
import { isSale } from "@fiscald/shared/receipt/repeats/order-money.js";
import { correctionReasons } from "../../messages/reasons/correction-reasons.js";
import { inState } from "../../messages/reasons/job-states.js";
import { operatorReasons } from "../../messages/reasons/operator-reasons.js";
import { earlierJobs } from "../../sites/earlier-jobs.js";
import { isLive, isUnfinished, type Job } from "../../store/job.js";
import { isPrintedAfterAll, jobBefore, wasRetried } from "../../store/journal.js";
import type { Stores } from "../register-context.js";
import type { ResolveOptions } from "./resolve-job.js";

interface Known extends Pick<ResolveOptions, "stores" | "events"> {
  /** Whether the site uses our kit, which itself checks receipts for repeats. */
  hasKit(site: SiteId): boolean;
}

/** In a pair, the right receipt waits until the wrong one is returned. Throws `job.wrong-state`. */
export function requireBefore(job: Job, { stores: { jobs, journal } }: Pick<Known, "stores">): void {
  const before = jobBefore(journal, job);
  const state = before === null ? "printed" : jobs.get(before).state;
  if (state === "printed") return;
  throw new Fault("job.wrong-state", {
    message: operatorReasons.firstNotPrinted({ job: before ?? 0, state: inState(state) }),
  });
}

/** In a pair, the second document stays while the first may still be printed. Throws `job.wrong-state`. */
export function requireGivenUp(job: Job, { stores: { jobs, journal } }: Pick<Known, "stores">): void {
  const before = jobBefore(journal, job);
  if (before === null || !isUnfinished(jobs.get(before).state)) return;
  throw new Fault("job.wrong-state", { message: operatorReasons.secondNeeded });
}

/** A correction would be a second document of a settlement. Throws `job.already-printed`. */
export function requireUnprinted(
  job: Job,
  { stores: { journal } }: { readonly stores: Pick<Stores, "journal"> },
): void {
  if (!isPrintedAfterAll(journal, job)) return;
  throw new Fault("job.already-printed", { message: correctionReasons.printedAfterAll({ job: job.id }) });
}

/** Throws when the order's other receipts rule this one out, as they would if its site offered it now. */
export function requireRoom(self: Job, options: Known): void {
  const { id, site, orderId, receipt, state, source } = self;
  const { stores, events } = options;
  const { jobs, journal } = stores;
  if (orderId === null) return;
  const isOfKit = source === "site" && site !== null && receipt.receiptId !== null && options.hasKit(site);
  // A held or cancelled receipt would be a repeat of itself, so it is left out.
  const ofOrder = jobs.findByOrder(site, orderId);
  const others = ofOrder.filter((other) => (state !== "held" && state !== "cancelled") || other.id !== id);
  const earlier = earlierJobs(others, {
    journal,
    told: (job) => {
      // The kit enqueued this order before it heard of a job that was tried again.
      if (isOfKit && wasRetried(journal, job)) return "no";
      // A later order may have taken this order's place, if the site has not offered this order since.
      return job.id > id ? "meanwhile" : events.told(job, Number.POSITIVE_INFINITY);
    },
    isInOpenShift: () => true,
    isStillInShiftOf: () => true,
  });
  // A person may try as often as needed, so earlier tries do not count.
  const tried = earlier.map((other) => ({ ...other, tries: 0 }));
  const decision = decideRepeat({ receipt, from: isOfKit ? "kit" : "site", isPutBack: true }, tried);
  if (decision.action === "refuse" && !decision.again) throw new Fault(decision.code, { message: decision.message });
  // A site may order a new sale while the right receipt of a repair waits until the wrong sale is returned.
  const isSecond = jobBefore(journal, self) !== null;
  const isSince = (other: Job) => isSecond && other.id > id && isSale(other.receipt) && isLive(other);
  const stays = "of" in decision ? decision.of : null;
  const known = "replaces" in decision ? decision.replaces[0] : "because" in decision ? decision.because : stays;
  const rival = ofOrder.find(isSince) ?? known;
  if (rival == null) return;
  const code = rival.state === "printed" ? "job.already-printed" : "job.being-printed";
  throw new Fault(code, { message: operatorReasons.sameOrder({ job: rival.id, state: inState(rival.state) }) });
}
