import type { CreateDecoder, FramingTrouble } from "@fiscald/drivers/framing/framing.js";

export function decodeAll<Event>(
  createDecoder: CreateDecoder<Event | FramingTrouble>,
  pieces: Iterable<Uint8Array>,
): readonly (Event | FramingTrouble)[] {
  const events: (Event | FramingTrouble)[] = [];
  const decoder = createDecoder((event) => events.push(event));
  for (const piece of pieces) decoder.push(piece);
  return events;
}

export function everyCut(bytes: Uint8Array): readonly (readonly [Uint8Array, Uint8Array])[] {
  return Array.from({ length: bytes.length + 1 }, (_, at) => [bytes.slice(0, at), bytes.slice(at)] as const);
}

export function oneByOne(bytes: Uint8Array): readonly Uint8Array[] {
  return Array.from(bytes, (byte) => Uint8Array.of(byte));
}
