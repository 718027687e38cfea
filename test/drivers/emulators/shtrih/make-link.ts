import { createShtrihLink, type ShtrihProtocol } from "@fiscald/emulators/shtrih/emulator.js";
import type { LinkV1Options } from "@fiscald/emulators/shtrih/link-v1.js";
import { shtrihSettings } from "@fiscald/emulators/shtrih/settings.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { hex, toHex } from "../../vectors/hex.js";

/** The device's side of the link: bytes in, bytes out, and the commands that it would carry out. */
export function makeLink(protocol: ShtrihProtocol, options: Partial<LinkV1Options> = {}) {
  const clock = createFakeClock();
  const sent: string[] = [];
  const executed: string[] = [];
  let finish: ((answer: Uint8Array | null) => void) | null = null;
  const link = createShtrihLink(
    protocol,
    {
      clock,
      send: (bytes) => sent.push(toHex(bytes)),
      later: () => {},
      execute: (command, done) => {
        executed.push(toHex(command));
        finish = done;
      },
    },
    {
      byteTimeoutMs: 100,
      extraFf: false,
      ...shtrihSettings({}),
      ...options,
    },
  );
  return {
    ...{ clock, executed, link },
    hear(bytes: Uint8Array | string): void {
      for (const byte of typeof bytes === "string" ? hex(bytes) : bytes) link.receive(byte);
    },
    answer: (data: Uint8Array | null) => finish?.(data),
    /** What was sent since it was last asked for. */
    said: () => sent.splice(0).join(" | "),
  };
}
