import { wrongFormat } from "@fiscald/shared/format-texts.js";
import { z } from "zod";

const path = z.string().min(1);

/** The serial library wants the last form of `\\.\com10`, `com10:` and `COM10`, which are one port of Windows. */
export function serialPath(text: string): string {
  return /^(?:\\\\[.?]\\)?(com\d{1,3}):?$/i.exec(text)?.[1]?.toUpperCase() ?? text;
}

/** A path or a query is refused: it may name a register, and would be ignored. */
function isBareAddress(text: string): boolean {
  const { pathname, search, username, password } = new URL(text);
  return pathname === "/" && search === "" && username === "" && password === "";
}

export const connectionSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("serial"),
    path: path.transform(serialPath).describe("Serial port, for example /dev/ttyACM0 or COM3."),
    baudRate: z.number().int().min(2_400).max(921_600).default(115_200).describe("Speed of the port."),
    usbSerialNumber: path
      .optional()
      .describe(
        "Serial number of the USB device: it is found by it under whatever path; `path` is used when it is not there.",
      ),
  }),
  z.strictObject({
    kind: z.literal("tcp"),
    host: z.string().min(1).describe("Address of the register."),
    port: z.number().int().min(1).max(65_535).default(7778).describe("Port of the register."),
  }),
  z.strictObject({
    kind: z.literal("http"),
    url: z
      .url({ protocol: /^http$/, error: wrongFormat("printService") })
      .refine((text) => isBareAddress(text), {
        error: wrongFormat("bareAddress"),
      })
      .describe("Address of the maker's print service, for example http://127.0.0.1:16732."),
  }),
  z.strictObject({
    kind: z.literal("emulator"),
    statePath: path.nullable().default(null).describe("Where the emulator keeps its fiscal memory; null = nowhere."),
    listen: path.optional().describe("tcp:HOST:PORT or serial:PATH, where the emulator can be reached from outside."),
    control: path.optional().describe("HOST:PORT of the emulator's control port."),
    model: path.optional().describe("One of the driver's models."),
    protocol: path.optional().describe("Link protocol, where the maker has several: v1, v2."),
    kkm: z
      .string()
      .regex(/^\d{16}$/, wrongFormat("kkm"))
      .optional()
      .describe("Registration number, 16 digits."),
    inn: path.optional().describe("Taxpayer number."),
    fn: path.optional().describe("Serial number of the drive of a new state."),
    ffd: z.enum(["1.05", "1.1", "1.2"]).optional().describe("Format of its documents; default 1.05."),
    timing: z.enum(["instant", "realistic"]).optional().describe("How fast it is; default instant."),
    baudRate: z.number().int().min(2_400).max(921_600).optional().describe("Speed of its line."),
    timeZone: path.optional().describe("Zone of its clock."),
    unconfirmed: z.record(z.string(), z.string()).optional().describe("Unconfirmed facts by name, for tests."),
  }),
]);

export type Connection = z.infer<typeof connectionSchema>;
