import { createStxLrcDecoder, encodeStxLrc } from "@fiscald/drivers/framing/stx-lrc.js";
import { createEnquiryProtocol } from "@fiscald/drivers/link/enquiry-machine.js";
import { createLink } from "@fiscald/drivers/link/link.js";
import { sessionOf } from "@fiscald/drivers/link/session.js";
import { shtrihOptionsSchema, shtrihTimeouts } from "@fiscald/drivers/shtrih/options.js";
import { Conversation } from "@fiscald/drivers/shtrih/protocol/conversation.js";
import { createLoopback } from "@fiscald/emulators/wire/loopback.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { toHex } from "../vectors/hex.js";

/** A conversation with a device over link protocol 1; `reply` answers each request (the hex of its data). */
export async function talkTo(reply: (request: string) => Uint8Array): Promise<Conversation> {
  const { transport, device } = createLoopback();
  const decoder = createStxLrcDecoder((event) => {
    if (event.kind === "control" && event.byte === 0x05) device.send(Uint8Array.of(0x15));
    if (event.kind === "frame") device.send(Uint8Array.of(0x06, ...encodeStxLrc(reply(toHex(event.payload)))));
  });
  device.onBytes((bytes) => decoder.push(bytes));
  const clock = createFakeClock();
  const timeouts = shtrihTimeouts;
  const protocols = [sessionOf(() => createEnquiryProtocol(timeouts))];
  const link = createLink({ transport, protocols, timeouts, clock, logger: silentLogger });
  await link.open(new AbortController().signal);
  return new Conversation({ link, options: shtrihOptionsSchema.parse({}), timeouts, clock });
}
