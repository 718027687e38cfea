import type { Clock } from "@fiscald/shared/clock.js";

/** Reading the facts takes six commands or more, too many before every receipt on a busy day. */
const KEEP_MS = 60_000;

/** Keeps facts of one connection that may be a minute old: the drawer, the OFD queue, what is left of the drive. */
export class KeptFacts<T> {
  private kept: { readonly at: number; readonly shift: string; readonly facts: T } | null = null;

  constructor(
    private readonly clock: Pick<Clock, "monotonic">,
    private readonly readNow: (signal: AbortSignal) => Promise<T>,
  ) {}

  /** `mayBeKept`: facts of this shift up to a minute old are good enough. */
  async read(
    { mayBeKept, shift }: { readonly mayBeKept: boolean; readonly shift: string },
    signal: AbortSignal,
  ): Promise<T> {
    const at = this.clock.monotonic();
    const { kept } = this;
    if (mayBeKept && kept !== null && kept.shift === shift && at - kept.at < KEEP_MS) return kept.facts;
    const facts = await this.readNow(signal);
    this.kept = { at, shift, facts };
    return facts;
  }
}
