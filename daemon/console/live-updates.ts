import type { Clock, Timer } from "@fiscald/shared/clock.js";
import type { RequestHandler, Response } from "express";
import { usageError } from "./api-errors.js";

export type LiveUpdates = ReturnType<typeof createLiveUpdates>;

/** Milliseconds. Changes come in bursts, and pages get one event for each burst. */
const gatherMs = 100;
const aliveMs = 2_000;
/** Bytes. A page that leaves more unread is cut off, and reads everything again when it connects again. */
const unreadBytes = 256 * 1024;
/** The limit of open streams. A page has one stream while it is in sight. */
const maxStreams = 32;

/** The event `change` makes a page read again. By the event `alive` a page notices a daemon that hangs. */
export function createLiveUpdates(clock: Clock) {
  const open = new Set<Response>();
  let timer: Timer | null = null;

  function send(page: Response, event: "change" | "alive"): void {
    if (page.writableEnded) return;
    page.write(`event: ${event}\ndata: {}\n\n`);
    if (page.writableLength > unreadBytes) page.destroy();
  }

  function flush(): void {
    timer = null;
    for (const page of open) send(page, "change");
  }

  return {
    publish(): void {
      if (open.size > 0) timer ??= clock.setTimer(gatherMs, flush);
    },
    handle(...[request, response]: Parameters<RequestHandler>): void {
      if (open.size >= maxStreams) {
        response.status(503).json(usageError(`${maxStreams} pages follow this daemon already: close one of them`));
        return;
      }
      response.writeHead(200, {
        "Content-Type": "text/event-stream",
        "Cache-Control": "no-store",
        "X-Accel-Buffering": "no",
      });
      open.add(response);
      let alive: Timer;
      function sayAlive(): void {
        send(response, "alive");
        alive = clock.setTimer(aliveMs, sayAlive);
      }
      sayAlive();
      request.on("close", () => {
        alive.cancel();
        open.delete(response);
      });
    },
    /** A server does not close while a stream is open. */
    closeAll(): void {
      timer?.cancel();
      timer = null;
      for (const page of open) page.end();
    },
  };
}
