import { Fault } from "@fiscald/shared/fault.js";
import { valueText } from "./line-format.js";

export interface LineFilter {
  readonly register?: string | undefined;
  readonly order?: string | undefined;
  /** This level and all above it. */
  readonly level?: string | undefined;
}

const fromWorst = ["ERROR", "WARN", "INFO", "DEBUG", "WIRE"];

/** Which lines of the log to show. Fault `usage.wrong` for an unknown level. */
export function lineFilter({ register, order, level }: LineFilter): (line: string) => boolean {
  const most = level === undefined ? fromWorst.length : fromWorst.indexOf(level.toUpperCase());
  if (most === -1) {
    throw new Fault("usage.wrong", { message: `level must be one of ${fromWorst.join(", ").toLowerCase()}` });
  }
  const has = (line: string, key: string, value: string | undefined) => {
    if (value === undefined) return true;
    const field = ` ${key}=${valueText(key, value)}`;
    return line.includes(`${field} `) || line.endsWith(field);
  };
  return (line) => {
    const found = fromWorst.indexOf(line.split(" ", 3)[2] ?? "");
    return found !== -1 && found <= most && has(line, "register", register) && has(line, "order", order);
  };
}
