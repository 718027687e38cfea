/** Sends each HTTP request on a new connection, so that no bytes of an earlier answer can be taken for its own. */
import { request as httpRequest, type IncomingMessage } from "node:http";
import { Duplex } from "node:stream";
import type { ByteTransport, TransportFactory } from "@fiscald/shared/byte-transport.js";
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import { codeOfError } from "@fiscald/shared/files/folder-rights.js";
import type { WireTrace } from "../../link/wire-trace.js";
import { abortable } from "../../transport/pipe-parts.js";
import type { AtolTimeouts } from "../options.js";

export interface HttpQuestion {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface ServiceAnswer {
  readonly status: number;
  readonly body: string;
}

export interface HttpParts {
  readonly openTransport: TransportFactory;
  readonly clock: Clock;
  readonly trace: WireTrace;
  readonly timeouts: AtolTimeouts;
}

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** After a `link.*` fault nobody knows whether the request was carried out. */
export async function exchangeHttp(
  question: HttpQuestion,
  parts: HttpParts,
  signal: AbortSignal,
): Promise<ServiceAnswer> {
  const { openTransport, clock, trace, timeouts } = parts;
  if (signal.aborted) throw new Fault("link.aborted", { cause: signal.reason });
  const title = `${question.method} ${question.path}`;
  const stop = new AbortController();
  const onAbort = () => stop.abort(new Fault("link.aborted", { message: `${title}: stopped`, cause: signal.reason }));
  signal.addEventListener("abort", onAbort, { once: true });
  const giveUp = (what: string) => () => stop.abort(new Fault("link.timeout", { message: `${title}: ${what}` }));
  let timer = clock.setTimer(timeouts.connectMs, giveUp("the service does not take the connection"));
  try {
    const transport = openTransport();
    try {
      await transport.open(stop.signal);
    } catch (error) {
      throw reasonOf(stop.signal) ?? toFault(error, "link.not-found");
    }
    timer.cancel();
    timer = clock.setTimer(timeouts.requestMs, giveUp("the service does not answer"));
    trace.command(title.split("?")[0] ?? title);
    return await ask(question, new TransportStream(transport, trace), stop.signal);
  } finally {
    timer.cancel();
    signal.removeEventListener("abort", onAbort);
  }
}

async function ask(question: HttpQuestion, stream: TransportStream, stop: AbortSignal): Promise<ServiceAnswer> {
  const { method, path } = question;
  const body = question.body === null ? null : Buffer.from(question.body, "utf8");
  const headers = body === null ? question.headers : { ...question.headers, "content-length": String(body.length) };
  const options = { method, path, headers: { host: "localhost", connection: "close", ...headers } };
  const work = new Promise<ServiceAnswer>((resolve, reject) => {
    const request = httpRequest({ ...options, createConnection: () => stream }, (response) => {
      readBody(response).then((text) => resolve({ status: response.statusCode ?? 0, body: text }), reject);
    });
    request.on("error", reject);
    request.end(body ?? undefined);
  });
  try {
    const answer = await abortable(work, stop);
    stream.destroy();
    return answer;
  } catch (error) {
    stream.destroy(error instanceof Error ? error : new Error("failed"));
    throw reasonOf(stop) ?? linkFault(error);
  }
}

async function readBody(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of response) {
    const bytes = Buffer.from(piece);
    length += bytes.length;
    if (length > MAX_ANSWER_BYTES)
      throw new Fault("link.foreign", { message: `an answer of more than ${MAX_ANSWER_BYTES} bytes` });
    pieces.push(bytes);
  }
  // TextDecoder removes a byte order mark.
  return new TextDecoder().decode(Buffer.concat(pieces));
}

function reasonOf(stop: AbortSignal): Fault | null {
  return stop.aborted ? toFault(stop.reason, "link.aborted") : null;
}

/** An answer that is not HTTP counts as damaged; every other error ended the connection. */
function linkFault(error: unknown): Fault {
  return toFault(error, codeOfError(error).startsWith("HPE_") ? "link.corrupt" : "link.lost");
}

/** An open byte pipe as a stream for Node's HTTP client. After an error no late bytes come out of the stream. */
class TransportStream extends Duplex {
  constructor(
    private readonly transport: ByteTransport,
    private readonly trace: WireTrace,
  ) {
    super();
    // The waiting code gets the error anyway; without a listener the `error` event would end the process.
    this.on("error", () => {});
    transport.onBytes((bytes) => {
      if (this.destroyed) return;
      trace.in(bytes);
      this.push(bytes);
    });
    transport.onClosed(() => {
      if (!this.destroyed) this.push(null);
    });
  }

  override _read(): void {}

  override _write(bytes: Uint8Array, _encoding: string, done: (error?: Error | null) => void): void {
    if (bytes.length === 0) {
      done();
      return;
    }
    this.trace.out(bytes);
    this.transport.write(bytes).then(
      () => done(),
      (error: unknown) => done(toFault(error, "link.lost")),
    );
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.transport.close({ doubt: error !== null }).then(
      () => done(error),
      () => done(error),
    );
  }
}
