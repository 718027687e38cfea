/** A framing cuts a stream of bytes into the frames of a protocol; it does not know their meaning. */

export interface FrameDecoder {
  /** Calls the listener for each complete frame or control byte. Bytes may come in pieces of any size. */
  push(bytes: Uint8Array): void;
  /** Forgets a frame that has begun: its rest did not come in time. */
  reset(): void;
  /** A frame has begun and is not complete. */
  readonly midFrame: boolean;
}

/** What every framing can meet besides its own frames. */
export type FramingTrouble =
  /** A frame that is not to be believed: checksum, length, broken stuffing. */
  | { readonly kind: "damaged"; readonly reason: string }
  /** Bytes that belong to no frame. */
  | { readonly kind: "noise"; readonly bytes: Uint8Array };

export type CreateDecoder<Event> = (emit: (event: Event) => void) => FrameDecoder;
