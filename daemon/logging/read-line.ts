import { Fault } from "@fiscald/shared/fault.js";
import { commandReasons } from "../messages/reasons/command-reasons.js";
import { valueText } from "./line-format.js";

const head = /^(\S+) (\S+) ([A-Z]+) (\S+) ?/;

/** `at` has the zone of the machine that wrote the line. */
export function readLine(line: string) {
  const [start = "", day, time, level, namespace] = head.exec(line) ?? [];
  return { at: `${day}T${time}`, level, namespace, text: line.slice(start.length) };
}

export interface LineFilter {
  readonly register?: string | undefined;
  readonly order?: string | undefined;
  readonly level?: string | undefined;
}

const fromWorst = ["ERROR", "WARN", "INFO", "DEBUG", "WIRE"];

/** Throws `usage.wrong` for an unknown level. */
export function lineFilter({ register, order, level }: LineFilter): (line: string) => boolean {
  const most = level === undefined ? fromWorst.length : fromWorst.indexOf(level.toUpperCase());
  if (most === -1) {
    throw new Fault("usage.wrong", {
      message: commandReasons.mustBeOneOf({ place: "level", names: fromWorst.join(", ").toLowerCase() }),
    });
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
