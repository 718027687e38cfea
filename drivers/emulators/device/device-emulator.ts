/**
 * Joins a maker's protocol to a connection. Bytes come in one by one; whole commands go to the behaviours, then to the
 * protocol; answers go out. Faults are behaviours between the two, so a protocol has no code for them.
 *
 *   connection -> held? -> changeByte -> afterBytes -> link -> onCommand -> makerProtocol.perform -> fiscal core
 *   connection <- held? <- afterBytes <- changeByte <- onAnswer <- link <----------'
 */
import type { Clock, Timer } from "@fiscald/shared/clock.js";
import { type Behaviour, BehaviourChain, type Exchange } from "../wire/behaviour.js";
import { type AttachOptions, HostQueue } from "../wire/host-queue.js";
import type { DeviceEnd } from "../wire/loopback.js";
import { PausableWire } from "../wire/pausable-wire.js";
import { WireLog } from "../wire/wire-log.js";
import type { DeviceLink, MakerProtocol } from "./maker-protocol.js";

export interface DeviceEmulatorOptions {
  readonly makerProtocol: MakerProtocol;
  readonly clock: Clock;
  /** `realistic`: commands take as long as on a real device, and bytes travel at `baudRate`. */
  readonly timing: "instant" | "realistic";
  readonly baudRate?: number | undefined;
}

export class DeviceEmulator {
  readonly wire = new WireLog();
  private readonly behaviours = new BehaviourChain();
  private readonly timers = new Set<Timer>();
  private link: DeviceLink;
  private readonly hosts: HostQueue;
  /** Counts power cuts: a command that began before a power cut never finishes. */
  private life = 0;
  isPlugged = true;
  /** Counts outages, so that only the end of the latest one reconnects the device. */
  private outages = 0;
  private silent = false;
  /** The answer frame that was sent last, before faults changed it. */
  lastAnswer: Uint8Array | null = null;
  leftOfFrame = 0;
  /** Total time in ms from the last byte of each command to its whole answer. */
  answeringMs = 0;
  private heardAt = 0;
  private readonly held = new PausableWire();

  constructor(private readonly options: DeviceEmulatorOptions) {
    this.link = this.switchOn();
    this.hosts = new HostQueue({
      onTaken: () => this.meetHost(),
      onBytes: (bytes) => this.receive(bytes),
      onGone: () => this.held.forget("in"),
    });
  }

  /** False: refused, because the cable is unplugged or the power is off. */
  attach(end: DeviceEnd, options: AttachOptions = {}): boolean {
    if (!this.isPlugged && options.lasting !== true) return false;
    this.hosts.add(end, options);
    return true;
  }

  get connected(): boolean {
    return this.hosts.isTaken && this.isPlugged;
  }

  private meetHost(): void {
    this.forgetHeld();
    this.link.reconnected();
  }

  private forgetHeld(): void {
    this.held.forget("in");
    this.held.forget("out");
  }

  addBehaviour(behaviour: Behaviour): void {
    this.behaviours.add(behaviour);
  }

  removeBehaviour(behaviour: Behaviour): void {
    this.behaviours.remove(behaviour);
  }

  unplug(ms: number): void {
    this.cut();
    this.plugInAfter(ms);
  }

  /** Cuts the power for `ms`; an answer that was not sent yet is forgotten. */
  powerCut(ms: number): void {
    this.life += 1;
    this.cut();
    this.options.makerProtocol.powerCut();
    this.link = this.switchOn();
    this.plugInAfter(ms);
  }

  private plugInAfter(ms: number): void {
    const outage = this.outages;
    this.later(ms, () => {
      if (outage === this.outages) this.plugIn();
    });
  }

  plugIn(): void {
    this.isPlugged = true;
  }

  /** A silent device neither reads nor answers, but keeps its connections. */
  setSilent(silent: boolean): void {
    this.silent = silent;
  }

  /** Pauses the wire: no byte passes in either direction, while the device goes on with the commands that it has. */
  hold(): void {
    this.held.hold();
  }

  get isPaused(): boolean {
    return this.held.isPaused;
  }

  release(): void {
    const waited = this.held.release();
    this.emit(waited.out);
    this.receive(waited.in);
  }

