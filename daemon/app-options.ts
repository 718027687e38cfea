import type { FiscalDriver } from "@fiscald/drivers/fiscal-driver.js";
import type { ListSerialPorts } from "@fiscald/drivers/transport/serial-ports.js";
import type { TransportFactory } from "@fiscald/shared/byte-transport.js";
import type { Clock } from "@fiscald/shared/clock.js";
import type { Fault } from "@fiscald/shared/fault.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { decideRepeat } from "@fiscald/shared/receipt/repeats/decide-repeat.js";
import type { Config } from "./config/config-schema.js";
import type { SupportFile } from "./console/console-parts.js";
import type { RunningConfig } from "./console/setup/change-api.js";
import type { LogTail } from "./logging/log-tail.js";
import type { Stores } from "./registers/register-context.js";
import type { RegisterTimings } from "./registers/register-settings.js";
import type { OpenedDatabase } from "./store/database/open-database.js";

/** Options of `createApp`. */
export interface AppOptions {
  readonly config: Config;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  /** A fresh id, globally unique. */
  readonly newId: () => string;
  readonly pid: number;
  readonly log: Logger;
  /** The newest lines of `log`, for the console. */
  readonly logTail: LogTail;
  /** For the set-up page to change; absent = it shows none. */
  readonly runningConfig?: RunningConfig;
  /** For the operator's page to hand out; absent = it cannot. */
  readonly makeSupportFile?: () => Promise<SupportFile>;
  /** The daemon cannot go on: it is to be stopped, with this fault. */
  readonly onFatal?: (fault: Fault) => void;
  /** Other waits than the production ones: for tests and the fault campaign. */
  readonly timings?: RegisterTimings;
  readonly driverTimeouts?: Readonly<Record<string, number>>;
  readonly hooks?: CampaignHooks;
}

/**
 * Hooks of the fault campaign: to break one of the nets under "exactly once" and see that the campaign notices, and
 * to fill the disk. Only code passes these to `createApp`; no config key does.
 */
export interface CampaignHooks {
  /** What a repeated order means, instead of `decideRepeat`. */
  readonly decideRepeat?: typeof decideRepeat;
  /** Wraps what the registers read and write. */
  readonly wrapStores?: (stores: Stores) => Stores;
  readonly wrapDriver?: (driver: FiscalDriver) => FiscalDriver;
  /** Wraps the byte pipe between a driver and its device. */
  readonly wrapTransport?: (open: TransportFactory) => TransportFactory;
  /** Serial ports instead of this machine's. */
  readonly listPorts?: ListSerialPorts;
  readonly onDatabase?: (db: OpenedDatabase["db"]) => void;
}
