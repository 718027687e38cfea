import type { Capabilities, DeviceState, Identity } from "@fiscald/drivers/fiscal-driver.js";
import type { ReceiptSetting } from "@fiscald/drivers/receipt-setting.js";
import type { Fault } from "@fiscald/shared/fault.js";
import type { Kkm } from "@fiscald/shared/ids.js";
import { localTimeAt } from "@fiscald/shared/local-time.js";
import type { RegisterTables } from "@fiscald/shared/receipt/vat.js";
import type { RegisterPhase } from "./register-machine.js";
import type { RegisterSettings } from "./register-settings.js";

export interface RegisterSnapshot {
  readonly settings: RegisterSettings;
  readonly phase: RegisterPhase;
  /** The right device answers. If not, the state is an old one. */
  readonly isConnected: boolean;
  /** Why the register is offline or blocked; during a reconnect or another try, the earlier fault. */
  readonly fault: Fault | null;
  /** The identity that was read last, in this run or an earlier one; null = none was ever read. */
  readonly identity: Identity | null;
  readonly tables: RegisterTables | null;
  /** The tax rows were read again in the last minute for an order that they would refuse, so they may now refuse it. */
  readonly rowsConfirmed: boolean;
  /** Null until the register was connected in this run. */
  readonly capabilities: Capabilities | null;
  /** The register's own settings that change receipts; empty until the register was connected in this run. */
  readonly receiptSettings: readonly ReceiptSetting[];
  /** A sweep of this run has read everything that was unsure or waiting. */
  readonly recovered: boolean;
  /** Null: no state was read in this run. */
  readonly state: DeviceState | null;
  /** When the state was read, by the wall clock in ms. The state also holds what later documents have changed. */
  readonly stateAt: number | null;
  readonly jobInHand: number | null;
  /** Since when the operator's pause keeps orders from the register, by the wall clock in ms; null = no pause. */
  readonly pausedSince: number | null;
}

/** The register's number, as it was identified or as the config expects it; null = unknown. */
export function knownKkm({ identity, settings }: Pick<RegisterSnapshot, "identity" | "settings">): Kkm | null {
  return identity?.kkm ?? settings.expectKkm;
}

/** A day as `2026-11-20`, in the zone of the register's shop; `register` is undefined when the config lacks it. */
export function dayAt(at: number, register: Pick<RegisterSnapshot, "settings"> | undefined): string {
  return localTimeAt(at, register?.settings.timeZone ?? "Europe/Moscow").slice(0, 10);
}

/** Today by the register's own clock, which dates its documents, or else by this computer's clock. */
export function todayOf(register: Pick<RegisterSnapshot, "settings" | "state"> | undefined, now: number): string {
  return register?.state?.clock?.slice(0, 10) ?? dayAt(now, register);
}
