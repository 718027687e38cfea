/** The print server's calls as a function from `Request` to `Response`: for Hono, Next and similar servers. */
import { type CallAnswer, createCallEndpoint, nothingHere, type PrintServerRouterOptions } from "./call-endpoint.js";
import { fetchBody } from "./read-body.js";
import { CallStop } from "./with-timeout.js";

export interface FetchCaller {
  /** The caller's address, for `allowedAddresses`. */
  readonly address?: string;
}

export type PrintServerHandler = (request: Request, caller?: FetchCaller) => Promise<Response>;

/** Makes the handler. The host matches the path; with `paths` each one is the whole path of one kind of call. */
export function createPrintServerHandler(options: PrintServerRouterOptions): PrintServerHandler {
  const endpoint = createCallEndpoint(options);
  return async (request, { address } = {}) => {
    const { pathname, search } = new URL(request.url);
    const kinds = endpoint.kindsAt(options.paths === undefined ? "/" : pathname);
    if (kinds.length === 0) return responseOf(nothingHere());
    const headers = Object.fromEntries(request.headers);
    const stop = new CallStop();
    request.signal.addEventListener("abort", () => stop.abort(request.signal.reason), { once: true });
    if (request.signal.aborted) stop.abort(request.signal.reason);
    const answer = await endpoint.answer(
      {
        method: request.method,
        headers,
        url: pathname + search,
        remoteAddress: address ?? null,
        body: fetchBody(request, headers),
        stop,
      },
      kinds,
    );
    if (request.signal.aborted) answer.lost();
    return responseOf(answer);
  };
}

/** The body is a stream, which a server cancels when the caller hangs up before the text was sent. */
function responseOf({ status, headers, text, lost }: CallAnswer): Response {
  let isSent = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (isSent) controller.close();
        else controller.enqueue(Buffer.from(text));
        isSent = true;
      },
      cancel: () => lost(),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status, headers });
}
