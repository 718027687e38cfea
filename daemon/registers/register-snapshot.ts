import type { Capabilities, DeviceState, Identity } from "@fiscald/drivers/fiscal-driver.js";
import type { Fault } from "@fiscald/shared/fault.js";
import type { Kkm } from "@fiscald/shared/ids.js";
import type { RegisterTables } from "@fiscald/shared/receipt/vat.js";
import type { RegisterPhase } from "./register-machine.js";
import type { RegisterSettings } from "./register-settings.js";

/** How a register is at this moment: for routing, status and the operator's page. */
export interface RegisterSnapshot {
  readonly settings: RegisterSettings;
  readonly phase: RegisterPhase;
  /** Why it is offline or blocked, or was before it began to connect anew. */
  readonly fault: Fault | null;
  /** As it introduced itself last, in this run or an earlier one; null = never seen. */
  readonly identity: Identity | null;
  readonly tables: RegisterTables | null;
  /** They were read a second time on this connection, and were the same: an order may be refused for what they say. */
  readonly tablesChecked: boolean;
  /** Null until it was connected in this run. */
  readonly capabilities: Capabilities | null;
  /** Whether it was asked, in this run, about everything that was in doubt or waiting. */
  readonly recovered: boolean;
  /** The last state that was read; null = none in this run. */
  readonly state: DeviceState | null;
  readonly jobInHand: number | null;
}

/** Its number, as it said itself or as the config expects it; null = nobody knows yet. */
export function knownKkm({ identity, settings }: Pick<RegisterSnapshot, "identity" | "settings">): Kkm | null {
  return identity?.kkm ?? settings.expectKkm;
}

/** Whether somebody is connected and answers; the state of one that does not is of an earlier time. */
export function answers({ phase }: Pick<RegisterSnapshot, "phase">): boolean {
  return phase === "ready" || phase === "busy" || phase === "recovering" || phase === "blocked";
}
