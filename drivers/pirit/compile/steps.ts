/** The steps of this driver's programs. */
import type { Kopecks, Quantity } from "@fiscald/shared/amounts.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import type { Step } from "../../program.js";
import type { PiritRequest } from "../protocol/command-rows.js";
import type { Mark } from "../protocol/marking-commands.js";

export type PiritCommand =
  /** Sends "start of work" where it is missing, continues a waiting print and cancels a slip that was left open. */
  | { readonly kind: "prepare"; readonly startAt: LocalTime | null }
  | { readonly kind: "send"; readonly request: PiritRequest }
  | { readonly kind: "set-clock"; readonly time: LocalTime }
  /** The point of no return: sent once. `namesDocument`: its answer contains the document number. */
  | { readonly kind: "fiscal"; readonly request: PiritRequest; readonly namesDocument: boolean }
  /** The register compares its total with ours. */
  | { readonly kind: "compare-total"; readonly sum: Kopecks }
  /** The code is checked and accepted, or dropped and the receipt refused. */
  | { readonly kind: "check-mark"; readonly mark: Mark; readonly quantity: Quantity }
  /** Whether the document that was made holds tags 1125 and 1187 as they were sent: not every firmware takes them. */
  | { readonly kind: "confirm-place"; readonly internet: boolean; readonly place: string }
  /** Binds a code that was checked to the item that follows. */
  | { readonly kind: "bind-mark"; readonly mark: Mark };

export type PiritStep = Step<PiritCommand>;

/** `startAt`: time for the start of work; null = the register's own. */
export function prepare(startAt: LocalTime | null = null): PiritStep {
  return { name: "prepare", command: { kind: "prepare", startAt }, repeatable: true };
}

interface StepOptions {
  readonly optional?: boolean;
  readonly opensReceipt?: boolean;
}

export function send(name: string, request: PiritRequest, options: StepOptions = {}): PiritStep {
  return { name, command: { kind: "send", request }, repeatable: request.repeatable, ...options };
}

export function fiscal(name: string, request: PiritRequest, namesDocument = false): PiritStep {
  return { name, command: { kind: "fiscal", request, namesDocument }, repeatable: false };
}
