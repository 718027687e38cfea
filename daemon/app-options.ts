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

export interface AppOptions {
  readonly config: Config;
  readonly clock: Clock;
  /** A random number in [0, 1). */
  readonly random: () => number;
  /** A fresh id, globally unique. */
  readonly newId: () => string;
  readonly pid: number;
  readonly log: Logger;
  /** The newest lines of `log`, for the console. */
  readonly logTail: LogTail;
  /** The config file that the set-up page changes; absent = that page shows no config. */
  readonly runningConfig?: RunningConfig;
  /** Makes the support file for the operator's page; absent = the page cannot offer one. */
  readonly makeSupportFile?: () => Promise<SupportFile>;
  /** Ends this run as a stop does; absent = nobody may stop it through the console. */
  readonly stop?: () => void;
  /** The daemon cannot go on: it is to be stopped, with this fault. */
  readonly onFatal?: (fault: Fault) => void;
  /** Other waiting times than the production ones: for tests and the fault campaign. */
  readonly timings?: RegisterTimings;
  readonly driverTimeouts?: Readonly<Record<string, number>>;
  readonly hooks?: CampaignHooks;
}

/**
 * Hooks of the fault campaign (test/tools/campaign): to break one of the safeguards of "exactly once" and see that the
 * campaign notices, and to fill the disk. Only code passes these to `createApp`; no config key does.
 */
export interface CampaignHooks {
  /** Decides what a repeated order means, in place of `decideRepeat`. */
  readonly decideRepeat?: typeof decideRepeat;
  /** Wraps the stores that the registers read and write. */
  readonly wrapStores?: (stores: Stores) => Stores;
  readonly wrapDriver?: (driver: FiscalDriver) => FiscalDriver;
  /** Wraps the byte pipe between a driver and its device. */
  readonly wrapTransport?: (open: TransportFactory) => TransportFactory;
  /** Lists these serial ports in place of this machine's. */
  readonly listPorts?: ListSerialPorts;
  readonly onDatabase?: (db: OpenedDatabase["db"]) => void;
}
