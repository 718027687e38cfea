import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { systemClock } from "@fiscald/shared/clock.js";
import { Fault } from "@fiscald/shared/fault.js";
import { type RegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { shortHash } from "@fiscald/shared/receipt/order-mark.js";
import { z } from "zod";
import type { Config } from "../../config/config-schema.js";
import { resendEvent, syncByOperator } from "../../console/event-actions.js";
import type { Messages } from "../../messages/messages.js";
import { commandReasons } from "../../messages/reasons/command-reasons.js";
import { OperatorActions } from "../../registers/operator/operator-actions.js";
import { Deliveries } from "../../sites/deliveries.js";
import { SiteEvents } from "../../sites/site-events.js";
import { createMetaStore, leasingSite, markForgetful } from "../../store/database/meta-store.js";
import { openDatabase } from "../../store/database/open-database.js";
import { issuersOf } from "../../store/issuers.js";
import {
  type CliContext,
  type CommonOptions,
  type ExitCode,
  exitCodes,
  loadConfigOfDaemon,
  wordsFor,
} from "../cli-context.js";
import { createDaemonClient, isUnreachable } from "../daemon-client.js";
import { keepFilesPrivate } from "../private-files.js";
import { storesOf } from "../stored-state.js";

export interface ActionOptions extends CommonOptions {
  readonly reason: string;
}

/** An operator's action. The running daemon executes it; without a daemon some actions run on the database. */
export interface CliAction {
  readonly path: string;
  readonly body: object;
  /** Null if the action needs a running daemon. */
  readonly offline: ((tools: OfflineTools) => void) | null;
  /** Printed after success. */
  readonly done: (words: Messages["commands"]) => string;
}

export type OfflineTools = ReturnType<typeof offlineTools>;

const anything = z.unknown();

export async function runAction(context: CliContext, options: ActionOptions, action: CliAction): Promise<ExitCode> {
  const config = loadConfigOfDaemon(context, options.config);
  try {
    await createDaemonClient(config).post(action.path, { ...action.body, reason: options.reason }, anything);
  } catch (error) {
    if (!isUnreachable(error) || action.offline === null) throw error;
    requireDatabase(config);
    runOffline(config, action.offline);
  }
  context.out(`${action.done(wordsFor(context, options.lang, config).commands)}\n`);
  return exitCodes.done;
}

function requireDatabase({ database }: Config): void {
  if (existsSync(database)) return;
  const message = commandReasons.noDatabase(database);
  throw new Fault("store.not-ready", { message, place: database });
}

/**
 * Works on the database while it has the daemon lock: no daemon can start meanwhile. If a daemon runs but does not
 * answer, the lock fails with `store.locked`.
 */
export function runOffline(config: Config, act: (tools: OfflineTools) => void): void {
  keepFilesPrivate(config);
  const { db, close } = openDatabase({
    path: config.database,
    clock: systemClock,
    log: silentLogger,
    pid: process.pid,
  });
  try {
    act(offlineTools(config, db));
  } finally {
    close();
  }
}

function offlineTools({ sites, registers }: Config, db: Parameters<typeof storesOf>[0]) {
  const stores = storesOf(db);
  const events = new SiteEvents({
    sites,
    registers,
    outbox: stores.outbox,
    deliveries: new Deliveries(),
    records: stores.registers,
    journal: stores.journal,
    clock: systemClock,
  });
  const actions = new OperatorActions({
    stores,
    events,
    clock: systemClock,
    log: silentLogger,
    newDigits: () => shortHash(randomUUID()),
    hasKit: (site) => leasingSite(createMetaStore(db), site).leases,
    wake: () => {},
    fleet: {
      snapshots: () => [],
      issuers: issuersOf(new Map()),
      get: () => {
        throw new Fault("daemon.unreachable", { message: commandReasons.needsDaemon });
      },
    },
  });
  const parts = {
    ...stores,
    sync: (site: string | null) => events.sync(site === null ? undefined : toSiteId(site)),
    clock: systemClock,
  };
  /** Another database printed on this register: the next start waits and compares as after a loss. */
  const declareLost = (register: RegisterId, reason: string) =>
    stores.jobs.transaction(() => {
      const at = systemClock.now();
      markForgetful(db, new Date(at).toISOString());
      stores.documents.lose(register);
      stores.journal.add({ at, actor: "operator", what: "database declared lost", register, details: { reason } });
    });
  return {
    actions,
    declareLost,
    resend: (id: number, reason: string) => void resendEvent(parts, id, reason),
    sync: (site: string | null, reason: string) => syncByOperator(parts, site === null ? null : toSiteId(site), reason),
  };
}