  later(ms: number, callback: () => void): void {
    if (ms <= 0) {
      queueMicrotask(callback);
      return;
    }
    const timer = this.options.clock.setTimer(ms, () => {
      this.timers.delete(timer);
      callback();
    });
    this.timers.add(timer);
  }

  close(): void {
    for (const timer of this.timers) timer.cancel();
    this.timers.clear();
    this.life += 1;
    this.cut();
    this.link.reconnected();
  }

  private cut(): void {
    this.isPlugged = false;
    this.outages += 1;
    this.forgetHeld();
    this.hosts.hangUp();
  }

  private receive(bytes: Uint8Array): void {
    this.heardAt = this.options.clock.monotonic();
    const record = this.wire.begin(this.options.clock.now(), "in");
    for (const [index, byte] of bytes.entries()) {
      if (!this.isPlugged) return;
      if (this.held.keep("in", bytes.subarray(index))) return;
      record([byte]);
      if (this.silent) continue;
      const life = this.life;
      const changed = this.behaviours.changeByte("in", byte);
      this.behaviours.afterBytes("in", 1);
      for (const received of changed) {
        if (life === this.life) this.link.receive(received);
      }
    }
  }

  private send(bytes: Uint8Array, kind: "answer" | "control"): void {
    if (!this.isPlugged || this.silent) return;
    if (kind === "control") {
      this.emit(bytes);
      return;
    }
    const frame = this.behaviours.changeAnswer(bytes);
    this.lastAnswer = bytes;
    this.emit(frame);
  }

  private emit(bytes: Uint8Array): void {
    const record = this.wire.begin(this.options.clock.now(), "out");
    const send = (piece: Uint8Array) => {
      record(piece);
      this.hosts.send(piece);
    };
    let rest = bytes;
    while (rest.length > 0 && this.isPlugged && !this.silent && !this.held.keep("out", rest)) {
      const quiet = Math.min(rest.length, this.behaviours.quietBytes());
      const piece = rest.subarray(0, Math.max(1, quiet));
      rest = rest.subarray(piece.length);
      this.leftOfFrame = rest.length;
      if (quiet > 0) {
        send(piece);
        this.behaviours.afterBytes("out", piece.length);
        continue;
      }
      for (const sent of this.behaviours.changeByte("out", piece[0] ?? 0)) {
        send(Uint8Array.of(sent));
        this.behaviours.afterBytes("out", 1);
      }
    }
    // The rest of a frame that was cut off is not sent later.
    this.leftOfFrame = 0;
  }

  private execute(command: Uint8Array, done: (answer: Uint8Array | null) => void): void {
    const exchange = this.createExchange(command, done);
    if (this.behaviours.handles(exchange)) return;
    if (this.options.timing === "instant") {
      exchange.answer(exchange.act());
      return;
    }
    this.later(this.options.makerProtocol.durationMs(command) + this.travelMs(command.length), () => {
      const answer = exchange.act();
      this.later(this.travelMs(answer?.length ?? 0), () => exchange.answer(answer));
    });
  }

  private createExchange(command: Uint8Array, done: (answer: Uint8Array | null) => void): Exchange {
    const { makerProtocol, clock } = this.options;
    const { life, heardAt } = this;
    let answer: Uint8Array | null = null;
    return {
      command,
      names: makerProtocol.namesOf(command),
      act: () => {
        if (life === this.life) answer ??= makerProtocol.perform(command);
        return answer;
      },
      answer: (bytes) => {
        if (life !== this.life) return;
        done(bytes);
        this.answeringMs += clock.monotonic() - heardAt;
      },
    };
  }

  /** Ten bits for each byte; the frame around a command has about four bytes. */
  private travelMs(bytes: number): number {
    return ((bytes + 4) * 10_000) / (this.options.baudRate ?? 115_200);
  }

  private switchOn(): DeviceLink {
    const { life } = this;
    return this.options.makerProtocol.createLink({
      clock: this.options.clock,
      send: (bytes, kind) => {
        if (life === this.life) this.send(bytes, kind);
      },
      execute: (command, done) => {
        if (life === this.life) this.execute(command, done);
      },
      later: (ms, callback) => {
        this.later(ms, () => {
          if (life === this.life) callback();
        });
      },
    });
  }
}
