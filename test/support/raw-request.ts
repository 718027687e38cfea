import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";

/** The status of a POST whose headers are just these: `fetch` sets `Host` itself. */
export async function statusOf(url: string, headers: Record<string, string>, body: string): Promise<number> {
  const call = request(url, { method: "POST", headers: { ...headers, "content-length": Buffer.byteLength(body) } });
  const answered: Promise<IncomingMessage[]> = once(call, "response");
  call.end(body);
  const [response] = await answered;
  response?.resume();
  return response?.statusCode ?? 0;
}
