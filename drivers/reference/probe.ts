/** How the reference register is recognised. It exists only as an emulator, so it has no usual port and no usual speed of its own. */
import type { DriverProbe, ProbeRequest } from "../driver-probe.js";
import { addChecksum, encodeRequest } from "./line-protocol.js";

/**
 * An identity request in the register's own protocol.
 * Safe for other makers only where all of them kept silent: the line end feeds a line of paper on a PIRIT (pirit.md
 * 2). No letter is a control byte, so no register takes it for the beginning of a frame.
 */
const identify: ProbeRequest = {
  name: "IDENT",
  stage: "text",
  // The first line end ends the other makers' probes, which this register has read as the beginning of a line.
  bytes: Buffer.concat([Buffer.from("\n"), addChecksum(encodeRequest("discover", "IDENT", {}))]),
  read: (answer) =>
    /^\S+ (OK|ERROR) \{.*\} \*[0-9A-F]{4}\r?$/m.test(Buffer.from(answer).toString("utf8"))
      ? { kind: "mine", options: {} }
      : { kind: "open" },
};

export const referenceProbe: DriverProbe = { baudRates: [115_200], usb: [], tcpPorts: [], requests: [identify] };
