import { getEventListeners } from "node:events";
import { encodeStxLrc } from "@fiscald/drivers/framing/stx-lrc.js";
import { createEnquiryProtocol } from "@fiscald/drivers/link/enquiry-machine.js";
import { createLink } from "@fiscald/drivers/link/link.js";
import { sessionOf } from "@fiscald/drivers/link/session.js";
import { createLoopback } from "@fiscald/emulators/wire/loopback.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { hex, toHex } from "../vectors/hex.js";
import { request, timeouts } from "./machine-script.js";

const listenersTo = ({ signal }: AbortController) => getEventListeners(signal, "abort").length;

async function openLink(signal: AbortSignal) {
  const { transport, device } = createLoopback();
  device.onBytes((bytes) => {
    if (toHex(bytes) === "05") device.send(hex("15"));
    else if (bytes.length > 1) device.send(hex(`06 ${toHex(encodeStxLrc(hex("10 00 01")))}`));
  });
  const protocols = [sessionOf(() => createEnquiryProtocol(timeouts))];
  const link = createLink({ transport, protocols, timeouts, clock: createFakeClock(), logger: silentLogger });
  await link.open(signal);
  return { link, device };
}

describe("the abort listeners of a link", () => {
  test("a link listens once to the abort signal of its exchanges, and to no signal after it is closed", async () => {
    const greeting = new AbortController();
    const printing = new AbortController();
    const { link } = await openLink(greeting.signal);
    for (let times = 0; times < 3; times += 1) await link.request(request(hex("10 00")), printing.signal);
    expect([listenersTo(greeting), listenersTo(printing)]).toEqual([0, 1]);
    await link.close();
    expect(listenersTo(printing)).toBe(0);
  });

  test("a link whose device has gone listens to no abort signal", async () => {
    const stop = new AbortController();
    const { link, device } = await openLink(stop.signal);
    const lost = new Promise((resolve) => link.onLost(resolve));
    expect(listenersTo(stop)).toBe(1);
    device.close();
    await lost;
    expect(listenersTo(stop)).toBe(0);
  });
});
