/**
 * Answers that did not become a receipt: stored for support, reported to the site once, not read again for a while.
 */
import { createHash } from "node:crypto";
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { Kkm, RegisterId, SiteId } from "@fiscald/shared/ids.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { BrokenOrder } from "@fiscald/shared/receipt/formats/read-order.js";
import { identityOf } from "@fiscald/shared/receipt/order-key.js";
import type { SiteEvents } from "../sites/site-events.js";
import type { JobStore } from "../store/job-store.js";
import type { Journal } from "../store/journal.js";
import type { Polled } from "./poller.js";
import { TtlSet } from "./ttl-set.js";

export interface PolledAnswer extends Polled {
  readonly register: RegisterId;
}

export type RejectedAnswer =
  | { readonly kind: "repeat"; readonly job: null }
  | { readonly kind: "refused"; readonly fault: Fault }
  | { readonly kind: "site-error"; readonly fault: Fault };

export interface RejectedAnswers {
  /** The result for a body that was refused before; null = the body is new. */
  known(hash: string): RejectedAnswer | null;
  /** A receipt beside an error: the site has perhaps handed the order out for good, and support must find it. */
  keepWithheld(answer: PolledAnswer, hash: string, reason: string): void;
  refuse(answer: PolledAnswer, hash: string, why: Omit<BrokenOrder, "kind">): RejectedAnswer;
  /** An answer that is neither "nothing" nor an order: reported once per form. Polling goes on as before. */
  reportUnknown(
    answer: PolledAnswer,
    hash: string,
    unknown: { readonly form: string; readonly fault: Fault },
  ): RejectedAnswer;
}

export interface RejectedAnswersOptions {
  readonly site: SiteId;
  readonly jobs: Pick<JobStore, "transaction" | "insertRaw">;
  readonly journal: Journal;
  readonly events: Pick<SiteEvents, "addRefusal" | "addFormatError">;
  findRegister(kkm: Kkm): RegisterId | null;
  readonly clock: Clock;
  readonly log: Logger;
  /** Something is to be delivered. */
  wake(): void;
}

/** The same body is read and reported once in this time. */
const SAME_BODY_MS = 10 * 60_000;
const SAME_FORM_MS = 24 * 60 * 60_000;
/** Of the online format: when the site answered. Bounded, because a long run of blanks would take minutes. */
const ownTime = /,?\s{0,20}"timestamp"\s{0,20}:\s{0,20}"[^"]*"/gi;

export function createRejectedAnswers(options: RejectedAnswersOptions): RejectedAnswers {
  const { site, jobs, journal, events, clock, log } = options;
  let unreadable: { readonly hash: string; readonly fault: Fault } | null = null;
  /** Also without the site's own time, which makes every body a new one. */
  const brokenBodies = new TtlSet<string>(SAME_BODY_MS, clock);
  const withheldBodies = new TtlSet<string>(SAME_BODY_MS, clock);
  const unknownForms = new TtlSet<string>(SAME_FORM_MS, clock);

  return {
    known(hash) {
      if (brokenBodies.has(hash)) return { kind: "repeat", job: null };
      return unreadable?.hash === hash ? { kind: "site-error", fault: unreadable.fault } : null;
    },

    keepWithheld({ register, kkm, body }, hash, reason) {
      if (withheldBodies.has(hash)) return;
      const receivedAt = clock.now();
      const raw = jobs.transaction(() => {
        const raw = jobs.insertRaw({ site, polledKkm: kkm, receivedAt, hash, body });
        const what = "a receipt beside an error, not printed";
        journal.add({ at: receivedAt, actor: "daemon", what, register, site, raw, details: { reason } });
        return raw;
      });
      withheldBodies.add(hash);
      log.warn("the site sent an error and a receipt: the receipt is not printed", { kkm, register, raw, reason });
    },

    reportUnknown({ register, kkm, body }, hash, { form, fault }) {
      if (unknownForms.has(form)) return { kind: "repeat", job: null };
      const receivedAt = clock.now();
      jobs.transaction(() => {
        const raw = jobs.insertRaw({ site, polledKkm: kkm, receivedAt, hash, body });
        const details = { code: fault.code, reason: fault.message };
        journal.add({ at: receivedAt, actor: "daemon", what: "unknown answer", register, site, raw, details });
        events.addFormatError({ site, register, kkm, orderId: null, fault, body, receivedAt });
      });
      unknownForms.add(form);
      log.warn("the site's answer is neither an order nor an empty one", { kkm, register, fault });
      options.wake();
      return { kind: "repeat", job: null };
    },

    refuse({ body, ...polled }, hash, { fault, orderId, kkm: named, isOrder }) {
      const content = createHash("sha256").update(body.replace(ownTime, "")).digest("hex");
      if (isOrder && brokenBodies.has(content)) return { kind: "repeat", job: null };
      const receivedAt = clock.now();
      const meant = named === null ? null : options.findRegister(named);
      const { register, kkm } = named === null || meant === null ? polled : { register: meant, kkm: named };
      const { code, message: reason } = fault;
      jobs.transaction(() => {
        const raw = jobs.insertRaw({ site, polledKkm: polled.kkm, receivedAt, hash, body });
        const details = { order: identityOf(orderId), code, reason, problems: fault.details["problems"] };
        journal.add({ at: receivedAt, actor: "daemon", what: "order unreadable", register, site, raw, details });
        if (orderId !== null)
          events.addRefusal({ site, register, kkm, orderId, job: null, fault, printed: null, again: false });
        events.addFormatError({ site, register, kkm, orderId, fault, body, receivedAt });
      });
      log.error("an order cannot be read", { order: orderId, kkm, register, fault });
      options.wake();
      if (isOrder) {
        brokenBodies.add(hash);
        brokenBodies.add(content);
        return { kind: "refused", fault };
      }
      // No order at all: the site itself is in trouble, and is asked less often.
      unreadable = { hash, fault };
      return { kind: "site-error", fault };
    },
  };
}

/**
 * The order names a number that no register of its site is known to have. `unseen`: a register whose number is not known yet;
 * null = all are known. A site is polled for a register only after that register was identified.
 */
export function unknownKkm(kkm: Kkm | null, unseen: RegisterId | null): Fault {
  if (unseen === null) {
    const message = `no register with kkm ${kkm} is configured for this site`;
    return new Fault("register.unknown-kkm", { message, place: "kkm" });
  }
  const message = `kkm ${kkm} is not known: it may be the one of ${unseen}, which was never connected so far`;
  return new Fault("register.offline", { message, place: "kkm" });
}

export function siteRefusal(read: { readonly resultCode: number; readonly resultInfo: string }): Fault {
  const message = `the site answered resultCode ${read.resultCode}: "${read.resultInfo}"`;
  return new Fault("site.bad-answer", { message });
}

/** The order itself is wrong, whatever the daemon did with it: the report goes to the developers' address too. */
export function isMistakeOfSite({ area, code }: Fault): boolean {
  return area === "order" || code === "register.unknown-kkm" || code === "device.tax-unknown";
}
