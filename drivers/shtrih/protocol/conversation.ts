/** Commands over one connection. A refusal during a print is waited out. */
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault, isFault, toFault } from "@fiscald/shared/fault.js";
import { unlessRefused } from "../../driver-parts.js";
import type { Link } from "../../link/link.js";
import type { ShtrihOptions, ShtrihTimeouts } from "../options.js";
import { answersCode, requireDone, type ShtrihRequest, type ShtrihRow } from "./command-row.js";
import { commands } from "./commands.js";

export interface ConversationOptions {
  readonly link: Link;
  readonly options: ShtrihOptions;
  readonly timeouts: ShtrihTimeouts;
  readonly clock: Clock;
}

export type ShortStatus = ReturnType<typeof commands.shortStatus.decode>;

/** Submodes of the register (Shtrih-M protocol, 5). */
export const submodes = { idle: 0, noPaper: 1, paperRanOut: 2, awaitsContinue: 3, longReport: 4, printing: 5 } as const;
/** Byte 16 of the short status, where the model sends it: the last document is still being printed. */
const STILL_PRINTING = 5;

export class Conversation {
  readonly operator: { readonly password: number };
  readonly admin: { readonly password: number };
  /** True: the register reported that it was idle, and only queries were sent since. */
  isKnownIdle = false;

  constructor(private readonly setup: ConversationOptions) {
    this.operator = { password: setup.options.operatorPassword };
    this.admin = { password: setup.options.adminPassword };
  }

  noteStatus(status: ShortStatus): void {
    this.isKnownIdle = status.submode === submodes.idle && !this.isPrinting(status);
  }

  /** A query that the register refuses because of printing is sent again. */
  async ask<P, A>(row: ShtrihRow<P, A>, parameters: P, signal: AbortSignal): Promise<A> {
    const request = row.encode(parameters);
    if (!request.repeatable) this.isKnownIdle = false;
    const decode = async () => this.decoded(await this.exchange(request, signal), (payload) => row.decode(payload));
    return request.repeatable ? this.untilIdle(decode, signal) : decode();
  }

  /** Null when the register refuses: for commands that only some models have. */
  async askOptional<P, A>(row: ShtrihRow<P, A>, parameters: P, signal: AbortSignal): Promise<A | null> {
    return unlessRefused(() => this.ask(row, parameters, signal));
  }

  /** The answer has no data. A refusal because of printing executes nothing, so the step is sent again. */
  async send(request: ShtrihRequest, signal: AbortSignal): Promise<void> {
    await this.untilIdle(() => this.sendOnce(request, signal), signal);
  }

  async sendOnce(request: ShtrihRequest, signal: AbortSignal): Promise<Uint8Array> {
    this.isKnownIdle = false;
    return this.decoded(await this.exchange(request, signal), (payload) => {
      requireDone(request, payload);
      return payload;
    });
  }

  async shortStatus(signal: AbortSignal): Promise<ShortStatus> {
    const status = await this.ask(commands.shortStatus, this.operator, signal);
    this.noteStatus(status);
    return status;
  }

  /** Waits until a print is finished, and continues a waiting one. Faults: `device.paper-out`, `device.printing`. */
  async awaitPrinter(signal: AbortSignal): Promise<ShortStatus> {
    const status = await this.settlePrint(signal);
    if (status.submode === submodes.noPaper) throw new Fault("device.paper-out");
    return status;
  }

  /** Like `awaitPrinter`, but accepts a register that is idle without paper. */
  async settlePrint(signal: AbortSignal): Promise<ShortStatus> {
    const { clock, timeouts } = this.setup;
    const deadline = clock.monotonic() + timeouts.printing;
    for (;;) {
      const status = await this.shortStatus(signal);
      if (status.submode === submodes.paperRanOut) throw new Fault("device.paper-out");
      if (status.submode === submodes.awaitsContinue) {
        await this.sendOnce(commands.continuePrint.encode(this.operator), signal);
      } else if (!this.isPrinting(status)) return status;
      if (clock.monotonic() >= deadline) throw new Fault("device.printing");
      await this.pause(signal);
    }
  }

  isPrinting({ submode, printResult }: ShortStatus): boolean {
    return submode === submodes.printing || submode === submodes.longReport || printResult === STILL_PRINTING;
  }

  private async untilIdle<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const { clock, timeouts } = this.setup;
    const deadline = clock.monotonic() + timeouts.printing;
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        const waits = isFault(error) && (error.code === "device.printing" || error.code === "device.print-unfinished");
        if (!waits || clock.monotonic() >= deadline) throw error;
        await this.pause(signal);
        await this.awaitPrinter(signal);
      }
    }
  }

  private async pause(signal: AbortSignal): Promise<void> {
    try {
      await this.setup.clock.sleep(this.setup.timeouts.printPoll, signal);
    } catch (error) {
      throw toFault(error, "link.aborted");
    }
  }

  private exchange(request: ShtrihRequest, signal: AbortSignal): Promise<Uint8Array> {
    const { link, timeouts } = this.setup;
    return link.request(
      {
        name: request.name,
        payload: request.payload,
        answerMs: timeouts[request.timeout],
        repeatable: request.repeatable,
        isAnswer: (payload) => answersCode(request.code, payload),
      },
      signal,
    );
  }

  /** After an unreadable answer the state of the connection is unknown, as after any link fault. */
  private async decoded<T>(payload: Uint8Array, decode: (payload: Uint8Array) => T): Promise<T> {
    try {
      return decode(payload);
    } catch (error) {
      const fault = toFault(error, "link.corrupt");
      if (fault.area === "link") await this.setup.link.close();
      throw fault;
    }
  }
}
