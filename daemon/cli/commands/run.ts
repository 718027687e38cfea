import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { renameSync } from "node:fs";
import { Writable } from "node:stream";
import { systemClock } from "@fiscald/shared/clock.js";
import { type Fault, toFault } from "@fiscald/shared/fault.js";
import { App } from "../../app.js";
import type { Config } from "../../config/config-schema.js";
import { configAdvice, findUnusableRegisters } from "../../config/cross-checks.js";
import { createLogger } from "../../logging/create-logger.js";
import { secretsIn } from "../../logging/mask.js";
import { findRefusedEmulators, refusedFault } from "../../setup/emulated.js";
import { portsOf, requireFreePorts } from "../busy-ports.js";
import {
  configPathOf,
  type ExitCode,
  exitCodeOf,
  exitCodes,
  isMissing,
  loadCliConfig,
  type Session,
} from "../cli-context.js";
import { keepFilesPrivate } from "../private-files.js";
import { runProcess } from "../service/machine.js";
import { createSupervisor } from "../service/supervisor.js";
import { runSetup } from "./run-setup.js";

export async function runDaemon(session: Session): Promise<ExitCode> {
  const { context, options } = session;
  const path = configPathOf(context, options.config);
  // With `--config` a missing file is an error, because the path may be mistyped.
  const needsSetup = options.config === undefined && isMissing(path);
  if (needsSetup && !(await runSetup(session, path, { isRunNext: true }))) return exitCodes.done;
  let start: Start = { former: null, notStarted: null };
  for (;;) {
    const end = await runOnce(session, path, start);
    if (typeof end === "number") return end;
    start = end;
  }
}

interface Start {
  /** The path of the config before a change by the set-up page; null: this config is not new. */
  readonly former: string | null;
  /** Why the changed config could not start, so that this run has the earlier config; null: no change failed. */
  readonly notStarted: Fault | null;
}

/** Resolves with the start of the next run when the page has changed the config or the changed config cannot start. */
async function runOnce(session: Session, path: string, { former, notStarted }: Start): Promise<ExitCode | Start> {
  const { context } = session;
  let config: Config;
  try {
    config = loadCliConfig(session);
  } catch (error) {
    if (former === null) throw error;
    return giveBack(former, path, toFault(error, "internal"));
  }
  keepFilesPrivate(config);
  const terminal = new Writable({
    decodeStrings: false,
    write(chunk: unknown, _encoding, done) {
      context.out(String(chunk));
      done();
    },
  });
  const { logger, close } = createLogger({
    settings: config.log,
    outputs: [terminal],
    now: systemClock.now,
    secrets: secretsIn(config),
  });
  const supervisor = createSupervisor({
    env: context.env,
    pid: process.pid,
    clock: systemClock,
    log: logger,
    run: runProcess,
  });
  const failing = new AbortController();
  const restarting = new AbortController();
  const leaving = new AbortController();
  let next: string | null = null;
  let isStarted = false;
  try {
    if (notStarted !== null)
      logger.error("the changed config could not start: the former one is back", { fault: notStarted });
    const refused = await findRefusedEmulators(config);
    if (refused.length > 0) throw refusedFault(path, refused);
    await requireFreePorts(portsOf(config));
    for (const { id, connection } of config.registers) {
      if (connection.kind === "emulator")
        logger.warn("this register is an emulator: nothing fiscal happens", { register: id });
    }
    for (const { path, message } of [...configAdvice(config), ...findUnusableRegisters(config)])
      logger.warn("the config may miss something", { path, message });
    const app = new App({
      config,
      clock: systemClock,
      random: Math.random,
      newId: randomUUID,
      pid: process.pid,
      log: logger,
      stop: () => leaving.abort(),
      onFatal: (fault) => failing.abort(fault),
      makeSupportFile: async () => {
        const { makeSupportFile } = await import("../support-bundle/support-bundle.js");
        return makeSupportFile({ configPath: path, env: context.env, now: new Date() });
      },
      runningConfig: {
        ...{ path, env: context.env, notStarted },
        restart(before) {
          next = before;
          restarting.abort();
        },
      },
    });
    supervisor.ready(`console at ${await app.start()}`);
    isStarted = true;
    const ending = AbortSignal.any([context.stopSignal, failing.signal, restarting.signal, leaving.signal]);
    if (!ending.aborted) await once(ending, "abort");
    const isEnd = context.stopSignal.aborted || failing.signal.aborted || leaving.signal.aborted;
    if (isEnd) supervisor.stopping();
    await app.stop();
    failing.signal.throwIfAborted();
    return isEnd || context.stopSignal.aborted ? exitCodes.done : { former: next, notStarted: null };
  } catch (error) {
    const fault = toFault(error, "internal");
    logger.error("the daemon cannot run", { fault });
    if (isStarted || former === null || context.stopSignal.aborted) return exitCodeOf(fault);
    return giveBack(former, path, fault);
  } finally {
    await supervisor.close();
    await close();
  }
}

function giveBack(former: string, path: string, notStarted: Fault): Start {
  renameSync(former, path);
  return { former: null, notStarted };
}
