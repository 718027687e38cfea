import { createLink } from "@fiscald/drivers/link/link.js";
import { createNumberedProtocol } from "@fiscald/drivers/link/numbered-machine.js";
import { type OpenSession, sessionOf } from "@fiscald/drivers/link/session.js";
import { createLoopback } from "@fiscald/emulators/wire/loopback.js";
import { Fault } from "@fiscald/shared/fault.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { toHex } from "../vectors/hex.js";
import { answer, bench, faultOf, goodDevice, never, STATUS, status, v1 } from "./link-bench.js";
import { request, timeouts } from "./machine-script.js";

const v2: OpenSession = sessionOf(() => createNumberedProtocol(timeouts));

describe("a link", () => {
  test("a link whose request cannot be put into a frame fails that exchange and does not crash the process", async () => {
    const { link, closed } = bench(goodDevice);
    await link.open(never);
    const fault = await faultOf(link.request(request(new Uint8Array(256)), never));
    expect([fault.code, fault.message]).toEqual(["internal", "a frame cannot carry 256 bytes"]);
    expect(link.isOpen).toBe(false);
    expect(closed).toEqual([true]);
  });

  test("a link greets the device, then sends ENQ, request and ACK", async () => {
    const { link, heard } = bench(goodDevice);
    expect(await link.open(never)).toBe(0);
    expect(toHex(await link.request(status(), never))).toBe("10 00 01");
    await link.close();
    expect(heard).toEqual(["05", "05", STATUS, "06"]);
  });

  test("a link finds the second protocol when the first gets no answer", async () => {
    const { link, clock, heard } = bench((bytes) => (bytes.startsWith("8F") ? "8F 02 00 01 00 99 5A" : null), [v1, v2]);
    const opened = link.open(never);
    await clock.advance(600);
    expect(await opened).toBe(1);
    expect(heard).toEqual(["05", "05", "05", "05", "05", "8F 00 00 0F 1D"]);
    await link.close();
  });

  test("a link resets the pipe when no protocol answers", async () => {
    const { link, clock, closed } = bench(() => null, [v1, v2]);
    const opened = faultOf(link.open(never));
    await clock.advance(2000);
    expect((await opened).code).toBe("link.timeout");
    expect(closed).toEqual([true]);
    expect(clock.pending).toBe(0);
  });

  test("a link treats a frame that stops in its middle as damaged after the byte gap, and asks for it again", async () => {
    let asked = 0;
    const { link, clock, heard } = bench((bytes) => {
      if (bytes === "05") {
        asked += 1;
        return asked < 3 ? "15" : `06 ${answer}`;
      }
      return bytes === STATUS ? "06 02 03 10" : null;
    });
    await link.open(never);
    const answered = link.request(status(), never);
    await clock.advance(timeouts.byteGapMs);
    expect(toHex(await answered)).toBe("10 00 01");
    expect(heard).toEqual(["05", "05", STATUS, "15", "05", "06"]);
    await link.close();
  });

  test("the fault of a link's failed request has the last frames in its details, and the link is reset", async () => {
    const { link, clock, closed } = bench((bytes) => (bytes === "05" ? "15" : null));
    await link.open(never);
    const failed = faultOf(link.request(status({ repeatable: false }), never));
    await clock.advance(5000);
    const fault = await failed;
    expect(fault.code).toBe("link.timeout");
    expect(fault.details).toMatchObject({
      command: "test",
      frames: expect.arrayContaining([expect.objectContaining({ hex: STATUS, direction: "out" })]),
    });
    expect(closed).toEqual([true]);
    expect(link.isOpen).toBe(false);
    expect((await faultOf(link.request(status(), never))).code).toBe("link.lost");
  });

  test("a link writes a request that may not be repeated only once, whatever the device does", async () => {
    for (const reply of [null, "15", "06", "02 03 10", "02 02 11 00 13"]) {
      const { link, clock, heard } = bench((bytes) => (bytes === "05" ? "15" : reply));
      await link.open(never);
      const failed = faultOf(link.request(status({ repeatable: false }), never));
      await clock.advance(60_000);
      expect((await failed).code).toMatch(/^link\./);
      expect(heard.filter((bytes) => bytes === STATUS)).toHaveLength(1);
    }
  });

  test("a cut in the middle of a link's exchange is the fault of that exchange alone", async () => {
    const lost: Fault[] = [];
    const { link, device } = bench((bytes) => (bytes === "05" ? "15" : null));
    link.onLost((fault) => lost.push(fault));
    await link.open(never);
    const failed = faultOf(link.request(status(), never));
    await new Promise((resolve) => setImmediate(resolve));
    device.close();
    expect((await failed).code).toBe("link.lost");
    expect(lost).toEqual([]);
  });

  test("a loss of a link's connection between two requests is reported once", async () => {
    const { link, device } = bench(goodDevice);
    await link.open(never);
    const told = new Promise<Fault>((resolve) => link.onLost(resolve));
    device.close();
    expect((await told).code).toBe("link.lost");
    expect(link.isOpen).toBe(false);
  });

  test("a link that the caller closes is not reported as lost", async () => {
    const { link, closed } = bench(goodDevice);
    const lost: Fault[] = [];
    link.onLost((fault) => lost.push(fault));
    await link.open(never);
    await link.close();
    await new Promise((resolve) => setImmediate(resolve));
    expect([lost, closed]).toEqual([[], [false]]);
  });

  test("an abort before the first byte leaves the link's connection usable", async () => {
    const { link, heard } = bench(goodDevice);
    await link.open(never);
    const fault = await faultOf(link.request(status(), AbortSignal.abort("stop")));
    expect(fault.code).toBe("link.aborted");
    expect(heard).toEqual(["05"]);
    expect(toHex(await link.request(status(), never))).toBe("10 00 01");
    await link.close();
  });

  test("an abort while an answer is awaited stops the exchange at once and resets the link's connection", async () => {
    const { link, clock, closed } = bench((bytes) => (bytes === "05" ? "15" : "06"));
    await link.open(never);
    const stop = new AbortController();
    const failed = faultOf(link.request(status(), stop.signal));
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort("stop");
    expect((await failed).code).toBe("link.aborted");
    expect(closed).toEqual([true]);
    expect(clock.pending).toBe(0);
  });

  test("an abort between two exchanges leaves the link's connection usable", async () => {
    const { link } = bench(goodDevice);
    const stop = new AbortController();
    await link.open(never);
    await link.request(status(), stop.signal);
    stop.abort("stop");
    expect((await faultOf(link.request(status(), stop.signal))).code).toBe("link.aborted");
    expect(toHex(await link.request(status(), never))).toBe("10 00 01");
  });

  test("a second request to a link during another request is an internal fault", async () => {
    const { link } = bench(goodDevice);
    await link.open(never);
    const first = link.request(status(), never);
    expect((await faultOf(link.request(status(), never))).code).toBe("internal");
    await first.catch(() => {});
    await link.close();
  });

  test("the opening of a link fails when its pipe does not open in time", async () => {
    const clock = createFakeClock();
    const { transport } = createLoopback();
    const stuck = {
      ...transport,
      open: (signal: AbortSignal) =>
        new Promise<void>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    };
    const link = createLink({ transport: stuck, protocols: [v1], timeouts, clock, logger: silentLogger });
    const failed = faultOf(link.open(never));
    await clock.advance(timeouts.openMs);
    expect((await failed).code).toBe("link.timeout");
  });

  test("a link reports why its pipe could not be opened, if the pipe knows the reason", async () => {
    const clock = createFakeClock();
    const { transport } = createLoopback();
    const busy = new Fault("link.busy");
    const held = {
      ...transport,
      open: (signal: AbortSignal) =>
        new Promise<void>((_, reject) => signal.addEventListener("abort", () => reject(busy))),
    };
    const link = createLink({ transport: held, protocols: [v1], timeouts, clock, logger: silentLogger });
    const failed = faultOf(link.open(never));
    await clock.advance(timeouts.openMs);
    expect((await failed).code).toBe("link.busy");
  });
});
