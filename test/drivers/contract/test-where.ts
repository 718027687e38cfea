type Register<T> = (title: string, run: () => T) => void;

/**
 * A test where the register can do what it is about, and nothing at all elsewhere: what is shown as skipped is only ever
 * for want of a program or a server. What a register cannot do stands in skips.ts, compared with its driver both ways.
 */
export function testWhere(able: boolean): Register<Promise<void>> {
  return able ? test : () => {};
}

export function describeWhere(able: boolean): Register<void> {
  return able ? describe : () => {};
}
