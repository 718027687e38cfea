/** A link to a scripted device in memory, and a record of both. */
import { encodeStxLrc } from "@fiscald/drivers/framing/stx-lrc.js";
import { createEnquiryProtocol } from "@fiscald/drivers/link/enquiry-machine.js";
import { createLink, type Link } from "@fiscald/drivers/link/link.js";
import { type OpenSession, sessionOf } from "@fiscald/drivers/link/session.js";
import { createLoopback, type DeviceEnd } from "@fiscald/emulators/wire/loopback.js";
import type { Fault } from "@fiscald/shared/fault.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { hex, toHex } from "../vectors/hex.js";
import { request, timeouts } from "./machine-script.js";

export const never: AbortSignal = new AbortController().signal;
export const v1: OpenSession = sessionOf(() => createEnquiryProtocol(timeouts));

export interface Bench {
  readonly link: Link;
  readonly device: DeviceEnd;
  readonly clock: ReturnType<typeof createFakeClock>;
  readonly heard: string[];
  readonly closed: boolean[];
}

/** `reply`: what the device sends for a received piece; null = nothing. */
export function bench(reply: (heard: string) => string | null, protocols: readonly OpenSession[] = [v1]): Bench {
  const { transport, device } = createLoopback();
  const clock = createFakeClock();
  const heard: string[] = [];
  const closed: boolean[] = [];
  device.onBytes((bytes) => {
    heard.push(toHex(bytes));
    const answer = reply(toHex(bytes));
    if (answer !== null) device.send(hex(answer));
  });
  const watched = {
    ...transport,
    close: (options?: { readonly doubt?: boolean }) => {
      closed.push(options?.doubt === true);
      return transport.close(options);
    },
  };
  const link = createLink({ transport: watched, protocols, timeouts, clock, logger: silentLogger });
  return { link, device, clock, heard, closed };
}

export const STATUS = toHex(encodeStxLrc(hex("10 00")));
export const answer = toHex(encodeStxLrc(hex("10 00 01")));
export const goodDevice = (heard: string) => (heard === "05" ? "15" : heard === STATUS ? `06 ${answer}` : null);
export const joiningDevice = (heard: string) => goodDevice(heard === "06 05" ? "05" : heard);
export const status = (over = {}) => request(hex("10 00"), over);

export async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  return promise.then(
    () => {
      throw new Error("it did not fail");
    },
    (fault: Fault) => fault,
  );
}
