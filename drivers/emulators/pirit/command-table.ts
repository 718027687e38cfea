/** A row of the emulator's command table, which follows the maker's manual and not the driver's table. */
import type { PiritDevice } from "./device.js";
import type { Fields } from "./fields.js";
import { badFormat, type Outcome } from "./outcomes.js";

export interface CommandRow {
  readonly code: string;
  /** Name that all makers share, for faults and logs. For 30 (open) and 31 (close) it depends on the document. */
  readonly name: string | ((device: PiritDevice, parameters: Fields) => string);
  /** `work`: only after "start of work". `print`: in addition only while the printer can print. */
  readonly needs?: "work" | "print";
  readonly ms?: number;
  run(device: PiritDevice, fields: Fields): Outcome;
}

interface RowOptions<Input> extends Omit<CommandRow, "run"> {
  /** Reads the fields; a malformed field is refused before anything happens. */
  readonly read: (fields: Fields) => Input;
  readonly run: (device: PiritDevice, input: Input) => Outcome;
}

export function command<Input>({ read, run, ...row }: RowOptions<Input>): CommandRow {
  return {
    ...row,
    run(device, fields) {
      const input = read(fields);
      return fields.malformed ? badFormat() : run(device, input);
    },
  };
}

export const nothing = (): null => null;
