import type { RequestHandler, Response } from "express";
import type { ConsoleParts } from "./console-parts.js";

export interface LiveStream {
  readonly handle: RequestHandler;
  /** Ends all open streams: a server does not close while they are open. */
  closeAll(): void;
}

const keepAliveMs = 20_000;

/** Server-sent events: `change` with the topics to read again, and `log` with each new line. */
export function createLiveStream({
  live,
  logTail,
  clock,
}: Pick<ConsoleParts, "live" | "logTail" | "clock">): LiveStream {
  const open = new Set<Response>();

  function handle(...[request, response]: Parameters<RequestHandler>): void {
    response.writeHead(200, {
      "Content-Type": "text/event-stream",
      "Cache-Control": "no-store",
      "X-Accel-Buffering": "no",
    });
    response.write(": watching\n\n");
    open.add(response);
    const send = (event: string, data: unknown) => response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    const endings = [
      live.subscribe((topics) => send("change", { topics })),
      logTail.subscribe((line) => send("log", { line })),
    ];
    let timer = clock.setTimer(keepAliveMs, keepAlive);
    function keepAlive(): void {
      response.write(": still here\n\n");
      timer = clock.setTimer(keepAliveMs, keepAlive);
    }
    request.on("close", () => {
      timer.cancel();
      for (const end of endings) end();
      open.delete(response);
    });
  }

  return {
    handle,
    closeAll() {
      for (const response of open) response.end();
    },
  };
}
