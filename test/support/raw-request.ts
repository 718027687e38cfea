import { type IncomingHttpHeaders, type RequestOptions, request } from "node:http";

interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends any header and path, which `fetch` does not. Leaves an event stream after its first data. */
export function askRaw(url: string | URL, given: RequestOptions & { readonly body?: string } = {}): Promise<RawAnswer> {
  const { body = "", ...options } = given;
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent: false, ...options }, (response) => {
      const { statusCode: status = 0, headers } = response;
      let told = "";
      const end = () => resolve({ status, headers, body: told });
      response.setEncoding("utf8").on("end", end);
      response.on("data", (chunk: string) => {
        told += chunk;
        if (headers["content-type"] !== "text/event-stream") return;
        end();
        asked.destroy();
      });
    });
    asked.on("error", reject).end(body);
  });
}

/** Returns the status of a POST with these headers alone: `fetch` sets `Host` itself. */
export async function statusOf(url: string, headers: Record<string, string>, body: string): Promise<number> {
  return (await askRaw(url, { method: "POST", headers, body })).status;
}
