/**
 * One connection to one device: opens the pipe, finds the protocol by asking, then runs one exchange at a time.
 *
 * Any failure inside an exchange makes the connection unreliable, and an unreliable connection is closed at once, so
 * that no byte of it can arrive late. The link never reconnects; a new connection is a new link.
 */

import type { ByteTransport, CloseReason } from "@fiscald/shared/byte-transport.js";
import type { Clock, Timer } from "@fiscald/shared/clock.js";
import { Fault, isFault, saidBy, toFault } from "@fiscald/shared/fault.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { WireFrame } from "../fiscal-driver.js";
import type { LinkRequest, LinkTimeouts, MachineOutput } from "./exchange-machine.js";
import type { OpenSession, Session } from "./session.js";
import { createWireTrace, type WireTrace } from "./wire-trace.js";

const FRAMES_IN_FAULT = 8;

export interface Link {
  /** Rejects with `link.*`; the link cannot be used then. Returns the index of the protocol that answered. */
  open(signal: AbortSignal): Promise<number>;
  /**
   * The answer's payload. Rejects with `link.*` after closing the connection. Only an abort before the first byte
   * leaves the connection usable.
   */
  request(request: LinkRequest, signal: AbortSignal): Promise<Uint8Array>;
  /**
   * Runs requests without a pause between them. The ACK of an answer is sent with the next request, or when the event
   * loop turns. The last ACK is sent before this resolves: a device waits 50 ms for an ACK and must not wait for a
   * disk.
   */
  together<T>(requests: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
  readonly isOpen: boolean;
  lastFrames(): readonly WireFrame[];
  /** Called once when the connection breaks while no request is running. */
  onLost(listener: (fault: Fault) => void): void;
}

export interface LinkOptions {
  readonly transport: ByteTransport;
  /** Protocols to try, in this order; the first that answers is used. */
  readonly protocols: readonly OpenSession[];
  readonly timeouts: LinkTimeouts;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function createLink(options: LinkOptions): Link {
  return new TransportLink(options);
}

interface Exchange {
  resolve(payload: Uint8Array | null): void;
  reject(fault: Fault): void;
}

class TransportLink implements Link {
  private readonly trace: WireTrace;
  private session: Session | null = null;
  private state: "new" | "open" | "closed" = "new";
  private exchange: Exchange | null = null;
  private wait: Timer | null = null;
  private gap: Timer | null = null;
  private readonly lostListeners: ((fault: Fault) => void)[] = [];
  private callersTogether = 0;
  private firstBytes: Uint8Array = Uint8Array.of();
  private held: Uint8Array | null = null;
  private readonly abortListener = createAbortListener((cause) => this.fail(new Fault("link.aborted", { cause })));

  constructor(private readonly options: LinkOptions) {
    this.trace = createWireTrace(options);
    options.transport.onBytes((bytes) => this.onBytes(bytes));
    options.transport.onClosed((reason) => this.onClosed(reason));
  }

  get isOpen(): boolean {
    return this.state === "open";
  }

  lastFrames(): readonly WireFrame[] {
    return this.trace.frames();
  }

  onLost(listener: (fault: Fault) => void): void {
    this.lostListeners.push(listener);
  }

  async open(signal: AbortSignal): Promise<number> {
    await this.openTransport(signal);
    this.state = "open";
    let last = new Fault("link.foreign");
    for (const [place, openSession] of this.options.protocols.entries()) {
      const fault = await this.tryProtocol(openSession, signal);
      if (fault === null) return place;
      last = fault;
      const mayBeOther =
        fault.code === "link.timeout" || fault.code === "link.foreign" || fault.code === "link.corrupt";
      if (!mayBeOther || !this.isOpen) break;
    }
    await this.closeTransport("in doubt");
    if (Buffer.from(this.firstBytes).toString("latin1").startsWith(HTTP)) throw this.webServer(last);
    throw last.code === "link.timeout" ? unanswered(last) : last;
  }

