/** Frames of real devices, from the maker's manual. */
import { hex } from "./hex.js";

const zeros = (count: number) => "00 ".repeat(count);

export const v1Frames = {
  statusRequest: hex("02 05 10 1E 00 00 00 0B"),
  statusAnswer: hex("02 10 10 00 1E 92 02 02 00 00 A1 DE 01 C0 00 1D 08 00 27"),
  longStatusAnswer: hex(
    "02 30 11 00 1E 43 31 CB D3 19 04 12 01 1F 00 92 02 02 00 02 4E 41 00 00 01 01 10 19 0A 12 08 24 15 00 7F 46 02 00 03 00 00 00 00 00 23 C7 49 D1 01 00 B6",
  ),
  deviceTypeRequest: hex("02 01 FC FD"),
  deviceTypeAnswer: hex("02 12 FC 00 00 00 01 0E 16 00 D0 C8 D2 C5 C9 CB 2D 30 31 D4 02"),
  modelAnswer: hex(
    "02 23 F7 00 5A A0 40 07 20 6C 00 00 0C 18 01 0C 10 00 00 00 00 00 00 1E 00 00 00 00 06 FF 00 40 40 B6 03 12 13 7F",
  ),
  openReceiptRequest: hex("02 06 8D 01 00 00 00 00 8A"),
  openReceiptAnswer: hex("02 03 8D 00 01 8F"),
  itemRequest: hex(
    `02 48 FF 46 1E 00 00 00 01 C0 C6 2D 00 00 00 35 05 00 00 00 A0 0F 00 00 00 FF FF FF FF FF 01 00 04 01 CF EE E7 E8 F6 E8 FF 20 31 ${zeros(31)} 7F`,
  ),
  itemAnswer: hex("02 03 FF 46 00 BA"),
  closeRefused: hex("02 03 FF 45 4D F4"),
  cutRequest: hex("02 06 25 1E 00 00 00 00 3D"),
  cutRefused: hex("02 02 25 50 77"),
  closeAnswer: hex("02 10 FF 45 00 00 00 00 00 00 DC 45 00 00 B5 BC 48 11 63"),
  closeAnswer2: hex("02 10 FF 45 00 00 00 00 00 00 1D 00 00 00 F3 60 35 FF EE"),
  ofdRequest: hex("02 06 FF 39 1E 00 00 00 DE"),
  ofdAnswer: hex(`02 10 FF 39 00 ${zeros(13)} D6`),
  readDocumentRequest: hex("02 0A FF 3A 1E 00 00 00 1D 00 00 00 CC"),
  readDocumentRefused: hex("02 03 FF 3A 73 B5"),
  checkMarkRequest: hex(
    "02 27 FF 61 1E 00 00 00 01 00 1D 00 30 34 36 30 36 32 30 33 31 30 33 33 34 38 61 33 3D 45 66 4F 44 41 42 3D 55 70 47 62 4C 86",
  ),
  checkMarkAnswer: hex("02 1B FF 61 00 00 01 01 14 00 05 42 08 04 00 80 07 15 61 39 08 01 00 00 D5 07 01 00 05 CF"),
  printSwitchRequest: hex("02 0A 1E 1E 00 00 00 11 01 00 07 00 1D"),
  printBufferAnswer: hex("02 0C D1 00 1E 00 00 00 00 00 00 00 00 01 C2"),
} as const;

