import type { Clock, Timer } from "@fiscald/shared/clock.js";
import type { RequestHandler, Response } from "express";
import { usageError } from "./api-errors.js";

export type LiveUpdates = ReturnType<typeof createLiveUpdates>;

/** Milliseconds. Changes come in bursts, and clients get one notification for each burst. */
const gatherMs = 100;

export function createLiveUpdates(clock: Clock) {
  const listeners = new Set<() => void>();
  let timer: Timer | null = null;

  function flush(): void {
    timer = null;
    for (const listener of listeners) listener();
  }

  return {
    publish(): void {
      if (listeners.size > 0) timer ??= clock.setTimer(gatherMs, flush);
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop(): void {
      timer?.cancel();
      timer = null;
    },
  };
}

export type LiveStream = ReturnType<typeof createLiveStream>;

export interface LiveSources {
  readonly live: LiveUpdates;
  readonly clock: Clock;
}

const aliveMs = 2_000;
/** Bytes. A page that leaves more unread is cut off, and reads everything again when it connects again. */
const unreadBytes = 256 * 1024;
/** The limit of open streams. A page has one stream while it is in sight. */
const maxStreams = 32;

/** The event `change` makes a page read again. By the event `alive` a page notices a daemon that hangs. */
export function createLiveStream({ live, clock }: LiveSources) {
  const open = new Set<Response>();

  function handle(...[request, response]: Parameters<RequestHandler>): void {
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
    const send = (event: string) => {
      response.write(`event: ${event}\ndata: {}\n\n`);
      if (response.writableLength > unreadBytes) response.destroy();
    };
    const unsubscribe = live.subscribe(() => send("change"));
    let timer: Timer;
    function sayAlive(): void {
      send("alive");
      timer = clock.setTimer(aliveMs, sayAlive);
    }
    sayAlive();
    request.on("close", () => {
      timer.cancel();
      unsubscribe();
      open.delete(response);
    });
  }

  return {
    handle,
    /** A server does not close while a stream is open. */
    closeAll(): void {
      for (const response of open) response.end();
    },
  };
}
