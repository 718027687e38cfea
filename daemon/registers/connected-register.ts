import { withMissingFacts } from "@fiscald/drivers/driver-parts.js";
import type { Capabilities, DeviceState, Identity, KnownShift } from "@fiscald/drivers/fiscal-driver.js";
import { haveChanged, type ReceiptSetting, signatureOf, withEarlier } from "@fiscald/drivers/receipt-setting.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { RegisterTables } from "@fiscald/shared/receipt/vat.js";
import type { CheckedRegister } from "../store/document-checks.js";
import type { RegisterRecord, ReportedModel } from "../store/register-store.js";
import type { JobRecorder } from "./job-recorder.js";
import type { RegisterContext } from "./register-context.js";

export interface ConnectedRegister {
  readonly identity: Identity;
  readonly tables: RegisterTables;
  readonly capabilities: Capabilities;
  readonly settings: readonly ReceiptSetting[];
}

export interface RegisterTools {
  readonly context: RegisterContext;
  readonly recorder: JobRecorder;
  readonly connected: ConnectedRegister;
  /** No sweep of this run has read everything, so the database may not be the one that knew this register. */
  readonly isFirst: boolean;
  readonly signal: AbortSignal;
}

/** Throws `link.lost` when the drive was changed since the connect, so that the register is connected again. */
export function requireSameDrive(
  { identity: { fn } }: { readonly identity: Pick<Identity, "fn"> },
  state: Pick<DeviceState, "fn">,
): void {
  if (state.fn !== fn) throw new Fault("link.lost", { message: `the fiscal drive is ${state.fn}, it was ${fn}` });
}

/**
 * Reads identity and settings again, and adds what the connect could not read. Throws `link.lost` when two readings
 * differ from those of the connect, as after a re-registration: everything is then read once more on a new connection.
 */
export async function requireAsConnected(
  { driver }: Pick<RegisterContext, "driver">,
  connected: ConnectedRegister,
  signal: AbortSignal,
): Promise<ConnectedRegister> {
  const { identity, settings } = connected;
  for (const _reading of ["first", "second"]) {
    const now = (await driver.readIdentity?.(signal)) ?? identity;
    const read = (await driver.readSettings?.(signal)) ?? settings;
    const complete = withMissingFacts(identity, now);
    const isSame = JSON.stringify(withMissingFacts(now, identity)) === JSON.stringify(complete);
    if (!isSame || haveChanged(settings, read)) continue;
    const found = { identity: complete, settings: withEarlier(read, settings) };
    const isNews = JSON.stringify(found) !== JSON.stringify({ identity, settings });
    return isNews ? { ...connected, ...found, capabilities: driver.capabilities } : connected;
  }
  throw new Fault("link.lost", {
    message: "the register's registration or settings have changed: it is connected again",
  });
}

export function provenModelOf({
  identity,
  capabilities,
}: Pick<ConnectedRegister, "identity" | "capabilities">): ReportedModel {
  return { maker: capabilities.maker, model: identity.model, firmware: identity.firmware };
}

/** Whether model and firmware take tag 1084 (additional user property), which holds the order mark. */
export function takesUserProperty(connected: ConnectedRegister, { stores }: Pick<RegisterContext, "stores">): boolean {
  return connected.capabilities.fiscal.orderMark && !stores.registers.refusesMarks(provenModelOf(connected));
}

export function writesMarks(
  connected: ConnectedRegister,
  context: Pick<RegisterContext, "settings" | "stores">,
): boolean {
  return context.settings.orderMark && takesUserProperty(connected, context);
}

/** The opening of the shift on record. With it a driver need not search the whole shift for the opening. */
export function knownShiftOf(record: RegisterRecord | null): KnownShift | undefined {
  const openedAt = record?.shift?.openedAt ?? null;
  if (record?.shift == null || record.shift.state === "closed" || openedAt === null) return undefined;
  return { fn: record.fn, shift: record.shift.number, openedAt };
}

export interface OpenRegister {
  readonly context: Pick<RegisterContext, "settings">;
  readonly connected: ConnectedRegister;
}

const checked = new WeakMap<ConnectedRegister, CheckedRegister>();

/** Comparisons of documents with what was sent count only for this model, drive, tables and settings. */
export function checkedRegisterOf({ context: { settings }, connected }: OpenRegister): CheckedRegister {
  const known = checked.get(connected);
  if (known !== undefined) return known;
  const { identity, tables } = connected;
  const model = provenModelOf(connected);
  const registration = JSON.stringify([identity.kkm, identity.inn, identity.ffd, identity.taxSystems]);
  const basis = JSON.stringify([identity.fn, model, registration, tables, signatureOf(connected.settings)]);
  const made = { register: settings.id, fn: identity.fn, model, registration, basis };
  checked.set(connected, made);
  return made;
}
