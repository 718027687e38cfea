import type { LinkV1Options } from "@fiscald/emulators/shtrih/link-v1.js";
import { toHex } from "../../vectors/hex.js";
import { v1Frames } from "../../vectors/shtrih-frames.js";
import { testDialogues } from "../dialogue.js";
import { makeLink as makeAnyLink } from "./make-link.js";

const makeLink = (options: Partial<LinkV1Options> = {}) => makeAnyLink("v1", options);
type Link = ReturnType<typeof makeLink>;

const status = toHex(v1Frames.statusRequest);
const once = ({ executed }: Link) => expect(executed).toEqual(["10 1E 00 00 00"]);
const ANSWER = "02 02 FC 37 C9";
const answered = `02 01 FC FD -> 06; (answer FC 37) -> ${ANSWER}`;

testDialogues(makeLink, {
  "the emulated Shtrih-M's link v1 answers ENQ with NAK while it has no answer to send": ["05 05 -> 15 | 15"],
  "the emulated Shtrih-M's link v1 takes a command without ENQ, acknowledges it, executes it, and sends the answer": [
    `${status} -> 06; (answer ${toHex(v1Frames.statusAnswer.slice(2, -1))}) -> ${toHex(v1Frames.statusAnswer)}`,
    { after: once },
  ],
  "the emulated Shtrih-M's link v1 answers ENQ with ACK while it works, and accepts no other command": [
    `${status} -> 06; 05 ${status} 05 -> 06 | 06`,
    { after: once },
  ],
  "the emulated Shtrih-M's link v1 keeps an answer that the host refused and sends it again when asked": [
    `${answered}; 15 -> nothing; 05 -> 06 | ${ANSWER}; 06 05 -> 15`,
  ],
  "the emulated Shtrih-M's link v1 drops an incomplete frame after the byte timeout": [
    `02 05 10 1E -> nothing; (99 ms later) -> nothing; 00 -> nothing; (100 ms later) -> nothing; ${status} -> 06`,
    {
      after(link) {
        once(link);
        expect(link.clock.pending).toBe(0);
      },
    },
  ],
  "the emulated Shtrih-M's link v1 drops an incomplete frame when another host connects": [
    "02 05 10; (another host); 05 -> 15",
  ],
  "the emulated Shtrih-M's link v1 sends one more FF after the host's ACK if its switch says so": [
    `${answered}; 06 -> FF`,
    { extraFf: true },
  ],
  "the emulated Shtrih-M's link v1 is ready again when a command has no answer": ["02 01 FC FD; (no answer); 05 -> 15"],
  "the emulated Shtrih-M's link v1 answers garbage while idle with NAK if its switch says so": [
    "00 -> 15",
    { "garbage-in-idle": "nak" },
  ],
  "the emulated Shtrih-M's link v1 ignores garbage while idle if its switch says so": [
    "00 -> nothing",
    { "garbage-in-idle": "ignored" },
  ],
  "the emulated Shtrih-M's link v1 ignores a command before the answer's ACK if its switch says so": [
    `${answered}; ${status} -> nothing`,
    { "command-before-ack": "ignored" },
  ],
  "the emulated Shtrih-M's link v1 accepts a command before the answer's ACK if its switch says so": [
    `${answered}; ${status} -> 06`,
    { "command-before-ack": "executed" },
  ],
  "the emulated Shtrih-M's link v1 keeps an unread answer for a new connection if its switch says so": [
    `${answered}; (another host); 05 -> 06 | ${ANSWER}`,
    { "answer-after-reconnect": "kept" },
  ],
  "the emulated Shtrih-M's link v1 forgets an unread answer at a new connection if its switch says so": [
    `${answered}; (another host); 05 -> 15`,
    { "answer-after-reconnect": "forgotten" },
  ],
});

const isRequest = ([name]: readonly [string, unknown]) => name.endsWith("Request");

test.each(Object.entries(v1Frames).filter(isRequest))(
  "the emulated Shtrih-M's link v1 reads the example frame %s",
  (_name, frame) => {
    const { hear, executed } = makeLink();
    expect(hear(frame)).toBe("06");
    expect(executed).toEqual([toHex(frame.slice(2, -1))]);
  },
);

test.each(Object.entries(v1Frames).filter((entry) => !isRequest(entry)))(
  "the emulated Shtrih-M's link v1 writes the example frame %s",
  (_name, frame) => {
    const { hear, answer } = makeLink();
    hear(v1Frames.deviceTypeRequest);
    expect(answer(frame.slice(2, -1))).toBe(toHex(frame));
  },
);

test.each([0, 1, 2, 3, 4, 5, 6, 7])(
  "the emulated Shtrih-M's link v1 refuses a frame with a wrong bit %i in its checksum, and accepts the next frame",
  (bit) => {
    const link = makeLink();
    expect(link.hear(v1Frames.statusRequest.with(4, 1 << bit))).toBe("15");
    expect(link.hear(v1Frames.statusRequest)).toBe("06");
    once(link);
  },
);
