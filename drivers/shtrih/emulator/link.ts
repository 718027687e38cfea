import type { DeviceLink, LinkPort } from "../../emulator/maker-protocol.js";
import { LinkV1, type LinkV1Options } from "./link-v1.js";
import { LinkV2 } from "./link-v2.js";

export type ShtrihProtocol = "v1" | "v2" | "auto";

/** `auto`: the first byte after power-on decides, once (protocols/shtrih-m.md 3). */
export function createShtrihLink(protocol: ShtrihProtocol, port: LinkPort, options: LinkV1Options): DeviceLink {
  if (protocol === "v1") return new LinkV1(port, options);
  if (protocol === "v2") return new LinkV2(port, options);
  let chosen: DeviceLink | null = null;
  return {
    receive(byte) {
      if (byte === 0x8f) chosen ??= new LinkV2(port, options);
      else if (byte === 0x05 || byte === 0x02) chosen ??= new LinkV1(port, options);
      chosen?.receive(byte);
    },
    reconnected: () => chosen?.reconnected(),
  };
}
