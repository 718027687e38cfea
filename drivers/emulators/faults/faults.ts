/** The faults as behaviours: each waits for its trigger (`when`) and then acts as soon as its effect is possible. */
import type { DeviceEmulator } from "../device/device-emulator.js";
import type { MakerProtocol } from "../device/maker-protocol.js";
import { alterDocument } from "../memory/alter-document.js";
import type { StoredDocument } from "../memory/documents.js";
import type { Printer } from "../paper/printer.js";
import type { Behaviour, Direction, Exchange } from "../wire/behaviour.js";
import { type FaultSpec, isCommandTrigger, timesOf } from "./fault-spec.js";

export interface FaultContext {
  readonly device: DeviceEmulator;
  readonly makerProtocol: MakerProtocol;
  readonly printer: Printer;
}

export interface FaultStatus {
  readonly id: string;
  readonly effect: FaultSpec["effect"];
  readonly when: FaultSpec["when"];
  readonly struck: number;
  readonly state: "waiting" | "armed" | "spent";
}

export class ActiveFault implements Behaviour {
  private armed = false;
  private left: number;
  private strikes = 0;
  private bytesSeen = 0;
  private commandsSeen = 0;
  private swallow = 0;
  private cleared = false;

  constructor(
    readonly id: string,
    readonly spec: FaultSpec,
    private readonly context: FaultContext,
  ) {
    this.left = timesOf(spec);
    if (spec.effect === "byte-by-byte") this.changeByte = () => undefined;
    else if (!isCommandTrigger(spec.when) && spec.when !== "now") this.watchBytes(spec.when);
  }

  /** Set only where single bytes matter: without `quietBytes` the emulator then sends byte by byte. */
  changeByte?: (direction: Direction, byte: number) => readonly number[] | undefined;
  afterBytes?: (direction: Direction, count: number) => void;
  quietBytes?: (direction: Direction) => number;

  start(): void {
    const { when } = this.spec;
    if (when === "now" || (!isCommandTrigger(when) && when.afterBytes === 0)) this.arm();
  }

  status(): FaultStatus {
    const state = this.armed ? "armed" : this.left === 0 ? "spent" : "waiting";
    return { id: this.id, effect: this.spec.effect, when: this.spec.when, struck: this.strikes, state };
  }

  clear(): void {
    this.cleared = true;
    this.armed = false;
    if (this.strikes > 0) this.stateOf(this.spec)?.end();
  }

  private stateOf(spec: FaultSpec): { readonly begin: () => void; readonly end: () => void } | null {
    const { device, printer } = this.context;
    switch (spec.effect) {
      case "silent":
        return { begin: () => device.setSilent(true), end: () => device.setSilent(false) };
      case "pause":
        return { begin: () => device.hold(), end: () => device.release() };
      case "unplug":
        return { begin: () => device.unplug(spec.ms), end: () => device.plugIn() };
      case "power-cut":
        return { begin: () => device.powerCut(spec.ms), end: () => device.plugIn() };
      case "paper-out":
        return { begin: () => printer.removePaper(), end: () => printer.loadPaper() };
      case "cover-open":
        return { begin: () => printer.setCover(true), end: () => printer.setCover(false) };
      default:
        return null;
    }
  }

  alter(document: StoredDocument): StoredDocument {
    if (this.spec.effect !== "alter" || !this.armed || document.receiptNumber === null) return document;
    this.strike();
    return alterDocument(document, this.spec);
  }

  onCommand(exchange: Exchange): "handled" | "pass" {
    const { when } = this.spec;
    if (isCommandTrigger(when)) {
      if (!exchange.names.includes(when.command)) return "pass";
      this.commandsSeen += 1;
      this.armed = this.commandsSeen >= when.nth && this.left > 0;
    }
    return this.armed ? this.atCommand(exchange, isCommandTrigger(when)) : "pass";
  }

  onAnswer(frame: Uint8Array): Uint8Array | undefined {
    return this.armed ? this.atAnswer(frame) : undefined;
  }

  private watchBytes(when: { afterBytes: number; direction: Direction }): void {
    this.changeByte = (direction, byte) => this.passByte(direction, byte);
    this.afterBytes = (direction, count) => {
      if (direction !== when.direction || this.cleared) return;
      this.bytesSeen += count;
      if (this.bytesSeen === when.afterBytes) this.arm();
    };
    const { spec } = this;
    this.quietBytes = (direction) => {
      if (direction === "out" && this.swallow > 0) return 0;
      if (direction !== when.direction) return Number.POSITIVE_INFINITY;
      // The trigger is the byte after `afterBytes`.
      if (this.bytesSeen < when.afterBytes) return when.afterBytes - this.bytesSeen - 1;
      const changesBytes = spec.effect === "corrupt" || spec.effect === "noise";
      return this.armed && changesBytes ? 0 : Number.POSITIVE_INFINITY;
    };
  }

