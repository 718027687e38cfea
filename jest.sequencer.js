/**
 * Begins with the files that take longest. On a clean checkout jest knows no durations and begins with the largest files;
 * the longest are small, as they run what other files describe, and one of them, begun last, leaves a core idle.
 */
import Sequencer from "@jest/test-sequencer";

const LONG = [
  /\/tools\/campaign\//,
  /\/console\/page\/page/,
  /\/(tools\/money-model|delivery\/endpoints\/fuzz)/,
  /\/drivers\/contract\//,
  /\/(e2e|crash)\//,
];

export default class LongFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const place = LONG.findIndex((pattern) => pattern.test(path));
      return place === -1 ? LONG.length : place;
    };
    return super.sort(tests).toSorted((one, other) => rank(one) - rank(other));
  }
}
