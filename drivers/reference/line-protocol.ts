/** Lines of the reference register (README.md): `ID NAME BODY *CRC`. A late answer is recognised by its id. */
import type { DriverProbe, ProbeRequest } from "../driver-probe.js";
import { crc16Ccitt, type FrameDecoder, type FramingTrouble } from "../framing/framing.js";
import { createTextLineDecoder, encodeTextLine, type TextLineEvent } from "../framing/text-line.js";
import type { LinkProtocol } from "../link/exchange-machine.js";
import { createOneShotProtocol } from "../link/one-shot-machine.js";

export interface AnswerLine {
  readonly id: string;
  readonly status: "OK" | "ERROR";
  /** Decoded JSON, not yet checked. */
  readonly body: unknown;
}

export function createLineProtocol(): LinkProtocol<TextLineEvent> {
  return createOneShotProtocol({ createDecoder: createCheckedDecoder, encode: addChecksum });
}

export function encodeRequest(id: string, name: string, body: unknown): Uint8Array {
  return Buffer.from(`${id} ${name} ${JSON.stringify(body)}`, "utf8");
}

export function decodeAnswer(payload: Uint8Array): AnswerLine | null {
  const match = /^(\S+) (OK|ERROR) (\{.*\})$/s.exec(Buffer.from(payload).toString("utf8"));
  const [, id, status, json] = match ?? [];
  if (id === undefined || json === undefined) return null;
  try {
    return { id, status: status === "OK" ? "OK" : "ERROR", body: JSON.parse(json) };
  } catch {
    return null;
  }
}

export function addChecksum(payload: Uint8Array): Uint8Array {
  return encodeTextLine(`${Buffer.from(payload).toString("utf8")} *${checksumOf(payload)}`);
}

/** A line with a wrong checksum is damaged; a line without a checksum is of another protocol. */
function createCheckedDecoder(emit: (event: TextLineEvent | FramingTrouble) => void): FrameDecoder {
  return createTextLineDecoder((event) => {
    if (event.kind !== "frame") {
      emit(event);
      return;
    }
    const line = Buffer.from(event.payload).toString("utf8");
    const [, text, checksum] = /^(.*) \*([0-9A-F]{4})$/s.exec(line) ?? [];
    if (text === undefined) emit({ kind: "damaged", reason: "no checksum" });
    else if (checksumOf(Buffer.from(text, "utf8")) !== checksum) emit({ kind: "damaged", reason: "checksum" });
    else emit({ kind: "frame", payload: Buffer.from(text, "utf8") });
  });
}

function checksumOf(bytes: Uint8Array): string {
  return crc16Ccitt(bytes).toString(16).toUpperCase().padStart(4, "0");
}

/**
 * An identity request in the register's own protocol. Its line end would feed paper on a PIRIT (PIRIT protocol, 2), so
 * the request is sent only where no probe of another maker was answered. The text has no control byte that a register
 * could take for the beginning of a frame.
 */
const identify: ProbeRequest = {
  stage: "text",
  // The first line end finishes the other makers' probes, which this register has read as the beginning of a line.
  bytes: Buffer.concat([Buffer.from("\n"), addChecksum(encodeRequest("discover", "IDENT", {}))]),
  read: (answer) =>
    /^\S+ (OK|ERROR) \{.*\} \*[0-9A-F]{4}\r?$/m.test(Buffer.from(answer).toString("utf8"))
      ? { kind: "mine", options: {} }
      : { kind: "open" },
};

/** The register exists only as an emulator, so it has no usual port and no usual speed. */
export const referenceProbe: DriverProbe = { baudRates: [115_200], usb: [], tcpPorts: [], requests: [identify] };
