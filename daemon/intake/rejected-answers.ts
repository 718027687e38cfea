/** Answers that did not become a receipt are stored for support, reported to the site once, and not soon read again. */
import { createHash } from "node:crypto";
import { Fault } from "@fiscald/shared/fault.js";
import type { Kkm, ReceiptId, RegisterId } from "@fiscald/shared/ids.js";
import type { BrokenOrder, ReadOrder } from "@fiscald/shared/receipt/formats/read-order.js";
import { identityOf, keyOfId } from "@fiscald/shared/receipt/order-key.js";
import { findingTexts } from "@fiscald/shared/site-check/finding-texts.js";
import type { JournalWord } from "../messages/messages.js";
import { orderReasons } from "../messages/reasons/order-reasons.js";
import { isLive, type Job } from "../store/job.js";
import { NO_ORDER } from "../store/journal.js";
import type { OrderIntakeOptions, PolledAnswer, RejectedAnswer } from "./intake-parts.js";
import { TtlSet } from "./ttl-set.js";

/** The same body is read and reported once in this time. */
const SAME_BODY_MS = 10 * 60_000;
const SAME_FORM_MS = 24 * 60 * 60_000;
/** The time at which the site answered, in the online format. Spaces are bounded, as a long run would take minutes. */
const ownTime = /,?\s{0,20}"timestamp"\s{0,20}:\s{0,20}"[^"]*"/gi;

export class RejectedAnswers {
  private unreadable: { readonly hash: string; readonly fault: Fault } | null = null;
  private readonly seen: TtlSet;

  constructor(private readonly options: OrderIntakeOptions) {
    this.seen = new TtlSet(options.clock);
  }

  /** Null: the body was not refused before. */
  known(hash: string): RejectedAnswer | null {
    if (this.seen.has(`broken ${hash}`)) return { kind: "repeat", job: null };
    return this.unreadable?.hash === hash ? { kind: "site-error", fault: this.unreadable.fault } : null;
  }

  /** If a receipt came with the error, the order may be handed out for good, and support must find it. */
  siteError(answer: PolledAnswer, hash: string, refusal: Extract<ReadOrder, { kind: "refusal" }>): RejectedAnswer {
    const { resultCode, resultInfo: reason, receiptWithheld } = refusal;
    if (receiptWithheld && !this.seen.has(`withheld ${hash}`)) {
      const { register, kkm } = answer;
      const what = "a receipt beside an error, not printed";
      const raw = this.options.jobs.transaction(() => this.keep(answer, hash, what, { reason }));
      this.seen.add(`withheld ${hash}`, SAME_BODY_MS);
      const fields = { kkm, register, raw, reason };
      this.options.log.warn("the site sent an error and a receipt: the receipt is not printed", fields);
    }
    const message = findingTexts.refused(resultCode, reason);
    return { kind: "site-error", fault: new Fault("site.bad-answer", { message }) };
  }

  /** Reports an answer that is neither "nothing" nor an order, once per form. Polling goes on as before. */
  reportUnknown(answer: PolledAnswer, read: Extract<ReadOrder, { kind: "unknown" }>): RejectedAnswer {
    const { form, fault } = read;
    if (this.seen.has(`form ${form}`)) return { kind: "strange" };
    const { site, jobs, events, clock, log } = this.options;
    const { register, kkm, body } = answer;
    jobs.transaction(() => {
      this.keep(answer, form, "unknown answer", { code: fault.code, reason: fault.message, ru: fault.ru });
      events.addFormatError({ site, register, kkm, orderId: null, fault, body, receivedAt: clock.now() });
    });
    this.seen.add(`form ${form}`, SAME_FORM_MS);
    log.warn("the site's answer is neither an order nor an empty one", { kkm, register, fault });
    this.options.wake();
    return { kind: "strange" };
  }

  refuse(answer: PolledAnswer, hash: string, why: Omit<BrokenOrder, "kind">): RejectedAnswer {
    const { fault, orderId, receiptId, kkm: named, isOrder, oversights = [] } = why;
    const { body } = answer;
    const content = createHash("sha256").update(body.replace(ownTime, "")).digest("hex");
    if (isOrder && this.seen.has(`broken ${content}`)) return { kind: "repeat", job: null };
    const { site, jobs, events, clock, log } = this.options;
    const meant = named === null ? null : this.options.registers.findRegister(named);
    const { register, kkm } = named === null || meant === null ? answer : { register: meant, kkm: named };
    const order = { site, register, kkm, fault };
    jobs.transaction(() => {
      const { code, message: reason, ru, details } = fault;
      const said = { order: identityOf(orderId), code, reason, ru, problems: details["problems"] };
      this.keep({ ...answer, register }, content, details["isHtml"] === true ? NO_ORDER : "order unreadable", said);
      const done = receiptId === null ? undefined : this.findDone(receiptId);
      // "Failed" would pass for the outcome of a receipt that is printed or may be. Its own result is the answer.
      const isDone = done !== undefined && (orderId === null || done.orderId === identityOf(orderId));
      if ((orderId !== null || receiptId !== null) && !isDone) {
        const told = done === undefined ? receiptId : null;
        const warnings = oversights.map(({ path, ru }) => ({ path, message: ru }));
        events.addRefusal({ ...order, orderId, receiptId: told, job: null, printed: null, again: false, warnings });
      }
      events.addFormatError({ ...order, orderId, body, receivedAt: clock.now() });
    });
    log.error("an order cannot be read", { order: orderId, kkm, register, fault });
    this.options.wake();
    if (isOrder) {
      // The body is also remembered without the site's own time, which would make every body a new one.
      for (const known of [hash, content]) this.seen.add(`broken ${known}`, SAME_BODY_MS);
      return { kind: "refused", fault };
    }
    // The answer is no order at all. The site itself is in trouble, and is asked less often.
    this.unreadable = { hash, fault };
    return { kind: "site-error", fault };
  }

  private findDone(receiptId: ReceiptId): Job | undefined {
    const { site, jobs } = this.options;
    const { key, version } = keyOfId(site, receiptId);
    return jobs.findByKey(site, key, version).find(isLive);
  }

  /** Answers with one `hash` are one entry of the list of unreadable answers (journal.ts). */
  private keep(
    { register, kkm, body }: PolledAnswer,
    hash: string,
    what: JournalWord,
    details: Record<string, unknown>,
  ) {
    const { site, jobs, journal, clock } = this.options;
    const at = clock.now();
    const raw = jobs.insertRaw({ site, polledKkm: kkm, receivedAt: at, hash, body });
    journal.add({ at, actor: "daemon", what, register, site, raw, details });
    return raw;
  }
}

/** `unseen` is a register whose number is not known yet; null = all numbers of the site are known. */
export function unknownKkm(kkm: Kkm | null, unseen: RegisterId | null): Fault {
  if (unseen === null) {
    const message = orderReasons.noKkmOfSite({ kkm: String(kkm) });
    return new Fault("register.unknown-kkm", { message, place: "kkm" });
  }
  const message = orderReasons.unseenKkm({ kkm: kkm ?? "", register: unseen });
  return new Fault("register.offline", { message, place: "kkm" });
}

/** Whether the order itself is wrong. The report then goes to the developers' address as well. */
export function isMistakeOfSite({ area, code }: Fault): boolean {
  return area === "order" || code === "register.unknown-kkm" || code === "device.tax-unknown";
}
