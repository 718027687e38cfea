/** A raw byte pipe to a device, without a protocol. A pipe is used once; after `close` a new one has to be made. */
export interface ByteTransport {
  /** Rejects with a Fault `link.not-found`, `link.busy`, `link.forbidden` or `link.timeout`. */
  open(signal: AbortSignal): Promise<void>;
  /** Resolves when the operating system has taken the bytes. Rejects with `link.lost`. */
  write(bytes: Uint8Array): Promise<void>;
  /** `doubt: true`: written bytes must not arrive late (TCP is reset, a serial port's output discarded). */
  close(options?: { readonly doubt?: boolean }): Promise<void>;
  onBytes(listener: (bytes: Uint8Array) => void): void;
  /** Calls the listener exactly once, whichever side closed the pipe. */
  onClosed(listener: (reason: CloseReason) => void): void;
  /** The name of the pipe in logs: `tcp 127.0.0.1:7778`, `serial /dev/ttyACM0 115200`. */
  readonly label: string;
}

/** `asked`: this program closed the pipe. `lost`: the device was unplugged, reset or switched off. */
export type CloseReason = { readonly kind: "asked" } | { readonly kind: "lost"; readonly cause: unknown };

export type TransportFactory = () => ByteTransport;