  async request(request: LinkRequest, signal: AbortSignal): Promise<Uint8Array> {
    if (signal.aborted) throw new Fault("link.aborted", { cause: signal.reason, details: { command: request.name } });
    const session = this.session;
    if (session === null || !this.isOpen) throw new Fault("link.lost", { details: { command: request.name } });
    if (this.exchange !== null) throw new Fault("internal", { message: `two requests at once: ${request.name}` });
    this.trace.command(request.name);
    try {
      const payload = await this.runExchange(() => session.begin(request), signal);
      if (payload === null) throw new Fault("internal", { message: `no answer to ${request.name}` });
      return payload;
    } catch (error) {
      await this.closeTransport("in doubt");
      throw this.withFrames(toFault(error, "internal"));
    }
  }

  async together<T>(requests: () => Promise<T>): Promise<T> {
    this.callersTogether += 1;
    try {
      return await requests();
    } finally {
      this.callersTogether -= 1;
      if (this.callersTogether === 0) this.release();
    }
  }

  async close(): Promise<void> {
    if (this.state !== "open") return;
    if (this.exchange !== null) await this.closeTransport("in doubt");
    else await this.closeTransport("sound");
  }

  /** Limits the whole opening, whatever the transport does. */
  private async openTransport(signal: AbortSignal): Promise<void> {
    const late = new AbortController();
    const { clock, timeouts, transport } = this.options;
    const timer = clock.setTimer(timeouts.openMs, () => late.abort(new Fault("link.timeout")));
    try {
      await transport.open(AbortSignal.any([signal, late.signal]));
    } catch (error) {
      this.state = "closed";
      // A transport that already knows the reason for its failure reports that reason.
      const isWaited = !isFault(error) || error.code === "link.aborted";
      if (late.signal.aborted && !signal.aborted && isWaited) {
        throw new Fault("link.timeout", { message: `${transport.label} could not be opened in time`, cause: error });
      }
      throw toFault(error, "link.lost");
    } finally {
      timer.cancel();
    }
  }

  private async tryProtocol(openSession: OpenSession, signal: AbortSignal): Promise<Fault | null> {
    const session = openSession((output) => this.obey(output));
    this.session = session;
    this.trace.command("greeting");
    try {
      await this.runExchange(() => {
        if (!session.greet()) this.finish((exchange) => exchange.resolve(null));
      }, signal);
      return null;
    } catch (error) {
      return this.withFrames(toFault(error, "internal"));
    }
  }

  private runExchange(begin: () => void, signal: AbortSignal): Promise<Uint8Array | null> {
    if (signal.aborted) return Promise.reject(new Fault("link.aborted", { cause: signal.reason }));
    this.abortListener.listenTo(signal);
    return new Promise<Uint8Array | null>((resolve, reject) => {
      this.exchange = { resolve, reject };
      begin();
    });
  }

  private obey(output: MachineOutput): void {
    const isAnswered = output.end?.kind === "answer" && this.callersTogether > 0;
    for (const bytes of output.write ?? []) {
      if (isAnswered) this.hold(bytes);
      else this.write(bytes);
    }
    if (output.waitMs !== undefined) this.restartWait(output.waitMs);
    const { end } = output;
    if (end === undefined) return;
    if (end.kind === "failed") this.fail(end.fault);
    else this.finish((exchange) => exchange.resolve(end.kind === "answer" ? end.payload : null));
  }

  private hold(bytes: Uint8Array): void {
    this.held = joined(this.held, bytes);
    setImmediate(() => this.release());
  }

  private release(): void {
    if (this.held !== null) this.guarded(() => this.write(Uint8Array.of()));
  }

  private write(piece: Uint8Array): void {
    const bytes = joined(this.held, piece);
    this.held = null;
    this.trace.out(bytes);
    this.options.transport.write(bytes).catch((error) => this.fail(toFault(error, "link.lost")));
  }

  private restartWait(ms: number): void {
    this.wait?.cancel();
    this.wait = this.options.clock.setTimer(ms, () => this.guarded((session) => session.timeout()));
  }

