import { Fault, toFault } from "@fiscald/shared/fault.js";
import type { BehindLine, DriverProbe, ProbeRequest, RegisterBehind } from "../driver-probe.js";
import { createWireTrace } from "../link/wire-trace.js";
import { atolTimeouts } from "./options.js";
import { atolTexts } from "./protocol/atol-texts.js";
import { PrintServiceClient } from "./protocol/client.js";
import { blockedFault } from "./protocol/job-client.js";

const request = "GET /api/v2/serverInfo HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
const isHttp = (answer: Uint8Array) => Buffer.from(answer.subarray(0, 7)).toString("latin1").startsWith("HTTP/1.");

/**
 * The service's identity request, which needs no password. Its line ends would feed paper on a PIRIT (PIRIT protocol,
 * 2), so the request is sent only where no probe of another maker was answered. It has no control byte that a register
 * could take for the beginning of a frame.
 */
const serverInfo: ProbeRequest = {
  stage: "text",
  bytes: Buffer.from(request, "latin1"),
  hintedBy: isHttp,
  read: (answer) => (isHttp(answer) ? { kind: "mine", options: {} } : { kind: "open" }),
};

export const atolProbe: DriverProbe = {
  baudRates: [],
  usb: [
    {
      vendorId: "2912",
      productId: null,
      instead: "an ATOL register: it is reached through ATOL's print service (ATOL Web Requests), not through its port",
    },
  ],
  tcpPorts: [16732],
  isProgram: true,
  advice: atolTexts.startService,
  requests: [serverInfo],
  registersBehind,
};

/** Lists the registers of one service. Sends GET requests only, which do not wait in the service's queue. */
async function registersBehind(line: BehindLine, signal: AbortSignal): Promise<readonly RegisterBehind[]> {
  const client = new PrintServiceClient({
    openTransport: line.openTransport,
    clock: line.clock,
    trace: createWireTrace(line),
    options: { deviceId: null, user: null, password: null },
    timeouts: atolTimeouts,
  });
  try {
    await client.detect(signal);
  } catch (error) {
    // Any other web server may ask for a password or answer with an error.
    throw new Fault("link.foreign", { message: "answers HTTP, but is no print service", cause: error });
  }
  try {
    const { isBlocked, reason } = await client.queue(signal);
    const devices = await client.devices(signal);
    if (devices.length === 0) return [{ options: {}, fault: isBlocked ? blockedFault(reason) : null }];
    return devices.map(({ id, isActive }) => ({
      name: `device ${id}`,
      options: { deviceId: id },
      fault: isActive ? (isBlocked ? blockedFault(reason) : null) : switchedOff(id),
    }));
  } catch (error) {
    return [{ options: {}, fault: toFault(error, "link.foreign") }];
  }
}

function switchedOff(id: string): Fault {
  return new Fault("link.not-found", { message: `the register ${id} is switched off in the print service` });
}
