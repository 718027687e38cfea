/** The ACK of an answer waits for the next request when requests follow one another. */
import { createLink, type Link } from "@fiscald/drivers/link/link.js";
import { createLoopback } from "@fiscald/emulators/wire/loopback.js";
import { Fault } from "@fiscald/shared/fault.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { hex, toHex } from "../vectors/hex.js";
import { bench, faultOf, goodDevice, joiningDevice, never, STATUS, status, v1 } from "./link-bench.js";
import { request, timeouts } from "./machine-script.js";

describe("the ACK that a link holds back", () => {
  test("a link sends an ACK together with the next request, and the last ACK before other requests", async () => {
    const { link, heard } = bench(joiningDevice);
    await link.open(never);
    await link.together(async () => {
      await link.request(status(), never);
      await link.together(() => link.request(status(), never));
      expect(heard.slice(1)).toEqual(["05", STATUS, "06 05", STATUS]);
    });
    expect(heard.slice(5)).toEqual(["06"]);
    await link.request(status(), never);
    expect(heard.slice(6)).toEqual(["05", STATUS, "06"]);
  });

  test("a link sends a delayed ACK when no request follows at once, and before the connection is closed", async () => {
    const { link, heard } = bench(joiningDevice);
    await link.open(never);
    await link.together(async () => {
      await link.request(status(), never);
      await new Promise<void>((resolve) => setImmediate(resolve));
      expect(heard.at(-1)).toBe("06");
      await link.request(status(), never);
      await link.close();
    });
    expect(heard.slice(3, 6)).toEqual(["06", "05", STATUS]);
    expect(link.lastFrames().at(-1)).toMatchObject({ direction: "out", hex: "06" });
  });

  test("a link that becomes unreliable does not send its delayed ACK", async () => {
    const { link, heard, closed } = bench(joiningDevice);
    await link.open(never);
    await link.together(async () => {
      await link.request(status(), never);
      expect((await faultOf(link.request(request(new Uint8Array(256)), never))).code).toBe("internal");
    });
    expect([heard.slice(1), closed]).toEqual([["05", STATUS], [true]]);
    expect(link.lastFrames().at(-1)).toMatchObject({ direction: "in" });
  });

  test.each([
    ["fails between two requests", async () => Promise.reject(new Error("ours"))],
    ["is stopped between two requests", (link: Link) => link.request(status(), AbortSignal.abort("stop"))],
  ])(
    "a link sends the last ACK of work that %s, and answers the next request",
    async (_, goOn: (link: Link) => Promise<unknown>) => {
      const { link, heard, closed } = bench(joiningDevice);
      await link.open(never);
      const work = link.together(() =>
        link.together(async () => {
          await link.request(status(), never);
          await goOn(link);
        }),
      );
      await expect(work).rejects.toThrow();
      expect(heard.slice(1)).toEqual(["05", STATUS, "06"]);
      expect(toHex(await link.request(status(), never))).toBe("10 00 01");
      // Outside `together` no ACK is held, even after the work has failed.
      expect([heard.at(-1), closed]).toEqual(["06", []]);
      await link.close();
    },
  );

  test("a link sends no delayed ACK to a device that has disconnected meanwhile, and reports the loss once", async () => {
    const lost: Fault[] = [];
    const { link, device, heard } = bench(joiningDevice);
    link.onLost((fault) => lost.push(fault));
    await link.open(never);
    await link.together(async () => {
      await link.request(status(), never);
      device.close();
      await new Promise<void>((resolve) => setImmediate(resolve));
      expect((await faultOf(link.request(status(), never))).code).toBe("link.lost");
    });
    expect([heard.slice(1), lost.length]).toEqual([["05", STATUS], 1]);
  });

  test.each([
    ["is reported late", () => Promise.reject(new Fault("link.lost"))],
    [
      "is reported at once",
      () => {
        throw new Error("no such handle");
      },
    ],
  ])("a delayed ACK that cannot be written, which %s, loses no answer and crashes no process", async (_, refuse) => {
    const { transport, device } = createLoopback();
    device.onBytes((bytes) => {
      const reply = goodDevice(toHex(bytes));
      if (reply !== null) device.send(hex(reply));
    });
    const broken = {
      ...transport,
      write: (bytes: Uint8Array) => (toHex(bytes) === "06" ? refuse() : transport.write(bytes)),
    };
    const clock = createFakeClock();
    const link = createLink({ transport: broken, protocols: [v1], timeouts, clock, logger: silentLogger });
    await link.open(never);
    expect(toHex(await link.together(() => link.request(status(), never)))).toBe("10 00 01");
    await link.together(async () => {
      await link.request(status(), never);
      await new Promise<void>((resolve) => setImmediate(resolve));
    });
    await link.close();
    expect(clock.pending).toBe(0);
  });

  test("a link measures a request's time from the writing of the delayed ACK before it", async () => {
    const { link, clock, heard } = bench((bytes) => (heard.length < 5 ? joiningDevice(bytes) : null));
    await link.open(never);
    await link.together(async () => {
      await link.request(status(), never);
      const failed = faultOf(link.request(status(), never));
      expect(heard).toHaveLength(3);
      await Promise.resolve();
      expect([heard.at(-1), clock.pending]).toEqual(["06 05", 1]);
      await clock.advance(60_000);
      expect((await failed).code).toBe("link.timeout");
    });
  });
});
