import { testDialogues } from "../dialogue.js";
import { makePirit } from "./make-pirit.js";

const CODE = "0104601234567893215abc$1D93dGVz";
const BAD = "010460000000000021REJECT-1";
const ffd12 = { ffd: 4 } as const;

testDialogues(makePirit, {
  "the emulated PIRIT refuses marking codes if the register is not registered for them": [
    `79 1|${CODE}|0|1|1|0|0 -> 72`,
  ],
  "a marking code that the emulated PIRIT's checks refuse is reported and bound only if it was accepted": [
    `23 Иванов; 79 1|${BAD}|0|1|1|0|0 -> 00|1|5|0|21|0|1; 79 2|0 -> 00|2|5; 79 2|1 -> 73; 30 2|1|Иванов;
     79 15|${BAD}|1|0|5|0 -> 7E`,
    ffd12,
  ],
  "the emulated PIRIT reports a marking code that the drive has no key for with the result of its check": [
    "79 1|010460000000000021NOKEY-1|0|1|1|0|0 -> 00|1|12|2|21|0|1",
    ffd12,
  ],
  "the emulated PIRIT reports that the marking system was not asked about a code": [
    "79 1|010460000000000021OFFLINE-1|0|1|1|0|0 -> 00|1|3|0|||",
    ffd12,
  ],
  "the emulated PIRIT reports that nothing checked a code": [
    "79 1|010460000000000021NOKEY-OFFLINE|0|1|1|0|0 -> 00|1|0|2|||",
    ffd12,
  ],
  "the emulated PIRIT forgets the checks of marking codes by 79/3 while no document is open": [
    `23 Иванов; 79 1|${CODE}|0|1|1|0|0; 79 2|1; 79 0 -> 00|0|1|0|15|1...; 79 3 -> 00|3; 79 0 -> 00|0|1|0|15|0...`,
    ffd12,
  ],
});
