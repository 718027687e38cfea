/** Random choices that are the same for the same seed. */
export interface Seeded {
  /** From 0 to below 1. */
  next(): number;
  /** Both limits are possible. */
  int(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<const T>(choices: readonly [T, ...T[]]): T;
  pickOf<T>(choices: readonly T[]): T | undefined;
}

export function seeded(seed: number): Seeded {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (choices) => choices[int(0, choices.length - 1)] ?? choices[0],
    pickOf: (choices) => (choices.length === 0 ? undefined : choices[int(0, choices.length - 1)]),
  };
}
