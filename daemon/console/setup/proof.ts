/** The final check of a set-up. It is not known here whether a site checks the secret. */
import type { SiteId } from "@fiscald/shared/ids.js";
import { inEveryLanguage, type Messages } from "../../messages/messages.js";
import { isWorking } from "../../registers/register-machine.js";
import type { RegisterSnapshot } from "../../registers/register-snapshot.js";
import type { SiteHealth } from "../../sites/site-health.js";
import type { JobStore } from "../../store/job-store.js";
import type { StoredEvent } from "../../store/outbox-store.js";
import type { ConsoleParts } from "../console-parts.js";
import { type Found, toTrouble, withoutCommands } from "../troubles/found.js";
import { deviceTroubles } from "../troubles/register-troubles.js";
import { answerTrouble, unknownAnswer } from "../troubles/site-troubles.js";

export interface ProofParts extends Pick<ConsoleParts, "snapshots" | "siteHealth"> {
  readonly jobs: Pick<JobStore, "list">;
  readonly outbox: { latest(site: SiteId, kind: "sync"): Pick<StoredEvent, "state" | "tries"> | null };
}

/** `no`: a person must do something. `waits`: it may still become `yes` without a person. */
export type ProofState = "yes" | "waits" | "no";

export type ProofView = ReturnType<typeof proofView>;
export type RegisterProof = ProofView["registers"][number];

export function proofView(parts: ProofParts, now: number, startedAt: number) {
  const { snapshots, siteHealth, jobs } = parts;
  return {
    registers: snapshots().map((register) => {
      const { settings, capabilities } = register;
      const row = { id: settings.id, name: settings.title, hasPrinter: capabilities?.paper != null };
      const [printed] = jobs.list({ register: settings.id, state: "printed", limit: 1 });
      // A document that was printed in this run proves as much as a test slip of this page.
      const hasPrinted = printed !== undefined && printed.updatedAt >= startedAt;
      return { ...row, hasPrinted, ...registerProof(register, now) };
    }),
    sites: siteHealth().map((of) => ({ id: of.site, name: of.site, ...siteProof(of, parts, now) })),
  };
}

function registerProof(register: RegisterSnapshot, now: number) {
  const { phase, identity, settings } = register;
  if (isWorking(phase)) {
    const { model = "" } = identity ?? {};
    return proof("yes", (words) => (model === settings.title ? words.present : words.connected({ model })));
  }
  const [trouble] = deviceTroubles(register);
  return trouble === undefined ? proof("waits", ({ connecting }) => connecting) : disproof(trouble, now);
}

function siteProof(health: SiteHealth, { outbox }: ProofParts, now: number) {
  const { site, fault, polled, strangeAt } = health;
  if (fault?.code === "site.unauthorized") return proof("no", ({ secretUnknown }) => secretUnknown);
  const trouble = answerTrouble(health, now) ?? (strangeAt?.size ? unknownAnswer(site) : null);
  if (trouble !== null) return disproof(trouble, now);
  if (polled.size === 0) return proof("waits", ({ siteWaits }) => siteWaits);
  // Any web page may answer a poll, so a site that gets the list of registers must also have taken the list.
  const list = outbox.latest(site, "sync");
  if (list === null) return proof("yes", ({ siteAnswers }) => siteAnswers);
  if (list.state === "delivered") return proof("yes", ({ siteTakes }) => siteTakes);
  if (list.tries === 0) return proof("waits", ({ siteAsked }) => siteAsked);
  return proof("no", ({ siteRefuses }) => siteRefuses);
}

function proof(state: ProofState, say: (words: Messages["setup"]["proof"]) => string) {
  return { state, text: inEveryLanguage(({ setup }) => say(setup.proof)) };
}

/** The words are the trouble's, as on the first view. */
function disproof(trouble: Found, now: number) {
  const { text, next } = toTrouble(trouble, new Map(), now);
  const { en, ru } = withoutCommands(next);
  return { state: "no" as const, text: { en: `${text.en} ${en}`, ru: `${text.ru} ${ru}` } };
}