  private onBytes(bytes: Uint8Array): void {
    this.trace.in(bytes);
    if (this.firstBytes.length < HTTP.length) this.firstBytes = joined(this.firstBytes, bytes);
    this.gap?.cancel();
    this.gap = null;
    this.guarded((session) => session.push(bytes));
    if (this.exchange !== null && this.session?.midFrame === true) {
      this.gap = this.options.clock.setTimer(this.options.timeouts.byteGapMs, () =>
        this.guarded((session) => session.cutShort()),
      );
    }
  }

  /**
   * Bytes, timers and waiting ACKs have no caller: an exception there fails the exchange, but neither the process nor
   * an earlier answer.
   */
  private guarded(act: (session: Session) => void): void {
    try {
      if (this.session !== null) act(this.session);
    } catch (error) {
      this.fail(toFault(error, "internal"));
    }
  }

  private onClosed(reason: CloseReason): void {
    const wasOpen = this.state === "open";
    this.state = "closed";
    this.held = null;
    this.abortListener.listenTo(null);
    const fault = new Fault("link.lost", reason.kind === "lost" ? { cause: reason.cause } : {});
    if (this.exchange !== null) this.fail(fault);
    else if (wasOpen && reason.kind === "lost") for (const listener of this.lostListeners) listener(fault);
  }

  private fail(fault: Fault): void {
    this.finish((exchange) => exchange.reject(fault));
  }

  private finish(settle: (exchange: Exchange) => void): void {
    this.wait?.cancel();
    this.gap?.cancel();
    this.wait = null;
    this.gap = null;
    this.session?.drop();
    const exchange = this.exchange;
    this.exchange = null;
    if (exchange !== null) settle(exchange);
  }

  private async closeTransport(how: "sound" | "in doubt"): Promise<void> {
    if (this.state === "closed") return;
    if (how === "sound") this.release();
    this.held = null;
    this.state = "closed";
    this.abortListener.listenTo(null);
    this.fail(new Fault("link.lost", { message: "the connection was closed" }));
    const { clock, timeouts, transport } = this.options;
    await new Promise<void>((resolve, reject) => {
      // A port that hangs while it is closed must not delay the next connection for ever.
      const limit = clock.setTimer(timeouts.openMs, resolve);
      transport
        .close({ doubt: how === "in doubt" })
        .then(resolve, reject)
        .finally(() => limit.cancel());
    });
  }

  private webServer({ details, cause }: Fault): Fault {
    const message = `a web server answers at ${this.options.transport.label}: it is no register's port, or that of its web page`;
    return new Fault("link.foreign", { message, details, cause });
  }

  private withFrames(fault: Fault): Fault {
    const frames = this.trace.frames().slice(-FRAMES_IN_FAULT);
    return new Fault(fault.code, {
      message: saidBy(fault),
      details: { ...fault.details, frames },
      cause: fault.cause ?? fault,
    });
  }
}

const HTTP = "HTTP/";

function joined(before: Uint8Array | null, after: Uint8Array): Uint8Array {
  return before === null ? after : Buffer.concat([before, after]);
}

/** A register of another maker is as silent as one that is switched off. */
function unanswered({ details, cause }: Fault): Fault {
  const message =
    "nothing answers in this driver's protocol: the register is off, the port or its speed is wrong, or it is another maker's";
  return new Fault("link.timeout", { message, details, cause });
}

/**
 * Listens to the signal of the running exchange. All exchanges of one task have the same signal: adding and removing a
 * listener for each of them would cost as much as the exchange itself.
 */
interface AbortListener {
  listenTo(signal: AbortSignal | null): void;
}

function createAbortListener(onAbort: (reason: unknown) => void): AbortListener {
  let current: AbortSignal | null = null;
  const listener = () => onAbort(current?.reason);
  return {
    listenTo(signal) {
      if (signal === current) return;
      current?.removeEventListener("abort", listener);
      current = signal;
      signal?.addEventListener("abort", listener);
    },
  };
}
