/** Parameters of a model by F7h, type 1 (Shtrih-M protocol, 6.4). Null: the firmware does not send the parameter. */
import type { ByteReader } from "../../codec/byte-cursor.js";

const modelFlags = {
  paperSensor: 3,
  coverSensor: 4,
  cutter: 13,
  cashCore: 23,
  swapGraphicsBits: 26,
  printResult: 34,
  graphicsBlocks: 35,
  errorText: 36,
  graphicsFlags: 37,
  itemCorrections: 48,
} as const;

export type ModelFlag = keyof typeof modelFlags;

export interface ModelParameters {
  readonly has: (flag: ModelFlag) => boolean;
  readonly graphicsLineBytes: number | null;
  readonly fnTable: number | null;
  readonly ffdTable: number | null;
  readonly ffdField: number | null;
}

/** Offsets are the protocol's (6.4). Font widths are not read: a real RETAIL-01F sends dots, not characters. */
export function readModelParameters(reader: ByteReader): ModelParameters {
  const flags = reader.take(Math.min(8, reader.remaining));
  const rest = reader.rest();
  const byteAt = (offset: number): number | null => rest[offset - 10] || null;
  return {
    has: (flag) => (((flags[modelFlags[flag] >> 3] ?? 0) >> (modelFlags[flag] & 7)) & 1) === 1,
    graphicsLineBytes: byteAt(29),
    fnTable: byteAt(33),
    ffdTable: byteAt(36),
    ffdField: byteAt(37),
  };
}

/** Parameters of a register that does not know F7h: nothing is assumed. */
export const unknownModelParameters: ModelParameters = {
  has: () => false,
  graphicsLineBytes: null,
  fnTable: null,
  ffdTable: null,
  ffdField: null,
};
