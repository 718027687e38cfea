import type { TransportFactory } from "@fiscald/shared/byte-transport.js";
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault, isFault } from "@fiscald/shared/fault.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { RegisterTables, TaxRow, VatCode } from "@fiscald/shared/receipt/vat.js";
import { z } from "zod";
import type { Identity } from "./fiscal-driver.js";

export const flag = (description: string, preset = false) => z.boolean().default(preset).describe(description);

/** What a driver works with. `Options`: the result of the driver's own schema; `Timeouts`: waits by name, in ms. */
export interface DriverParts<Options, Timeouts> {
  /** Opens a pipe to the register. For ATOL's service the driver opens one for each request. */
  readonly openTransport: TransportFactory;
  readonly options: Options;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Returns a random number from 0 to below 1, for names that no earlier connection has used. */
  readonly random: () => number;
  readonly timeouts?: Partial<Timeouts> | undefined;
}

/** Takes facts from the other reading that the first lacks because the register refused a question. */
export function withMissingFacts(identity: Identity, other: Pick<Identity, "ffd" | "taxSystems">): Identity {
  const { ffd, taxSystems } = identity;
  return { ...identity, ffd: ffd ?? other.ffd, taxSystems: taxSystems === 0 ? other.taxSystems : taxSystems };
}

/** Null when the register refuses, by a fault of the area `device`. Any other fault is thrown. */
export async function unlessRefused<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (isFault(error) && error.area === "device") return null;
    throw error;
  }
}

/** Without paper a print cannot continue. The state shows the missing paper, so here the fault is ignored. */
export async function finishIfPossible(finishPrint: () => Promise<void>): Promise<void> {
  await unlessRefused(finishPrint);
}

/** Facts that `connect` has read. Fault `internal` before the first `connect`. */
export function connectedFacts<Facts>(facts: Facts | null): Facts {
  if (facts === null) throw new Fault("internal", { message: "the register was never connected" });
  return facts;
}

/** The registration number in sixteen digits, as the tax office writes it. */
export function padKkm(text: string): string {
  return /^\d+$/.test(text) ? text.padStart(16, "0") : text;
}

/** A drive with a closed archive accepts no document ever again. */
export function closedArchive(): Fault {
  return new Fault("device.fn-state", { message: "the archive of the drive is closed" });
}

const MAX_READINGS = 4;
/** Codes of tag 1199. Every register's table has at least one rate of each group. */
const expectedRates: readonly (readonly VatCode[])[] = [[1, 11], [3, 12], [2], [4], [5], [6]];

/**
 * Protects the tables from an answer that was altered on the way: goods would be sold at a wrong rate for hours. One
 * reading is enough when every row has a different rate and no rate is missing, because an altered row would show. Any
 * other table counts when two readings in a row agree. Fault `link.corrupt` when they never agree.
 */
export async function readTablesTwice(read: () => Promise<RegisterTables>): Promise<RegisterTables> {
  let last = await read();
  for (let reading = 1; reading < MAX_READINGS; reading += 1) {
    if (isWhole(last.taxes)) return last;
    const next = await read();
    if (JSON.stringify(next) === JSON.stringify(last)) return next;
    last = next;
  }
  throw new Fault("link.corrupt", { message: "the register's tables are read differently each time" });
}

function isWhole(taxes: readonly TaxRow[]): boolean {
  const rates = taxes.map(({ vat }) => vat);
  const areAllKnown = rates.every((rate, index) => rate !== null && rates.indexOf(rate) === index);
  return areAllKnown && expectedRates.every((group) => group.some((rate) => rates.includes(rate)));
}

/** Error numbers of a maker that have the same meaning here, and their name. */
export type ErrorRows = readonly (readonly [code: FaultCode, name: string, numbers: readonly number[]])[];

export function errorsByNumber(
  rows: ErrorRows,
): ReadonlyMap<number, { readonly code: FaultCode; readonly name: string }> {
  return new Map(rows.flatMap(([code, name, numbers]) => numbers.map((number) => [number, { code, name }] as const)));
}

export function makerErrorOf(error: unknown): number | null {
  if (!isFault(error)) return null;
  const { makerError } = error.details;
  return typeof makerError === "number" ? makerError : null;
}
