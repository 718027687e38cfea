/** Literal frames of the maker's manual. */
import { hex } from "./hex.js";

export const piritFrames = {
  statusRequest: hex("02 50 49 52 49 20 30 30 03 32 31"),
  statusRequestWithSeparator: hex("02 50 49 52 49 20 30 30 1C 03 33 44"),
  statusAnswer: hex("02 20 30 30 30 30 30 1C 34 1C 30 1C 03 30 42"),
  startWorkRequest: hex("02 50 49 52 49 21 31 30 32 30 30 31 32 36 1C 31 30 31 35 30 30 1C 03 32 33"),
  openShiftRequest: hex("02 50 49 52 49 22 32 33 88 A2 A0 AD AE A2 1C 03 31 35"),
  itemRequest: hex("02 50 49 52 49 2B 34 32 91 A0 E5 A0 E0 1C 1C 31 1C 31 30 30 1C 34 1C 1C 1C 1C 03 38 43"),
} as const;

/** What stands between STX and ETX. */
export function bodyOf(frame: Uint8Array): Uint8Array {
  return frame.slice(1, -3);
}
