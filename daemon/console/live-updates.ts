import type { Clock, Timer } from "@fiscald/shared/clock.js";
import type { RequestHandler, Response } from "express";
import { usageError } from "./api-errors.js";

/** Which data has changed, so that the page reads it again. */
export type Topic = "registers" | "jobs" | "events" | "sites";

export type LiveUpdates = ReturnType<typeof createLiveUpdates>;

/** Changes come in bursts, and clients get one notification for each burst. */
const gatherMs = 100;

/** Notifies clients which data has changed, so that they read it again. */
export function createLiveUpdates(clock: Clock) {
  const listeners = new Set<(topics: readonly Topic[]) => void>();
  const changed = new Set<Topic>();
  let timer: Timer | null = null;

  function flush(): void {
    timer = null;
    const topics = [...changed];
    changed.clear();
    for (const listener of listeners) listener(topics);
  }

  return {
    publish(topic: Topic): void {
      if (listeners.size === 0) return;
      changed.add(topic);
      timer ??= clock.setTimer(gatherMs, flush);
    },
    /** Returns a function that ends the subscription. */
    subscribe(listener: (topics: readonly Topic[]) => void): () => void {
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
/** A page may leave this many bytes unread. With more it is cut off, and reads everything again when it is back. */
const unreadBytes = 256 * 1024;
/** Limit of open streams. All tabs of a browser share one stream. */
const maxStreams = 32;

/**
 * Serves server-sent events: `change` with the topics to read again, and `alive` so that a page notices a daemon
 * that hangs.
 */
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
    const send = (event: string, data: object) => {
      response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      if (response.writableLength > unreadBytes) response.destroy();
    };
    const unsubscribe = live.subscribe((topics) => send("change", { topics }));
    let timer: Timer;
    function sayAlive(): void {
      send("alive", {});
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
    /** Ends all open streams, because a server does not close while a stream is open. */
    closeAll(): void {
      for (const response of open) response.end();
    },
  };
}
