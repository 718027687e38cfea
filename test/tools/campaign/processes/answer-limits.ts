/** Longest wait of a driver for one answer; an emulator is always faster. Real milliseconds at the usual pace. */
export const ANSWER_MS = 150;

/** The drivers' waits by name, in real milliseconds at the usual pace. */
export function answerLimits(hasService: boolean): Readonly<Record<string, number>> {
  return {
    reactMs: 100,
    byteGapMs: 100,
    openMs: 400,
    status: ANSWER_MS,
    ordinary: ANSWER_MS,
    document: ANSWER_MS,
    slow: ANSWER_MS,
    report: 300,
    openShift: 300,
    marking: ANSWER_MS,
    printing: 1000,
    printPoll: 10,
    connectMs: 400,
    requestMs: ANSWER_MS,
    // A job of a print service takes several requests.
    quickMs: hasService ? 400 : ANSWER_MS,
    documentMs: hasService ? 1000 : ANSWER_MS,
    markMs: 1000,
    fenceMs: 1500,
    pollMs: 40,
  };
}
