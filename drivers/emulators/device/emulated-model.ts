/** What a maker's `emulator.ts` exports for `openEmulator`; the common code knows nothing else of the maker. */
import { Fault } from "@fiscald/shared/fault.js";
import type { z } from "zod";
import type { FiscalCore } from "../memory/fiscal-core.js";
import type { TaxTableRow } from "../memory/registration.js";
import type { MakerProtocol } from "./maker-protocol.js";

export interface ModelOptions {
  /** Null: the maker's usual model. */
  readonly model: string | null;
  readonly protocol: string | null;
  /** Switches for facts that the sources leave unconfirmed (drivers/emulators/README.md). */
  readonly unconfirmed: Readonly<Record<string, string>>;
  /** Some devices behave differently over TCP. */
  readonly wire: "tcp" | "serial" | "loopback";
}

export interface EmulatedModel {
  readonly title: string;
  readonly columns: 32 | 42 | 48;
  readonly taxes: readonly TaxTableRow[];
  readonly paymentNames: readonly string[];
  createProtocol(core: FiscalCore): MakerProtocol;
}

/** Fault `usage.wrong` for a model, protocol or switch that this maker does not have. */
export type PrepareModel = (options: ModelOptions) => EmulatedModel;

export function chooseOne<Value extends string>(what: string, name: string, allowed: readonly Value[]): Value {
  const found = allowed.find((value) => value === name);
  if (found !== undefined) return found;
  throw new Fault("usage.wrong", { message: `${what}: no such value "${name}"; there are ${allowed.join(", ")}` });
}

/** Switches with their values, the default first. Literals keep this order; enums sort numbers. */
export type Switches = z.ZodObject<Readonly<Record<string, z.ZodLiteral<string>>>>;

export function chooseSettings<Schema extends Switches>(
  schema: Schema,
  given: Readonly<Record<string, string>>,
): z.output<Schema> {
  const rows = switchesOf(schema);
  for (const [name, value] of Object.entries(given)) {
    const row = chooseOne("--unconfirmed", name, Object.keys(rows));
    chooseOne(`--unconfirmed ${name}`, value, rows[row] ?? []);
  }
  const defaults = Object.entries(rows).map(([name, [first]]) => [name, first]);
  return schema.parse({ ...Object.fromEntries(defaults), ...given });
}

export function switchesOf(schema: Switches) {
  return Object.fromEntries(Object.entries(schema.shape).map(([name, { values }]) => [name, [...values]]));
}
