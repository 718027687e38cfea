import { Fault, saidBy, toFault } from "@fiscald/shared/fault.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import { makerErrorOf } from "../../driver-parts.js";
import type { Link } from "../../link/link.js";
import {
  answersRequest,
  type PiritRequest,
  type PiritRow,
  type PiritTimeouts,
  requireSuccess,
} from "./command-rows.js";
import { commands, type Status } from "./commands.js";
import { errors, needsReason, piritFault, printerBits, printerFault, wasNotExecuted } from "./device-errors.js";

/** How often a frame is sent that the register could not read. */
const MAX_TRIES = 3;

export class Conversation {
  constructor(
    private readonly link: Link,
    private readonly timeouts: PiritTimeouts,
  ) {}

  async ask<P, A>(row: PiritRow<P, A>, parameters: P, signal: AbortSignal): Promise<A> {
    const request = row.encode(parameters);
    return this.untilRead(request, (payload) => row.decode(payload), signal);
  }

  /** Null when the register refuses: for features that only some models have. */
  async askOptional<P, A>(row: PiritRow<P, A>, parameters: P, signal: AbortSignal): Promise<A | null> {
    try {
      return row.decode(await this.exchange(row.encode(parameters), signal));
    } catch (error) {
      const fault = toFault(error, "link.corrupt");
      if (fault.area === "device") return null;
      throw await this.inDoubt(fault);
    }
  }

  /** Sends a step without data in its answer. A frame that could not be read is sent again. */
  async send(request: PiritRequest, signal: AbortSignal): Promise<void> {
    await this.untilRead(request, (payload) => requireSuccess(request, payload), signal);
  }

  async sendOnce<T>(request: PiritRequest, decode: (payload: Uint8Array) => T, signal: AbortSignal): Promise<T> {
    try {
      return decode(await this.exchange(request, signal));
    } catch (error) {
      throw await this.explained(toFault(error, "link.corrupt"), request, signal);
    }
  }

  status(signal: AbortSignal): Promise<Status> {
    return this.ask(commands.status, null, signal);
  }

  /** Mask of command 04 (state of the printer). An error without a mask becomes the mask of the same meaning. */
  async printerMask(signal: AbortSignal): Promise<number> {
    try {
      return commands.printerState.decode(await this.exchange(commands.printerState.encode(null), signal));
    } catch (error) {
      const fault = toFault(error, "link.corrupt");
      const makerError = makerErrorOf(fault);
      if (makerError === errors.paperOut) return 1 << printerBits.paperOut;
      if (makerError === errors.printerNotReady) return 1 << printerBits.notReady;
      throw await this.inDoubt(fault);
    }
  }

  /**
   * Command 10 ("start of work"), necessary after every loss of power. Without `time` it sends the register's own time,
   * so that only an order to set the clock sets it. Fault `device.clock` when the register's time is before its last
   * document.
   */
  async startWork(time: LocalTime | null, signal: AbortSignal): Promise<void> {
    const at = time ?? (await this.ask(commands.clock, null, signal));
    if (at === null) throw new Fault("device.clock", { message: "the register reports no time" });
    try {
      await this.ask(commands.startWork, at, signal);
    } catch (error) {
      // The register reports the gap between the clocks, but the work has begun (PIRIT protocol, 5).
      if (makerErrorOf(error) !== errors.clockGap) throw error;
    }
  }

  private async untilRead<T>(
    request: PiritRequest,
    decode: (payload: Uint8Array) => T,
    signal: AbortSignal,
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return decode(await this.exchange(request, signal));
      } catch (error) {
        const fault = toFault(error, "link.corrupt");
        if (wasNotExecuted(fault) && attempt < MAX_TRIES) continue;
        throw await this.explained(fault, request, signal);
      }
    }
  }

  private exchange(request: PiritRequest, signal: AbortSignal): Promise<Uint8Array> {
    return this.link.request(
      {
        name: request.name,
        payload: request.payload,
        answerMs: this.timeouts[request.timeout],
        repeatable: request.repeatable,
        isAnswer: (payload) => answersRequest(request.code, payload),
      },
      signal,
    );
  }

  /** Reads the fault's reason before another command clears it. */
  private async explained(fault: Fault, request: PiritRequest, signal: AbortSignal): Promise<Fault> {
    if (fault.area === "link") return this.inDoubt(fault);
    const error = makerErrorOf(fault);
    if (error === errors.printerNotReady) return this.printerReason(fault, signal);
    if (error === null || !needsReason(fault)) return fault;
    const reason = await this.askOptional(commands.errorReason, null, signal);
    return reason === null ? fault : piritFault(error, request.name, reason);
  }

  private async printerReason(fault: Fault, signal: AbortSignal): Promise<Fault> {
    const reason = printerFault(await this.printerMask(signal));
    if (reason === null) return fault;
    return new Fault(reason.code, { message: saidBy(fault), details: { ...fault.details, ...reason.details } });
  }

  /** After an unreadable answer the state of the connection is unknown, as after any link fault. */
  private async inDoubt(fault: Fault): Promise<Fault> {
    if (fault.area === "link") await this.link.close();
    return fault;
  }
}
