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
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly newId: () => string;
  readonly pid: number;
  readonly log: Logger;
  /** The config file that the set-up page changes; absent = the page shows no config. */
  readonly runningConfig?: RunningConfig;
  /** Absent: the operator's page cannot offer a support file. */
  readonly makeSupportFile?: () => Promise<SupportFile>;
  /** Ends this run as a stop does; absent = nobody may stop the daemon through the console. */
  readonly stop?: () => void;
  /** The daemon cannot go on and must be stopped. */
  readonly onFatal?: (fault: Fault) => void;
  /** Waiting times for tests and the fault campaign, in place of the production times. */
  readonly timings?: RegisterTimings;
  readonly driverTimeouts?: Readonly<Record<string, number>>;
  readonly hooks?: CampaignHooks;
}

/** Hooks of the fault campaign (test/tools/campaign), which break a safeguard or fill the disk. No config sets them. */
export interface CampaignHooks {
  readonly decideRepeat?: typeof decideRepeat;
  readonly wrapStores?: (stores: Stores) => Stores;
  readonly wrapDriver?: (driver: FiscalDriver) => FiscalDriver;
  readonly wrapTransport?: (open: TransportFactory) => TransportFactory;
  readonly listPorts?: ListSerialPorts;
  readonly onDatabase?: (db: OpenedDatabase["db"]) => void;
}
