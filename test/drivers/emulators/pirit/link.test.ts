import { PiritLink, type PiritLinkOptions } from "@fiscald/emulators/pirit/link.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { hex, toHex } from "../../vectors/hex.js";
import { bodyOf, piritFrames } from "../../vectors/pirit-frames.js";

function makeLink(options: PiritLinkOptions = { enquiryWhileBusy: "after-answer" }) {
  const clock = createFakeClock();
  const sent: string[] = [];
  const executed: string[] = [];
  const waiting: ((answer: Uint8Array | null) => void)[] = [];
  const link = new PiritLink(
    {
      clock,
      send: (bytes) => sent.push(toHex(bytes)),
      execute: (command, done) => {
        executed.push(toHex(command));
        waiting.push(done);
      },
      later: (ms, callback) => void clock.setTimer(ms, callback),
    },
    options,
  );
  return {
    clock,
    link,
    executed,
    hear: (bytes: Uint8Array | string) => {
      for (const byte of typeof bytes === "string" ? hex(bytes) : bytes) link.receive(byte);
    },
    answer: (data: Uint8Array | null) => waiting.shift()?.(data),
    said: () => sent.splice(0).join(" | "),
  };
}

const statusBody = bodyOf(piritFrames.statusAnswer);

describe("the link of the emulated PIRIT", () => {
  test("the emulated PIRIT's link answers ENQ with ACK", () => {
    const { hear, said } = makeLink();
    hear("05");
    expect(said()).toBe("06");
  });

  test.each(Object.entries(piritFrames).filter(([name]) => name.includes("Request")))(
    "the emulated PIRIT's link reads the literal %s",
    (_, frame) => {
      const { hear, executed } = makeLink();
      hear(frame);
      expect(executed).toEqual([toHex(bodyOf(frame))]);
    },
  );

  test("the emulated PIRIT's link takes a checksum in small letters", () => {
    const { hear, executed } = makeLink();
    hear("02 50 49 52 49 20 30 30 1C 03 33 64");
    expect(executed).toHaveLength(1);
  });

  test("the emulated PIRIT's link writes the literal answer to 00", () => {
    const { hear, said, answer } = makeLink();
    hear(piritFrames.statusRequest);
    answer(statusBody);
    expect(said()).toBe(toHex(piritFrames.statusAnswer));
  });

  test("the emulated PIRIT's link answers a wrong checksum with error 07 and executes nothing", () => {
    const { hear, said, executed } = makeLink();
    hear("02 50 49 52 49 20 30 30 03 32 32");
    expect(said()).toBe("02 20 30 30 30 37 03 32 34");
    expect(executed).toEqual([]);
  });

  test("the emulated PIRIT's link answers a frame that is not finished within 200 ms with error 05", async () => {
    const { hear, said, clock } = makeLink();
    hear("02 50 49 52 49 21 31 30");
    await clock.advance(199);
    expect(said()).toBe("");
    await clock.advance(1);
    // The answer has the id 21, the command 10 and the error 05.
    expect(said()).toBe("02 21 31 30 30 35 03 32 36");
  });

  test("the emulated PIRIT's link answers ENQ behind the answer of the command that is at work", () => {
    const { hear, said, answer } = makeLink();
    hear(piritFrames.statusRequest);
    hear("05");
    expect(said()).toBe("");
    answer(statusBody);
    expect(said()).toBe(`${toHex(piritFrames.statusAnswer)} | 06`);
  });

  test("the emulated PIRIT's link answers ENQ at once during a command where the switch says so", () => {
    const { hear, said } = makeLink({ enquiryWhileBusy: "at-once" });
    hear(piritFrames.statusRequest);
    hear("05");
    expect(said()).toBe("06");
  });

  test("the emulated PIRIT's link works off commands in the order they came, also across a new connection", () => {
    const { hear, said, answer, executed, link } = makeLink();
    hear(piritFrames.openShiftRequest);
    hear(piritFrames.statusRequest);
    expect(executed).toHaveLength(1);
    link.reconnected();
    answer(hex("22 32 33 30 30"));
    expect(executed).toHaveLength(2);
    answer(statusBody);
    expect(said()).toBe(`02 22 32 33 30 30 03 32 30 | ${toHex(piritFrames.statusAnswer)}`);
  });

  test("the emulated PIRIT's link forgets half a frame when another host connects", () => {
    const { hear, link, executed } = makeLink();
    hear(piritFrames.statusRequest.slice(0, 6));
    link.reconnected();
    hear(piritFrames.statusRequest);
    expect(executed).toEqual([toHex(bodyOf(piritFrames.statusRequest))]);
  });

  test("the emulated PIRIT's link says nothing for an empty answer, as in batch mode", () => {
    const { hear, said, answer } = makeLink();
    hear(piritFrames.itemRequest);
    answer(new Uint8Array());
    hear("05");
    expect(said()).toBe("06");
  });
});
