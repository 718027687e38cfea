import type { Kopecks, Quantity } from "@fiscald/shared/amounts.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import type { Cashier } from "@fiscald/shared/receipt/receipt.js";
import { requireCashier, type TextFields } from "../../compile/fiscal-texts.js";
import type { Capabilities } from "../../fiscal-driver.js";
import type { Step } from "../../program.js";
import type { PiritOptions } from "../options.js";
import type { PiritRequest } from "../protocol/command-rows.js";
import { MAX_PHONES, type Mark } from "../protocol/commands.js";
import { spell } from "../protocol/fields.js";
import type { RegisterFacts } from "../protocol/models.js";

export interface CompilerSetup {
  readonly facts: RegisterFacts;
  readonly capabilities: Capabilities;
  readonly options: PiritOptions;
}

export type PiritCommand =
  /** Sends "start of work" where it is missing, continues a waiting print and cancels a slip that was left open. */
  | { readonly kind: "prepare"; readonly startAt: LocalTime | null }
  | { readonly kind: "send"; readonly request: PiritRequest }
  | { readonly kind: "set-clock"; readonly time: LocalTime }
  /** The point of no return: sent once. `namesDocument`: its answer has the document number. */
  | { readonly kind: "fiscal"; readonly request: PiritRequest; readonly namesDocument: boolean }
  | { readonly kind: "compare-total"; readonly sum: Kopecks }
  /** The code is checked and accepted; a refused code is dropped, and the receipt with it. */
  | { readonly kind: "check-mark"; readonly mark: Mark; readonly quantity: Quantity }
  /** Checks that the document has tags 1125 and 1187 as they were sent: not every firmware takes them. */
  | { readonly kind: "confirm-place"; readonly internet: boolean; readonly place: string }
  | { readonly kind: "bind-mark"; readonly mark: Mark };

export type PiritStep = Step<PiritCommand>;

/** `startAt`: time for the start of work. Null: the register's own time. */
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

/** A receipt without a cashier needs this name: tag 1021 may not be empty here (PIRIT protocol, 10: reason 33). */
export const UNNAMED_CASHIER = "Кассир";

export const textFields: TextFields = { spell, joinedPhones: MAX_PHONES };

/** `&` separates INN and name. Fault `receipt.unsupported` for a longer name. */
export function operatorOf(cashier: Cashier | null): string {
  if (cashier === null) return UNNAMED_CASHIER;
  requireCashier(cashier, textFields);
  const name = cashier.name.replaceAll("&", " ");
  return cashier.inn === null ? name : `${cashier.inn}&${name}`;
}
