/** Handles an order that is already known: nothing is done, or its stored result is sent again. */
import type { Fault } from "@fiscald/shared/fault.js";
import {
  type Known,
  type RepeatRefusal,
  type RepeatWarning,
  warningTexts,
} from "@fiscald/shared/receipt/repeats/repeat-decision.js";
import { inEveryLanguage, type JournalWord } from "../messages/messages.js";
import type { EarlierJob } from "../sites/earlier-jobs.js";
import type { Job } from "../store/job.js";
import { isSetAside, questionOf } from "../store/journal.js";
import type { AcceptResult, OrderIntakeOptions } from "./intake-parts.js";
import { TtlSet } from "./ttl-set.js";

/** The shortest time between two entries about repeats in an order's history. */
const NOTE_MS = 10 * 60_000;
/** The shortest time before an order's stored result is sent again. */
const RESEND_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** Warnings that are also a part of the order's result. */
const toldToSite: readonly JournalWord[] = [warningTexts["other-lines"], warningTexts["sale-unknown"]];

export class KnownOrders {
  private readonly said: TtlSet;

  constructor(private readonly options: OrderIntakeOptions) {
    this.said = new TtlSet(options.clock);
  }

  answer({ action, of: { job }, reason, warning }: Known<EarlierJob>): AcceptResult {
    if (warning !== null) this.warn(warning, job);
    return action === "ignore" ? this.ignore(job, reason) : this.resend(job, reason);
  }

  private ignore(job: Job, reason: string): AcceptResult {
    const { jobs, log } = this.options;
    // The level is `debug` because repeats are common, and a receipt without trouble has only three lines at `info`.
    log.debug("known order, nothing to do", { job: job.id, order: job.orderId, reason });
    // A site may repeat the order at every poll.
    if (!this.said.has(`noted ${job.id}`)) {
      jobs.transaction(() => this.note("order repeated, nothing to do", job, { reason }));
      this.said.add(`noted ${job.id}`, NOTE_MS);
    }
    return { kind: "repeat", job };
  }

  ignoreFromOtherSite(job: Job): AcceptResult {
    const { site, isConfigured, log } = this.options;
    const result =
      job.site !== null && isConfigured(job.site)
        ? "whose site gets the result: both sites lead to one store"
        : `which the config no longer has, so no site gets its result: if ${site} is that site, write "renamedFrom": "${job.site}" there`;
    const reason = `this very receipt came from the site ${job.site}, ${result}`;
    const fields = { job: job.id, order: job.orderId, reason };
    if (!this.said.has(`noted ${job.id}`)) log.warn("an order is not taken a second time", fields);
    return this.ignore(job, reason);
  }

  resend(job: Job, reason: string): AcceptResult {
    const { jobs, events, log, wake } = this.options;
    const resend = () => {
      const isArmed = events.resendResult(job);
      if (isArmed) this.note("order repeated, result sent again", job, { reason });
      return isArmed;
    };
    if (!this.said.has(`resent ${job.id}`) && jobs.transaction(resend)) {
      log.info("a known order came again: its result is sent again", { job: job.id, order: job.orderId, reason });
      this.said.add(`resent ${job.id}`, RESEND_MS);
      wake();
    }
    return { kind: "repeat", job };
  }

  /** Two refusals ask the same question even when the receipt that they name was first a job and then a document. */
  isSameRefusal(
    job: Job,
    { code, message }: Fault,
    { asks, because }: Pick<RepeatRefusal<EarlierJob | null>, "asks" | "because">,
  ) {
    if (asks === null) return job.fault?.code === code && job.fault.message === message;
    const question = questionOf(this.options.journal, job);
    return question?.asks === asks && question.earlier === because?.id;
  }

  /**
   * An order that a person is asked about is reported as refused once a day. Null: the order is a new question, as is a
   * return that its site offers again although it has heard that the return repeats an earlier one, and a sale that was
   * set aside on another day.
   */
  refuseAgain(refused: Job, reason: string, asks: RepeatRefusal<EarlierJob>["asks"]): AcceptResult | null {
    const isAnswered = asks !== null && isSetAside(this.options.journal, refused);
    if (isAnswered && asks === "return-again") return null;
    if (asks !== null && !this.isFirstToday(`asked ${refused.id}`)) return { kind: "repeat", job: refused };
    return isAnswered ? null : this.resend(refused, reason);
  }

  /** Warns once a day for each job, or once a day for the site if the warning is about how it makes ids. */
  private warn(warning: RepeatWarning, job: Job): void {
    if (!this.isFirstToday(warning === "new-id-each-time" ? warning : `${warning} ${job.id}`)) return;
    const problem = warningTexts[warning];
    const isNoted = this.options.journal.ofJob(job.id).some(({ what }) => what === problem);
    if (!isNoted) this.options.jobs.transaction(() => this.note(problem, job));
    this.options.log.warn("an order is odd", { job: job.id, order: job.orderId, problem });
  }

  isFirstToday(said: string): boolean {
    const isFirst = !this.said.has(said);
    if (isFirst) this.said.add(said, DAY_MS);
    return isFirst;
  }

  note(what: JournalWord, { id, register, raw }: Job, details: Readonly<Record<string, unknown>> = {}): void {
    const { site, journal, clock } = this.options;
    const text = inEveryLanguage(({ journal: words }) => words[what]);
    const said = toldToSite.includes(what) ? { warnings: [{ path: "", text }], ...details } : details;
    journal.add({ at: clock.now(), actor: "daemon", what, job: id, register, site, raw, details: said });
  }
}
