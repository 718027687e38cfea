/**
 * Begins with the folders whose files take minutes. On a clean checkout jest knows no durations and begins with the largest
 * files; the longest are small, as they run what other files describe, and one of them, begun last, leaves a core idle.
 */
import Sequencer from "@jest/test-sequencer";

const LONG = /\/(campaign|drivers\/contract|e2e|crash)\/|-model\.test\.js$/;

export default class LongFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isLong = ({ path }) => LONG.test(path);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}
