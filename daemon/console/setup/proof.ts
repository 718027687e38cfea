/**
 * The proof of a set-up: whether each register is connected and each site answers and takes the secret. A test slip is
 * printed by the person, as an action.
 */
import type { FaultText } from "@fiscald/shared/fault-codes.js";
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

/** `no`: a person must do something; `waits`: it may still become `yes` by itself. */
export type ProofState = "yes" | "waits" | "no";

export interface ProofRow {
  readonly id: string;
  readonly name: string;
  readonly state: ProofState;
  readonly text: FaultText;
}

export interface RegisterProof extends ProofRow {
  readonly hasPrinter: boolean;
}

export interface ProofView {
  readonly registers: readonly RegisterProof[];
  readonly sites: readonly ProofRow[];
}

export function proofView({ snapshots, siteHealth, outbox }: ProofParts): ProofView {
  return {
    registers: snapshots().map(registerProof),
    sites: siteHealth().map((health) => siteProof(health, outbox)),
  };
}

function registerProof({ settings, phase, fault, identity, capabilities }: RegisterSnapshot): RegisterProof {
  const row = { id: settings.id, name: settings.title, hasPrinter: capabilities?.paper != null };
  if (isWorking(phase)) {
    return { ...row, state: "yes", text: said(({ connected }) => connected({ model: identity?.model ?? "" })) };
  }
  if (fault === null) return { ...row, state: "waits", text: said(({ connecting }) => connecting) };
  const { text, hint } = fault;
  return { ...row, state: "no", text: { en: `${text.en} ${hint.en}`, ru: `${text.ru} ${hint.ru}` } };
}

function siteProof({ site, fault, polled }: SiteHealth, outbox: ProofParts["outbox"]): ProofRow {
  const row = { id: site, name: site };
  if (fault !== null) {
    const { text, hint } = fault;
    if (fault.code === "site.unauthorized") return { ...row, state: "no", text: said((words) => words.secretUnknown) };
    return { ...row, state: "no", text: { en: `${text.en} ${hint.en}`, ru: `${text.ru} ${hint.ru}` } };
  }
  if (polled.size === 0) return { ...row, state: "waits", text: said(({ siteWaits }) => siteWaits) };
  // An answered poll alone may be a web page: the site must have taken the list of registers, too, if it gets one.
  const list = outbox.latest(site, "sync");
  if (list === null) return { ...row, state: "yes", text: said(({ siteAnswers }) => siteAnswers) };
  if (list.state === "delivered") return { ...row, state: "yes", text: said(({ siteTakes }) => siteTakes) };
  if (list.tries === 0) return { ...row, state: "waits", text: said(({ siteAsked }) => siteAsked) };
  return { ...row, state: "no", text: said(({ siteRefuses }) => siteRefuses) };
}

function said(text: (words: Messages["setup"]["proof"]) => string): FaultText {
  return inEveryLanguage(({ setup }) => text(setup.proof));
}
