import type { DriverProbe, ProbeRequest, ProbeVerdict } from "../driver-probe.js";
import { ACK, ENQ } from "../framing/framing.js";
import { createStxEtxDecoder, encodeStxEtx } from "../framing/stx-etx-crc.js";

const open: ProbeVerdict = { kind: "open" };

/**
 * Command 00 under the usual password, which only reads; a register with another password refuses the command by a
 * frame of its own. The command is sent only where ENQ was answered by ACK and nothing else.
 *
 * Safe for other makers that answer ENQ by ACK. A Shtrih-M register that is busy takes `P` after STX for a length of 80
 * bytes, which never come, and drops the rest after its byte timeout (Shtrih-M protocol, 2.2). ATOL's serial link takes
 * the byte after ETX for its checksum: `2` is not the right one (21h), so it refuses the frame (ATOL protocol, 4).
 */
const statusQuestion: ProbeRequest = {
  stage: "control",
  bytes: encodeStxEtx(Buffer.from("PIRI 00", "latin1")),
  read: (answer) => (holdsFrame(answer) ? { kind: "mine", options: {} } : open),
};

/** The link check by ENQ (PIRIT protocol, 2); shtrih/probe.ts says why it is safe for other makers. */
const enquiry: ProbeRequest = {
  stage: "control",
  bytes: Uint8Array.of(ENQ),
  read(answer, ended) {
    // The answer to an earlier host precedes the ACK.
    if (holdsFrame(answer)) return { kind: "mine", options: {} };
    return ended && answer.every((byte) => byte === ACK) ? { kind: "ask", next: statusQuestion } : open;
  },
};

export const piritProbe: DriverProbe = {
  baudRates: [57_600, 115_200, 9_600, 19_200, 38_400, 4_800],
  // Unconfirmed: the USB ids that the chip's maker gives to every virtual port of this kind.
  usb: [{ vendorId: "0483", productId: "5740" }],
  // The maker's own service on the till's computer.
  tcpPorts: [50003],
  isProgram: true,
  requests: [enquiry],
};

function holdsFrame(answer: Uint8Array): boolean {
  let found = false;
  createStxEtxDecoder(({ kind }) => {
    found ||= kind === "frame";
  }).push(answer);
  return found;
}
