import type { Capabilities, DeviceState, Identity } from "@fiscald/drivers/fiscal-driver.js";
import type { ReceiptSetting } from "@fiscald/drivers/receipt-setting.js";
import type { Fault } from "@fiscald/shared/fault.js";
import type { Kkm } from "@fiscald/shared/ids.js";
import type { RegisterTables } from "@fiscald/shared/receipt/vat.js";
import type { RegisterPhase } from "./register-machine.js";
import type { RegisterSettings } from "./register-settings.js";

/** How a register is at this moment: for routing, status and the operator's page. */
export interface RegisterSnapshot {
  readonly settings: RegisterSettings;
  readonly phase: RegisterPhase;
  /** The right device answers; otherwise the state is an old one. */
  readonly isConnected: boolean;
  /** Why it is offline or blocked; during a reconnect, and between two tries of what no state shows, the one from before. */
  readonly fault: Fault | null;
  /** As it was identified last, in this run or an earlier one; null = never. */
  readonly identity: Identity | null;
  readonly tables: RegisterTables | null;
  /** They were read again in the last minute, for an order that they would refuse: orders may be refused by them. */
  readonly rowsConfirmed: boolean;
  /** Null until it was connected in this run. */
  readonly capabilities: Capabilities | null;
  /** Settings of the register that change receipts; none until it was connected in this run. */
  readonly receiptSettings: readonly ReceiptSetting[];
  /** Whether, in this run, a sweep has read everything that was unsure or waiting. */
  readonly recovered: boolean;
  /** The last state that was read; null = none in this run. */
  readonly state: DeviceState | null;
  /** When it was read, wall clock. What the documents since have changed is in it too. */
  readonly stateAt: number | null;
  readonly jobInHand: number | null;
  /** Since when the operator lets it take no orders, wall clock; null = it takes them. */
  readonly pausedSince: number | null;
}

/** Its number, as identified or as the config expects it; null = unknown. */
export function knownKkm({ identity, settings }: Pick<RegisterSnapshot, "identity" | "settings">): Kkm | null {
  return identity?.kkm ?? settings.expectKkm;
}
