import type { Clock, Timer } from "@fiscald/shared/clock.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { RunProcess } from "./machine.js";

export interface SupervisorOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly run: RunProcess;
}

const notifyTimeoutMs = 5000;

/** Node has no Unix datagram sockets, so the program `systemd-notify` sends the messages (sd_notify). */
export function createSupervisor({ env, pid, clock, log, run }: SupervisorOptions) {
  const isHere = (env.NOTIFY_SOCKET ?? "") !== "";
  const feedEveryMs = watchdogMs(env, pid) / 2;
  let timer: Timer | null = null;
  let sent: Promise<void> = Promise.resolve();
  let hasWarned = false;

  function send(...messages: readonly string[]): void {
    if (!isHere) return;
    sent = sent.then(async () => {
      const { code, output } = await run("systemd-notify", messages, { env, timeoutMs: notifyTimeoutMs });
      if (code === 0 || hasWarned) return;
      hasWarned = true;
      log.warn("systemd cannot be notified about the daemon", { messages: messages.join(" "), reason: output });
    });
  }

  function feed(): void {
    send("WATCHDOG=1");
    timer = clock.setTimer(feedEveryMs, feed);
  }

  return {
    /** From this call on, the watchdog is fed while the event loop runs. */
    ready(status: string): void {
      send("READY=1", `STATUS=${status}`);
      if (isHere && Number.isFinite(feedEveryMs)) feed();
    },
    stopping: () => send("STOPPING=1"),
    async close(): Promise<void> {
      timer?.cancel();
      await sent;
    },
  };
}

/** Milliseconds between two messages. Infinite without a watchdog, or if it belongs to another process. */
function watchdogMs({ WATCHDOG_USEC, WATCHDOG_PID }: SupervisorOptions["env"], pid: number): number {
  const micros = Number(WATCHDOG_USEC ?? "");
  const isOurs = WATCHDOG_PID === undefined || WATCHDOG_PID === String(pid);
  return isOurs && Number.isSafeInteger(micros) && micros > 0 ? micros / 1000 : Number.POSITIVE_INFINITY;
}