/** Frame, its number and data; null = the sync request. */
export const v2Frames = [
  { name: "sync request", frame: hex("8F 00 00 0F 1D"), number: null, data: hex("") },
  { name: "answer to sync after power-on", frame: hex("8F 02 00 01 00 99 5A"), number: 1, data: hex("") },
  { name: "device type request", frame: hex("8F 03 00 04 00 FC 8D 0D"), number: 4, data: hex("FC") },
  {
    name: "device type answer",
    frame: hex("8F 1A 00 04 00 FC 00 00 00 02 00 2D 00 D8 D2 D0 C8 D5 2D D1 CC C0 D0 D2 CF CE D1 2D D4 B8 28"),
    number: 4,
    data: hex("FC 00 00 00 02 00 2D 00 D8 D2 D0 C8 D5 2D D1 CC C0 D0 D2 CF CE D1 2D D4"),
  },
  { name: "model request", frame: hex("8F 04 00 05 00 F7 01 83 2E"), number: 5, data: hex("F7 01") },
  {
    name: "model answer",
    frame: hex(
      "8F 29 00 05 00 F7 00 08 00 C0 F7 3F 28 02 00 00 00 01 0C 0A 00 00 00 00 00 00 1E 00 00 00 00 06 AF 05 28 00 00 00 0D 0E 10 0A 1D 11 82 80",
    ),
    number: 5,
    data: hex(
      "F7 00 08 00 C0 F7 3F 28 02 00 00 00 01 0C 0A 00 00 00 00 00 00 1E 00 00 00 00 06 AF 05 28 00 00 00 0D 0E 10 0A 1D 11",
    ),
  },
  {
    name: "status request",
    frame: hex("8F 07 00 26 00 10 01 00 00 00 E4 14"),
    number: 0x26,
    data: hex("10 01 00 00 00"),
  },
  {
    name: "status answer",
    frame: hex("8F 13 00 26 00 10 00 01 90 00 02 00 00 33 48 00 00 00 FF FF FF 00 78 C2"),
    number: 0x26,
    data: hex("10 00 01 90 00 02 00 00 33 48 00 00 00 FF FF FF 00"),
  },
  {
    name: "status while a closed receipt is printed",
    frame: hex("8F 13 00 1A 00 10 00 1E 90 00 08 05 01 00 00 00 00 00 FF FF FF 05 06 C1"),
    number: 0x1a,
    data: hex("10 00 1E 90 00 08 05 01 00 00 00 00 00 FF FF FF 05"),
  },
  {
    name: "close answer",
    frame: hex("8F 12 00 25 00 FF 45 00 00 00 00 00 00 52 00 00 00 F2 BF 0B 3E 90 6B"),
    number: 0x25,
    data: hex("FF 45 00 00 00 00 00 00 52 00 00 00 F2 BF 0B 3E"),
  },
  {
    name: "tag 1077 of that document",
    frame: hex("8F 0F 00 2D 00 FF 3B 00 35 04 06 00 31 04 3E 0B BF F2 BD C0"),
    number: 0x2d,
    data: hex("FF 3B 00 35 04 06 00 31 04 3E 0B BF F2"),
  },
  {
    name: "tag 1038 of that document",
    frame: hex("8F 0D 00 2E 00 FF 3B 00 0E 04 04 00 0C 00 00 00 C1 0C"),
    number: 0x2e,
    data: hex("FF 3B 00 0E 04 04 00 0C 00 00 00"),
  },
  { name: "command not supported", frame: hex("8F 05 00 18 00 FF 67 37 74 95"), number: 0x18, data: hex("FF 67 37") },
  {
    name: "drive number request",
    frame: hex("8F 08 00 90 00 FF 02 1E 00 00 00 86 C2"),
    number: 0x90,
    data: hex("FF 02 1E 00 00 00"),
  },
  {
    name: "drive number answer",
    frame: hex("8F 15 00 90 00 FF 02 00 39 39 39 39 30 37 38 39 30 32 30 30 34 39 39 30 D6 F8"),
    number: 0x90,
    data: hex("FF 02 00 39 39 39 39 30 37 38 39 30 32 30 30 34 39 39 30"),
  },
  {
    name: "open receipt request",
    frame: hex("8F 08 00 15 00 8D 01 00 00 00 00 4A EE"),
    number: 0x15,
    data: hex("8D 01 00 00 00 00"),
  },
  { name: "no drive", frame: hex("8F 04 00 15 00 8D 30 C4 F4"), number: 0x15, data: hex("8D 30") },
] as const;

export function dataOf(frame: Uint8Array): Uint8Array {
  return frame.slice(2, -1);
}
