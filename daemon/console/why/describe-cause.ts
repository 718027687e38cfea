/**
 * Puts a cause of why-not-printed.ts in words: one sentence about the cause, one about the next step, in each language.
 */
import { type FaultCode, type FaultText, faultCodes, hintOfGivenUp } from "@fiscald/shared/fault-codes.js";
import type { RegisterId } from "@fiscald/shared/ids.js";
import { localTime } from "../../logging/line-format.js";
import { maskText } from "../../logging/mask.js";
import { inEveryLanguage, type Language, type Messages } from "../../messages/messages.js";
import type { AskedRegister, FaultFact, NotPrintedCause } from "./why-not-printed.js";

export interface CauseView {
  readonly kind: NotPrintedCause["kind"];
  /** Code and message of the cause's fault; null = it has none. */
  readonly detail: string | null;
  readonly text: FaultText;
  readonly next: FaultText;
}

/** What the page adds, because an operator knows a register by its title and asks how long a trouble lasts. */
export interface CauseNames {
  title(register: RegisterId): string;
  /** Since when the cause lasts, wall clock; null = not known. */
  since(kind: NotPrintedCause["kind"], register: RegisterId): number | null;
}

/** What is wrong, with the number of days where it is known. */
export function faultText({ code, days }: Pick<FaultFact, "code" | "days">): FaultText {
  if (days === undefined) return faultCodes[code].text;
  if (code === "device.fn-expired") return inEveryLanguage(({ why }) => why.driveOver({ days }));
  if (code === "device.ofd-blocked") return inEveryLanguage(({ why }) => why.ofdOver({ days }));
  return faultCodes[code].text;
}

const asConfigured: CauseNames = { title: (register) => register, since: () => null };

/** `jobs`: the numbers of the jobs with this cause, for the commands of the next step. */
export function describeCause(
  cause: NotPrintedCause,
  jobs: readonly number[],
  names: CauseNames = asConfigured,
): CauseView {
  const named = nameRegister(cause, names);
  const fault = "fault" in cause ? cause.fault : null;
  return {
    kind: cause.kind,
    detail: fault === null ? null : `${fault.code}: ${maskText(fault.message)}`,
    text: inEveryLanguage((messages, language) => words(named, jobs, messages, language).text),
    next: inEveryLanguage((messages, language) => words(named, jobs, messages, language).next),
  };
}

/**
 * A cause as the operator's page shows it: the page's buttons stand for the commands, which its reader does not know.
 */
export interface PageCause {
  readonly kind: CauseView["kind"];
  readonly text: FaultText;
  /** "" = a button alone shows the next step. */
  readonly next: FaultText;
}

export function pageCause({ kind, text, next }: CauseView): PageCause {
  return { kind, text, next: withoutCommands(next) };
}

/** The text without the sentences that name a command. */
export function withoutCommands({ en, ru }: FaultText): FaultText {
  const rest = (text: string) =>
    text
      .split(/(?<=\.)\s+/)
      .filter((sentence) => !sentence.includes("`fiscald"))
      .join(" ");
  return { en: rest(en), ru: rest(ru) };
}

/** The cause with the register's name in place of its id. */
type Named<Cause> = Cause extends { readonly register: RegisterId }
  ? Omit<Cause, "register" | "other"> & {
      readonly register: string;
      readonly begun: { readonly since?: string };
    } & (Cause extends { readonly other: RegisterId } ? { readonly other: string } : unknown)
  : Cause;

function nameRegister(cause: NotPrintedCause, { title, since }: CauseNames): Named<NotPrintedCause> {
  if (!("register" in cause)) return cause;
  const at = since(cause.kind, cause.register);
  const named = { register: title(cause.register), begun: at === null ? {} : { since: second(at) } };
  return "other" in cause ? { ...cause, ...named, other: title(cause.other) } : { ...cause, ...named };
}

interface Words {
  readonly text: string;
  readonly next: string;
}

