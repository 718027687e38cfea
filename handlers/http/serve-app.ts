import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { Duplex } from "node:stream";
import { Fault, messageOf } from "@fiscald/shared/fault.js";

export interface ServeAppOptions {
  readonly app: RequestListener;
  readonly port: number;
  readonly host: string;
  /** Answers a request that Node cannot read. Default: a bare 400. */
  readonly onClientError?: (error: Error, socket: Duplex) => void;
  /** Closes the app's resources after the last connection has ended. Called also when the port was taken. */
  onClose(): Promise<void>;
}

export interface RunningSite {
  readonly url: string;
  /** Ends all connections, long polls too. A receipt that was just being sent is offered again later. */
  close(): Promise<void>;
}

export async function serveApp({ app, port, host, onClientError, onClose }: ServeAppOptions): Promise<RunningSite> {
  const server = createServer(app);
  if (onClientError !== undefined) server.on("clientError", onClientError);
  try {
    await once(server.listen(port, host), "listening");
  } catch (cause) {
    await onClose();
    const message = `Cannot listen at ${host}:${port}: ${messageOf(cause)}`;
    throw new Fault("usage.wrong", { message, cause });
  }
  return {
    url: urlOf(server, host),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await onClose();
    },
  };
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
