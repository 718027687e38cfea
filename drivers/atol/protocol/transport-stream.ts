import { Duplex } from "node:stream";
import { toFault } from "@fiscald/shared/fault.js";
import type { ByteTransport } from "../../transport/byte-transport.js";

export interface StreamTaps {
  out(bytes: Uint8Array): void;
  in(bytes: Uint8Array): void;
}

/** An open byte pipe as the stream for Node's HTTP client. A stream that ends in an error delivers no late bytes. */
export class TransportStream extends Duplex {
  constructor(
    private readonly transport: ByteTransport,
    private readonly taps: StreamTaps,
  ) {
    super();
    // The waiting code gets the error; here it would end the process.
    this.on("error", () => {});
    transport.onBytes((bytes) => {
      if (this.destroyed) return;
      taps.in(bytes);
      this.push(bytes);
    });
    transport.onClosed(() => {
      if (!this.destroyed) this.push(null);
    });
  }

  override _read(): void {}

  override _write(bytes: Uint8Array, _encoding: string, done: (error?: Error | null) => void): void {
    if (bytes.length === 0) {
      done();
      return;
    }
    this.taps.out(bytes);
    this.transport.write(bytes).then(
      () => done(),
      (error: unknown) => done(toFault(error, "link.lost")),
    );
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.transport.close({ doubt: error !== null }).then(
      () => done(error),
      () => done(error),
    );
  }
}
