import type { Clock, Timer } from "@fiscald/shared/clock.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { RunProcess } from "./machine.js";

/** What systemd is told about the daemon (sd_notify); nothing happens where nobody supervises it. */
export interface Supervisor {
  /** Started; from now on the watchdog is fed as long as the event loop turns. */
  ready(status: string): void;
  /** Ending, in its own time. */
  stopping(): void;
  /** Everything said has been said. */
  close(): Promise<void>;
}

export interface SupervisorOptions {
  /** `NOTIFY_SOCKET`, `WATCHDOG_USEC`, `WATCHDOG_PID`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly run: RunProcess;
}

const notifyTimeoutMs = 5000;

/** Node has no datagram sockets of Unix, so `systemd-notify`, which is wherever systemd is, carries the messages. */
export function createSupervisor({ env, pid, clock, log, run }: SupervisorOptions): Supervisor {
  if (env.NOTIFY_SOCKET === undefined || env.NOTIFY_SOCKET === "") return nobody;
  const feedEveryMs = watchdogMs(env, pid) / 2;
  let timer: Timer | null = null;
  let said: Promise<void> = Promise.resolve();
  let complained = false;

  function say(...messages: readonly string[]): void {
    said = said.then(async () => {
      const { code, output } = await run("systemd-notify", messages, { env, timeoutMs: notifyTimeoutMs });
      if (code === 0 || complained) return;
      complained = true;
      log.warn("systemd cannot be told how the daemon is", { messages: messages.join(" "), reason: output });
    });
  }

  function feed(): void {
    say("WATCHDOG=1");
    timer = clock.setTimer(feedEveryMs, feed);
  }

  return {
    ready(status) {
      say("READY=1", `STATUS=${status}`);
      if (Number.isFinite(feedEveryMs)) feed();
    },
    stopping: () => say("STOPPING=1"),
    async close() {
      timer?.cancel();
      await said;
    },
  };
}

const nobody: Supervisor = { ready() {}, stopping() {}, async close() {} };

/** Infinite when there is no watchdog, or one that waits for another process. */
function watchdogMs({ WATCHDOG_USEC, WATCHDOG_PID }: SupervisorOptions["env"], pid: number): number {
  const micros = Number(WATCHDOG_USEC ?? "");
  const isOurs = WATCHDOG_PID === undefined || WATCHDOG_PID === String(pid);
  return isOurs && Number.isSafeInteger(micros) && micros > 0 ? micros / 1000 : Number.POSITIVE_INFINITY;
}