  private passByte(direction: Direction, byte: number): readonly number[] | undefined {
    if (this.swallow > 0 && direction === "out") {
      this.swallow -= 1;
      return [];
    }
    const { spec } = this;
    const here = typeof spec.when === "object" && "direction" in spec.when && spec.when.direction === direction;
    if (!this.armed || !here) return undefined;
    if (spec.effect === "corrupt") {
      this.strike();
      return [byte ^ 0x5a];
    }
    if (spec.effect === "noise") {
      this.strike();
      return [...Buffer.from(spec.hex, "hex"), byte];
    }
    return undefined;
  }

  private arm(): void {
    this.armed = true;
    const { spec } = this;
    const { device } = this.context;
    const state = this.stateOf(spec);
    state?.begin();
    switch (spec.effect) {
      case "other-client":
        this.context.makerProtocol.actAsOtherClient?.(spec.does);
        break;
      case "byte-by-byte":
        break;
      case "drop-answer":
        if (device.leftOfFrame === 0 || spec.when === "now") return;
        this.swallow = device.leftOfFrame;
        break;
      case "late":
        if (spec.when === "now" || isCommandTrigger(spec.when) || spec.when.direction === "in") return;
        device.hold();
        device.later(spec.ms, () => device.release());
        break;
      default:
        if (state === null) return;
    }
    this.strike();
  }

  private atCommand(exchange: Exchange, named: boolean): "handled" | "pass" {
    const { spec } = this;
    const { device, makerProtocol, printer } = this.context;
    switch (spec.effect) {
      case "silent":
        this.strike();
        exchange.answer(null);
        return "handled";
      case "late": {
        this.strike();
        const answer = exchange.act();
        device.later(spec.ms, () => exchange.answer(answer));
        return "handled";
      }
      case "late-execution":
        this.strike();
        device.later(spec.ms, () => exchange.answer(exchange.act()));
        return "handled";
      case "error":
        this.strike();
        if (spec.acts) exchange.act();
        exchange.answer(makerProtocol.refuse(exchange.command, spec.code));
        return "handled";
      case "other-client":
        this.strike();
        makerProtocol.actAsOtherClient?.(spec.does);
        return "pass";
      case "documents-unreadable": {
        const refusal = makerProtocol.refuseReading(exchange.command);
        if (refusal === null) {
          if (named) this.armed = false;
          return "pass";
        }
        this.strike();
        exchange.answer(refusal);
        return "handled";
      }
      case "paper-out":
        if (!named) return "pass";
        this.strike();
        printer.removePaperInNextPrint();
        return "pass";
      case "cover-open":
        if (!named) return "pass";
        this.strike();
        printer.setCover(true);
        return "pass";
      default:
        return "pass";
    }
  }

  /** Acts on an answer frame. `cut` with a command as trigger acts here: after the command, before its answer. */
  private atAnswer(frame: Uint8Array): Uint8Array | undefined {
    const { spec } = this;
    const { device } = this.context;
    switch (spec.effect) {
      case "corrupt":
        if (!this.atFrames()) return undefined;
        this.strike();
        return frame.with(frame.length - 1, (frame.at(-1) ?? 0) ^ 0x5a);
      case "noise":
        if (!this.atFrames()) return undefined;
        this.strike();
        return Buffer.concat([Buffer.from(spec.hex, "hex"), frame]);
      case "drop-answer":
        this.strike();
        return new Uint8Array();
      case "stale-answer":
        this.strike();
        return device.lastAnswer ?? new Uint8Array();
      case "unplug":
      case "power-cut":
      case "pause":
        this.strike();
        this.stateOf(spec)?.begin();
        return undefined;
      default:
        return undefined;
    }
  }

  private atFrames(): boolean {
    return this.spec.when === "now" || isCommandTrigger(this.spec.when);
  }

  private strike(): void {
    this.strikes += 1;
    this.left -= 1;
    if (this.left <= 0 || isCommandTrigger(this.spec.when)) this.armed = false;
    if (this.left < 0) this.left = 0;
  }
}
