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
import type { Stores } from "./registers/register-context.js";
import type { RegisterTimings } from "./registers/register-settings.js";
import type { OpenedDatabase } from "./store/database/open-database.js";

export interface AppOptions {
  readonly config: Config;
  readonly clock: Clock;
  /** Returns a random number from 0 to below 1. */
  readonly random: () => number;
  /** Returns a new, globally unique id. */
  readonly newId: () => string;
  readonly pid: number;
  readonly log: Logger;
  /** The config file that the set-up page changes; absent = the page shows no config. */
  readonly runningConfig?: RunningConfig;
  /** Makes the support file for the operator's page; absent = the page cannot offer one. */
  readonly makeSupportFile?: () => Promise<SupportFile>;
  /** Ends this run as a stop does; absent = nobody may stop it through the console. */
  readonly stop?: () => void;
  /** Called when the daemon cannot go on and must be stopped with this fault. */
  readonly onFatal?: (fault: Fault) => void;
  /** Waiting times other than the production ones, for tests and the fault campaign. */
  readonly timings?: RegisterTimings;
  readonly driverTimeouts?: Readonly<Record<string, number>>;
  readonly hooks?: CampaignHooks;
}

/**
 * Hooks of the fault campaign (test/tools/campaign). A hook breaks one of the safeguards of "exactly once", to see that
 * the campaign notices, or fills the disk. Only code passes hooks to `createApp`; no config key does.
 */
export interface CampaignHooks {
  /** Decides what a repeated order means, instead of `decideRepeat`. */
  readonly decideRepeat?: typeof decideRepeat;
  /** Wraps the stores that the registers read and write. */
  readonly wrapStores?: (stores: Stores) => Stores;
  readonly wrapDriver?: (driver: FiscalDriver) => FiscalDriver;
  /** Wraps the byte pipe between a driver and its device. */
  readonly wrapTransport?: (open: TransportFactory) => TransportFactory;
  /** Lists these serial ports instead of this machine's. */
  readonly listPorts?: ListSerialPorts;
  readonly onDatabase?: (db: OpenedDatabase["db"]) => void;
}
