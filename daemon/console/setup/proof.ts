/**
 * The final check of a set-up: whether each register is connected, and whether each site answers and takes the secret.
 * The test slip is ordered by the person.
 */
import type { Fault } from "@fiscald/shared/fault.js";
import type { SiteId } from "@fiscald/shared/ids.js";
import { inEveryLanguage, type Messages } from "../../messages/messages.js";
import { isWorking } from "../../registers/register-machine.js";
import type { RegisterSnapshot } from "../../registers/register-snapshot.js";
import type { SiteHealth } from "../../sites/site-health.js";
import type { StoredEvent } from "../../store/outbox-store.js";
import type { ConsoleParts } from "../console-parts.js";

export interface ProofParts extends Pick<ConsoleParts, "snapshots" | "siteHealth"> {
  readonly outbox: { latest(site: SiteId, kind: "sync"): Pick<StoredEvent, "state" | "tries"> | null };
}

/** `no`: a person must do something. `waits`: it may still become `yes` without a person. */
export type ProofState = "yes" | "waits" | "no";

export type ProofView = ReturnType<typeof proofView>;
export type RegisterProof = ProofView["registers"][number];

export function proofView({ snapshots, siteHealth, outbox }: ProofParts) {
  return {
    registers: snapshots().map((register) => {
      const { settings, capabilities } = register;
      const row = { id: settings.id, name: settings.title, hasPrinter: capabilities?.paper != null };
      return { ...row, ...registerProof(register) };
    }),
    sites: siteHealth().map((health) => ({ id: health.site, name: health.site, ...siteProof(health, outbox) })),
  };
}

function registerProof({ phase, fault, identity }: RegisterSnapshot) {
  if (isWorking(phase)) return proof("yes", ({ connected }) => connected({ model: identity?.model ?? "" }));
  return fault === null ? proof("waits", ({ connecting }) => connecting) : disproof(fault);
}

function siteProof({ site, fault, polled }: SiteHealth, outbox: ProofParts["outbox"]) {
  if (fault !== null) {
    return fault.code === "site.unauthorized" ? proof("no", ({ secretUnknown }) => secretUnknown) : disproof(fault);
  }
  if (polled.size === 0) return proof("waits", ({ siteWaits }) => siteWaits);
  // An answered poll alone may be a web page. A site that gets the list of registers must also have taken the list.
  const list = outbox.latest(site, "sync");
  if (list === null) return proof("yes", ({ siteAnswers }) => siteAnswers);
  if (list.state === "delivered") return proof("yes", ({ siteTakes }) => siteTakes);
  if (list.tries === 0) return proof("waits", ({ siteAsked }) => siteAsked);
  return proof("no", ({ siteRefuses }) => siteRefuses);
}

function proof(state: ProofState, say: (words: Messages["setup"]["proof"]) => string) {
  return { state, text: inEveryLanguage(({ setup }) => say(setup.proof)) };
}

function disproof({ text, hint }: Fault) {
  return { state: "no" as const, text: { en: `${text.en} ${hint.en}`, ru: `${text.ru} ${hint.ru}` } };
}
