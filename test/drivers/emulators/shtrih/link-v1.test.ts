import type { LinkV1Options } from "@fiscald/emulators/shtrih/link-v1.js";
import { hex, toHex } from "../../vectors/hex.js";
import { v1Frames } from "../../vectors/shtrih-frames.js";
import { makeLink as makeAnyLink } from "./make-link.js";

const makeLink = (options: Partial<LinkV1Options> = {}) => makeAnyLink("v1", options);

describe("the standard link of the emulated Shtrih-M", () => {
  test("the emulated Shtrih-M's link v1 answers ENQ with NAK while nothing waits", () => {
    const { hear, said } = makeLink();
    hear("05 05");
    expect(said()).toBe("15 | 15");
  });

  test("the emulated Shtrih-M's link v1 takes a command without ENQ, acknowledges it, acts, and sends the answer", () => {
    const { hear, said, answer, executed } = makeLink();
    hear(v1Frames.statusRequest);
    expect(said()).toBe("06");
    expect(executed).toEqual(["10 1E 00 00 00"]);
    answer(v1Frames.statusAnswer.slice(2, -1));
    expect(said()).toBe(toHex(v1Frames.statusAnswer));
  });

  test.each(Object.entries(v1Frames).filter(([name]) => name.endsWith("Request")))(
    "the emulated Shtrih-M's link v1 reads the literal %s",
    (_name, frame) => {
      const { hear, said, executed } = makeLink();
      hear(frame);
      expect(said()).toBe("06");
      expect(executed).toEqual([toHex(frame.slice(2, -1))]);
    },
  );

  test.each(Object.entries(v1Frames).filter(([name]) => !name.endsWith("Request")))(
    "the emulated Shtrih-M's link v1 writes the literal %s",
    (_name, frame) => {
      const { hear, said, answer } = makeLink();
      hear("02 01 FC FD");
      said();
      answer(frame.slice(2, -1));
      expect(said()).toBe(toHex(frame));
    },
  );

  test("the emulated Shtrih-M's link v1 refuses a frame with any wrong bit in its sum, and takes the next one", () => {
    for (let bit = 0; bit < 8; bit++) {
      const { hear, said, executed } = makeLink();
      hear(v1Frames.statusRequest.with(4, 1 << bit));
      expect(said()).toBe("15");
      hear(v1Frames.statusRequest);
      expect(said()).toBe("06");
      expect(executed).toHaveLength(1);
    }
  });

  test("the emulated Shtrih-M's link v1 answers ENQ with ACK while it works, and takes no other command", () => {
    const { hear, said, executed } = makeLink();
    hear(v1Frames.statusRequest);
    said();
    hear("05");
    hear(v1Frames.statusRequest);
    hear("05");
    expect(said()).toBe("06 | 06");
    expect(executed).toHaveLength(1);
  });

  test("the emulated Shtrih-M's link v1 keeps an answer that was refused and sends it again when asked", () => {
    const { hear, said, answer } = makeLink();
    hear("02 01 FC FD");
    answer(hex("FC 37"));
    said();
    hear("15");
    expect(said()).toBe("");
    hear("05");
    expect(said()).toBe("06 | 02 02 FC 37 C9");
    hear("06 05");
    expect(said()).toBe("15");
  });

  test("the emulated Shtrih-M's link v1 forgets half a frame after the byte timeout", async () => {
    const { hear, said, clock, executed } = makeLink();
    hear(v1Frames.statusRequest.slice(0, 4));
    await clock.advance(99);
    hear(v1Frames.statusRequest.slice(4, 5));
    await clock.advance(100);
    hear(v1Frames.statusRequest);
    expect(said()).toBe("06");
    expect(executed).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  test("the emulated Shtrih-M's link v1 drops half a frame when another host connects", () => {
    const { hear, said, link } = makeLink();
    hear("02 05 10");
    link.reconnected();
    hear("05");
    expect(said()).toBe("15");
  });

  test("the emulated Shtrih-M's link v1 sends one more FF after the host's ACK where its switch says so", () => {
    const { hear, said, answer } = makeLink({ extraFf: true });
    hear("02 01 FC FD");
    answer(hex("FC 37"));
    said();
    hear("06");
    expect(said()).toBe("FF");
  });

  test("the emulated Shtrih-M's link v1 is ready again when a command has no answer", () => {
    const { hear, said, answer } = makeLink();
    hear("02 01 FC FD");
    answer(null);
    said();
    hear("05");
    expect(said()).toBe("15");
  });

  test.each([
    ["nak", "15"],
    ["ignored", ""],
  ] as const)(
    "the emulated Shtrih-M's link v1 treats garbage while idle as its switch says: %s",
    (reaction, answer) => {
      const { hear, said } = makeLink({ "garbage-in-idle": reaction });
      hear("00");
      expect(said()).toBe(answer);
    },
  );

  test.each([
    ["ignored", ""],
    ["executed", "06"],
  ] as const)(
    "the emulated Shtrih-M's link v1 treats a command before the answer's ACK as its switch says: %s",
    (taken, reaction) => {
      const { hear, said, answer } = makeLink({ "command-before-ack": taken });
      hear("02 01 FC FD");
      answer(hex("FC 37"));
      said();
      hear(v1Frames.statusRequest);
      expect(said()).toBe(reaction);
    },
  );

  test.each([
    ["kept", "06 | 02 02 FC 37 C9"],
    ["forgotten", "15"],
  ] as const)(
    "the emulated Shtrih-M's link v1 treats an unread answer at a new connection as its switch says: %s",
    (fate, reaction) => {
      const { hear, said, answer, link } = makeLink({ "answer-after-reconnect": fate });
      hear("02 01 FC FD");
      answer(hex("FC 37"));
      said();
      link.reconnected();
      hear("05");
      expect(said()).toBe(reaction);
    },
  );
});
