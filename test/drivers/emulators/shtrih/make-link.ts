import { chooseSettings } from "@fiscald/emulators/device/emulated-model.js";
import { createShtrihLink, type ShtrihProtocol } from "@fiscald/emulators/shtrih/emulator.js";
import type { LinkV1Options } from "@fiscald/emulators/shtrih/link-v1.js";
import { shtrihSettings } from "@fiscald/emulators/shtrih/settings.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { linkTalker } from "../dialogue.js";

/** The device's side of the link; options that are not given have their usual values. */
export function makeLink(protocol: ShtrihProtocol, options: Partial<LinkV1Options> = {}) {
  const clock = createFakeClock();
  const settings = { byteTimeoutMs: 100, extraFf: false, ...chooseSettings(shtrihSettings, {}), ...options };
  return linkTalker(clock, (parts) => createShtrihLink(protocol, { ...parts, clock, later: () => {} }, settings));
}
