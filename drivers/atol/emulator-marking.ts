/** Checks of marking codes, FFD 1.2: protocols/atol.md 2. A code that contains `REJECT` is one that the checks refuse. */

/** What the register remembers of its checks until the table is cleared. */
export interface MarkDesk {
  /** Hex of the code under check, or null. */
  checking: string | null;
  readonly accepted: Set<string>;
}

export function createMarkDesk(): MarkDesk {
  return { checking: null, accepted: new Set() };
}

/** Tag 2106: 1 checked by the drive, 2 positive, 4 checked by the marking system, 8 positive. */
export function markResult(mark: string): number {
  return isRejected(mark) ? 0b0101 : 0b1111;
}

export function isRejected(mark: string): boolean {
  return Buffer.from(mark, "hex").includes("REJECT");
}

export function itemInfoCheckResult(mark: string): object {
  const good = !isRejected(mark);
  return {
    imcCheckFlag: true,
    imcCheckResult: good,
    imcStatusInfo: true,
    imcEstimatedStatusCorrect: good,
    ecrStandAloneFlag: false,
  };
}
