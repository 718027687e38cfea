import type { Duplex } from "node:stream";
import { badRequest, bodyOf } from "./http/api-errors.js";

const FILTER =
  "HTTP forbids [ and ] in the name of a header: send the header journalParams with deliveryStatusId=3, or the header " +
  "journalParams-deliveryStatusId, or all three as parameters of the address";

/** Listener for a server's event `clientError`: answers in the API's form what Node cannot read and no router sees. */
export function answerClientError(error: Error, socket: Duplex): void {
  const [code, packet]: readonly unknown[] = [Reflect.get(error, "code"), Reflect.get(error, "rawPacket")];
  if (!socket.writable || !String(code).startsWith("HPE_")) {
    socket.destroy();
    return;
  }
  const isFilter = /^journalParams\[/im.test(String(packet));
  const fault = isFilter
    ? badRequest(FILTER, "journalParams[deliveryStatusId]")
    : badRequest(`The request is not HTTP as this server reads it: ${error.message}.`);
  const body = JSON.stringify(bodyOf(fault));
  const head = [
    "HTTP/1.1 400 Bad Request",
    "Connection: close",
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
