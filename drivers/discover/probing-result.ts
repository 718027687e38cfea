/** One open line to an unknown device: sends a request, collects all bytes of the answer, and limits each wait. */
import type { ByteTransport, TransportFactory } from "@fiscald/shared/byte-transport.js";
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import { abortable } from "../transport/pipe-parts.js";

/** Waits of a probe, in ms. */
export interface ProbeWaits {
  /** For the opening of a port or connection. */
  readonly openMs: number;
  /** For the first byte of an answer. */
  readonly answerMs: number;
  /** After the last byte: a pause this long ends the answer. */
  readonly settleMs: number;
  /** For the first byte before text lines are sent: a register that is printing may answer late. */
  readonly patientMs: number;
  readonly identityMs: number;
}

export const probeWaits: ProbeWaits = {
  openMs: 3_000,
  answerMs: 500,
  settleMs: 700,
  patientMs: 2_500,
  identityMs: 20_000,
};

const MAX_ANSWER_BYTES = 8 * 1024;

export class ProbedLine {
  private heard: number[] = [];
  private closed = false;
  /** True: the last request got no answer, which could still come late and be taken for the next answer. */
  private doubt = false;
  private onProgress: (() => void) | null = null;

  private constructor(
    private readonly transport: ByteTransport,
    private readonly clock: Clock,
    private readonly waits: ProbeWaits,
  ) {
    transport.onBytes((bytes) => {
      this.heard.push(...bytes);
      this.onProgress?.();
    });
    transport.onClosed(() => {
      this.closed = true;
      this.onProgress?.();
    });
  }

  static async open(
    openTransport: TransportFactory,
    clock: Clock,
    waits: ProbeWaits,
    signal: AbortSignal,
  ): Promise<ProbedLine> {
    const line = new ProbedLine(openTransport(), clock, waits);
    await withLimit(clock, waits.openMs, signal, (limited) => line.transport.open(limited));
    return line;
  }

  /** Returns all bytes that came; empty = silence. Stops early when `isDecided`. Rejects with `link.aborted`. */
  async ask(
    bytes: Uint8Array,
    firstMs: number,
    signal: AbortSignal,
    isDecided: (answer: Uint8Array) => boolean,
  ): Promise<Uint8Array> {
    this.heard = [];
    this.doubt = true;
    this.tell(bytes);
    await this.wait(firstMs, signal, () => this.heard.length > 0);
    for (let known = 0; this.heard.length > known && this.heard.length < MAX_ANSWER_BYTES; ) {
      known = this.heard.length;
      if (this.closed || isDecided(Uint8Array.from(this.heard))) break;
      await this.wait(this.waits.settleMs, signal, () => this.heard.length > known);
    }
    this.doubt = this.heard.length === 0;
    return Uint8Array.from(this.heard);
  }

  tell(bytes: Uint8Array): void {
    // A failed write is ignored: a line that takes no bytes gives no answer either.
    if (!this.closed) this.transport.write(bytes).catch(() => {});
  }

  async close(): Promise<void> {
    const closing = this.transport.close({ doubt: this.doubt });
    const never = new AbortController().signal;
    await withLimit(this.clock, this.waits.openMs, never, (limited) => abortable(closing, limited)).catch(() => {});
  }

  private async wait(ms: number, signal: AbortSignal, isSo: () => boolean): Promise<void> {
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const timer = this.clock.setTimer(ms, end);
    this.onProgress = () => {
      if (isSo() || this.closed) end();
    };
    this.onProgress();
    try {
      await abortable(ended, signal);
    } finally {
      timer.cancel();
      this.onProgress = null;
    }
  }
}

/** Rejects with `link.timeout` when the work takes longer; the work's signal is then aborted. */
export async function withLimit<T>(
  clock: Clock,
  ms: number,
  signal: AbortSignal,
  work: (limited: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const timer = clock.setTimer(ms, () => late.abort(new Fault("link.timeout")));
  try {
    return await work(AbortSignal.any([signal, late.signal]));
  } catch (error) {
    if (late.signal.aborted && !signal.aborted) throw new Fault("link.timeout", { cause: error });
    throw toFault(error, "link.lost");
  } finally {
    timer.cancel();
  }
}
