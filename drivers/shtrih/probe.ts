import type { DriverProbe, ProbeRequest, ProbeVerdict } from "../driver-probe.js";
import { ENQ, NAK } from "../framing/framing.js";
import { createStxCrcDecoder, encodeStxCrcSync } from "../framing/stx-crc-stuffed.js";
import { createStxLrcDecoder, type StxLrcEvent } from "../framing/stx-lrc.js";

const open: ProbeVerdict = { kind: "open" };

/**
 * Link protocol 1. An idle register answers NAK, which PIRIT never does; a register that still has an answer for its
 * last host sends ACK and the frame of that answer (Shtrih-M protocol, 2.2).
 *
 * Safe for others: ENQ is PIRIT's own link check (PIRIT protocol, 2) and the first byte of ATOL's serial link, which
 * ends by itself or by the EOT below (ATOL protocol, 4). ATOL's other link drops what is outside a frame (ATOL
 * protocol, 5).
 */
const enquiry: ProbeRequest = {
  stage: "control",
  bytes: Uint8Array.of(ENQ),
  farewell: Uint8Array.of(0x04),
  read(answer) {
    const [first, ...more] = eventsOf(answer);
    if (first?.kind !== "control") return open;
    const isMine = first.byte === NAK || more.some(({ kind }) => kind === "frame");
    return isMine ? { kind: "mine", options: {} } : open;
  },
};

/**
 * Link protocol 2: asks for the last reply, executes nothing (Shtrih-M protocol, 3).
 *
 * Safe for others: `8F 00 00 0F 1D` has no STX, no ENQ and no line end. PIRIT drops everything up to STX (PIRIT
 * protocol, 2), ATOL everything up to ENQ or FE (ATOL protocol, 4, 5), and link protocol 1 everything up to ENQ or STX
 * (Shtrih-M protocol, 2.2).
 */
const sync: ProbeRequest = {
  stage: "frame",
  bytes: encodeStxCrcSync(),
  read(answer) {
    let answered = false;
    createStxCrcDecoder(({ kind }) => {
      answered ||= kind === "frame";
    }).push(answer);
    return answered ? { kind: "mine", options: { link: "v2" } } : open;
  },
};

export const shtrihProbe: DriverProbe = {
  baudRates: [115_200, 4_800, 57_600, 9_600, 19_200, 38_400],
  usb: [],
  tcpPorts: [7778],
  usbNetworkHost: "192.168.137.111",
  requests: [enquiry, sync],
};

function eventsOf(answer: Uint8Array): readonly StxLrcEvent[] {
  const events: StxLrcEvent[] = [];
  createStxLrcDecoder((event) => events.push(event)).push(answer);
  return events;
}
