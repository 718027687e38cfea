import type { DeviceEnd } from "./loopback.js";

export interface AttachOptions {
  /** True: the host is on a serial cable, which cannot be closed from here; an unplugged device is deaf and dumb. */
  readonly lasting?: boolean;
}

export interface HostQueueEvents {
  onTaken(): void;
  onBytes(bytes: Uint8Array): void;
  onGone(): void;
}

interface Entry {
  readonly end: DeviceEnd;
  readonly lasting: boolean;
  readonly early: Uint8Array[];
}

/** One host at a time, as at a device with one thread: the next host waits until the first has gone. */
export class HostQueue {
  private present: Entry | null = null;
  private waiting: Entry[] = [];

  constructor(private readonly events: HostQueueEvents) {}

  get isTaken(): boolean {
    return this.present !== null;
  }

  add(end: DeviceEnd, { lasting = false }: AttachOptions): void {
    const entry: Entry = { end, lasting, early: [] };
    end.onBytes((bytes) => {
      if (this.present === entry) this.events.onBytes(bytes);
      else entry.early.push(bytes);
    });
    end.onClosed(() => this.remove(entry));
    if (this.present === null) this.take(entry);
    else this.waiting.push(entry);
  }

  send(bytes: Uint8Array): void {
    this.present?.end.send(bytes);
  }

  /** Disconnects all hosts except one on a serial line. Bytes that were sent before still arrive. */
  hangUp(): void {
    const ends = [...(this.present === null || this.present.lasting ? [] : [this.present]), ...this.waiting];
    if (this.present?.lasting !== true) this.present = null;
    this.waiting = [];
    queueMicrotask(() => {
      for (const { end } of ends) end.close();
    });
  }

  private take(entry: Entry): void {
    this.present = entry;
    this.events.onTaken();
    for (const bytes of entry.early.splice(0)) this.events.onBytes(bytes);
  }

  private remove(entry: Entry): void {
    this.waiting = this.waiting.filter((other) => other !== entry);
    if (this.present !== entry) return;
    this.present = null;
    this.events.onGone();
    const next = this.waiting.shift();
    if (next !== undefined) this.take(next);
  }
}