function words(
  cause: Named<NotPrintedCause>,
  numbers: readonly number[],
  { why, asked }: Messages,
  language: Language,
): Words {
  const text = (code: FaultCode) => faultCodes[code].text[language];
  const hint = (code: FaultCode) => faultCodes[code].hint[language];
  const jobs = numbers.join(" ");
  switch (cause.kind) {
    case "daemon-down":
      return why.daemonDown;
    case "store-trouble":
      return { text: why.storeTrouble({ text: text(cause.fault.code) }), next: hint(cause.fault.code) };
    case "register-blocked":
      return {
        text: why.registerBlocked({ register: cause.register, ...cause.begun, text: faultText(cause.fault)[language] }),
        next: hint(cause.fault.code),
      };
    case "register-offline":
      return {
        text: why.registerOffline({ register: cause.register, ...cause.begun, text: text(cause.fault.code) }),
        next: hint(cause.fault.code),
      };
    case "register-paused":
      return {
        text: why.registerPaused({ register: cause.register, since: second(cause.since) }),
        next: hint(cause.fault.code),
      };
    case "register-starting":
      return { text: why.registerStarting.text(cause), next: why.registerStarting.next };
    case "register-stopped":
      return { text: why.registerStopped.text(cause), next: why.registerStopped.next };
    case "register-removed":
      return { text: why.registerRemoved.text(cause), next: why.registerRemoved.next({ jobs }) };
    case "shift-closing":
      return { text: why.shiftClosing.text(cause), next: why.shiftClosing.next };
    case "printing":
      return { text: why.printing.text(cause), next: why.printing.next };
    case "waits-for-turn":
      return { text: why.waitsForTurn.text(cause), next: why.waitsForTurn.next };
    case "waits-for-other":
    case "waits-for-reading": {
      const isReading = cause.kind === "waits-for-reading";
      const waits = isReading
        ? why.waitsForReading.text(cause)
        : why.waitsForOther.text({ ...cause, text: text(cause.fault.code) });
      if (cause.trouble === null) return { text: waits, next: why.waitsForTurn.next };
      const { code } = cause.trouble;
      const next = isReading ? `${hint(code)} ${why.waitsForReading.gone(cause)}` : hint(code);
      return { text: `${waits} ${text(code)}`, next };
    }
    case "tried-again":
      return {
        text: why.triedAgain({ register: cause.register, text: text(cause.fault.code) }),
        next: hint(cause.fault.code),
      };
    case "settling":
      return {
        text: why.settling.text({ register: cause.register, text: cause.fault === null ? "" : text(cause.fault.code) }),
        next: cause.fault === null ? why.settling.next : hint(cause.fault.code),
      };
    case "unsure":
      return {
        text: `${why.unsure.text(cause)} ${cause.reason === null ? "" : why.doubt[cause.reason]}`.trim(),
        next: why.unsure.next({ jobs }),
      };
    case "held":
      return { text: why.held.text({ text: text(cause.fault.code) }), next: why.held.next({ jobs }) };
    case "failed":
      return {
        text: why.failed.text({ text: text(cause.fault.code) }),
        next: why.failed.next({ text: hintOfGivenUp(cause.fault.code)[language], jobs }),
      };
    case "refused":
      return { text: why.refused({ text: text(cause.fault.code) }), next: hint(cause.fault.code) };
    case "cancelled":
      return { text: why.cancelled({ text: text(cause.fault.code) }), next: hint(cause.fault.code) };
    case "unreadable":
      return { text: why.unreadable({ text: text(cause.fault.code) }), next: hint(cause.fault.code) };
    case "wrong-kkm":
      return { text: why.wrongKkm.text({ ...cause, asked: askedFor(cause.asked, asked) }), next: why.wrongKkm.next };
    case "site-trouble":
      return { text: why.siteTrouble(siteWords(cause, text)), next: hint(cause.fault.code) };
    case "site-html":
      return { text: why.siteHtml.text(siteWords(cause, text)), next: why.siteHtml.next };
    case "site-unreadable":
      return { text: why.siteUnreadable(siteWords(cause, text)), next: why.siteHtml.next };
    case "nobody-polls":
      return {
        text: why.nobodyPolls.text({ site: cause.site, asked: askedFor(cause.asked, asked) }),
        next: why.nobodyPolls.next,
      };
    case "not-offered":
      return {
        text: why.notOffered.text({ site: cause.site, asked: askedFor(cause.asked, asked) }),
        next: why.notOffered.next,
      };
  }
}

type SiteCause = Extract<NotPrintedCause, { kind: "site-trouble" | "site-html" | "site-unreadable" }>;

function siteWords({ site, since, fault }: SiteCause, text: (code: FaultCode) => string) {
  return { site, since: second(since), text: text(fault.code) };
}

function askedFor(registers: readonly AskedRegister[], words: Messages["asked"]): string {
  const list = registers.map(({ register, kkm, at }) => {
    if (kkm === null) return words.unknown({ register });
    return at === null ? words.never({ kkm, register }) : words.kkm({ kkm, register, at: second(at) });
  });
  return list.length === 0 ? words.nothing : list.join("; ");
}

/** A time as in the log: `2026-11-20 14:03:22`. */
function second(at: number): string {
  return localTime(at).slice(0, -".000".length);
}
