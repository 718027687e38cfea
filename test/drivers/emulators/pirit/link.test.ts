import { PiritLink, type PiritLinkOptions } from "@fiscald/emulators/pirit/link.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { toHex } from "../../vectors/hex.js";
import { bodyOf, piritFrames } from "../../vectors/pirit-frames.js";
import { linkTalker, testDialogues } from "../dialogue.js";

function makeLink({ enquiryWhileBusy = "after-answer" }: Partial<PiritLinkOptions> = {}) {
  const clock = createFakeClock();
  const later = (ms: number, callback: () => void) => void clock.setTimer(ms, callback);
  return linkTalker(clock, (parts) => new PiritLink({ ...parts, clock, later }, { enquiryWhileBusy }));
}
type Link = ReturnType<typeof makeLink>;

const STATUS = toHex(piritFrames.statusRequest);
const OPEN_SHIFT = toHex(piritFrames.openShiftRequest);
const ANSWER = toHex(piritFrames.statusAnswer);
const answered = `(answer ${toHex(bodyOf(piritFrames.statusAnswer))})`;
const executes =
  (...bodies: readonly string[]) =>
  ({ executed }: Link) =>
    expect(executed).toEqual(bodies);
const statusBody = toHex(bodyOf(piritFrames.statusRequest));

testDialogues(makeLink, {
  "the emulated PIRIT's link answers ENQ with ACK": ["05 -> 06"],
  "the emulated PIRIT's link accepts a checksum in small letters": [
    "02 50 49 52 49 20 30 30 1C 03 33 64",
    { after: executes("50 49 52 49 20 30 30 1C") },
  ],
  "the emulated PIRIT's link writes the literal answer to 00": [`${STATUS}; ${answered} -> ${ANSWER}`],
  "the emulated PIRIT's link answers a wrong checksum with error 07 and executes nothing": [
    "02 50 49 52 49 20 30 30 03 32 32 -> 02 20 30 30 30 37 03 32 34",
    { after: executes() },
  ],
  // The answer has the id 21, the command 10 and the error 05.
  "the emulated PIRIT's link answers a frame that is not finished within 200 ms with error 05": [
    "02 50 49 52 49 21 31 30; (199 ms later) -> nothing; (1 ms later) -> 02 21 31 30 30 35 03 32 36",
  ],
  "the emulated PIRIT's link answers ENQ after the answer of the present command": [
    `${STATUS}; 05 -> nothing; ${answered} -> ${ANSWER} | 06`,
  ],
  "the emulated PIRIT's link answers ENQ at once during a command if the switch says so": [
    `${STATUS}; 05 -> 06`,
    { enquiryWhileBusy: "at-once" },
  ],
  "the emulated PIRIT's link carries commands out in the sequence in which they came, even across a new connection": [
    `${OPEN_SHIFT}; ${STATUS}; (another host); (answer 22 32 33 30 30) -> 02 22 32 33 30 30 03 32 30;
     ${answered} -> ${ANSWER}`,
    { after: executes(toHex(bodyOf(piritFrames.openShiftRequest)), statusBody) },
  ],
  "the emulated PIRIT's link drops an incomplete frame when another host connects": [
    `02 50 49 52 49 20; (another host); ${STATUS}`,
    { after: executes(statusBody) },
  ],
});

test.each(Object.entries(piritFrames).filter(([name]) => name.includes("Request")))(
  "the emulated PIRIT's link reads the example frame %s",
  (_, frame) => {
    const { hear, executed } = makeLink();
    hear(frame);
    expect(executed).toEqual([toHex(bodyOf(frame))]);
  },
);
