import { Fault } from "@fiscald/shared/fault.js";
import { commandReasons } from "../messages/reasons/command-reasons.js";
import { levels, valueText } from "./line-format.js";

const head = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d\.\d{3})([+-]\d\d:\d\d)? ([A-Z]+) (\S+) ?/;
/** A word of the line. Text in quotes belongs to its word, including spaces. */
const word = /(?:[^\s"]|"(?:[^"\\]|\\.)*")+|\S+/g;
const field = /^([A-Za-z][\w.-]*)=(.*)$/s;

/**
 * Returns null when the line continues an earlier line. `at` has the zone of the machine that wrote the line. `fields`
 * are as the line shows them: masked, with sums in roubles. `reason` is a fault's own words, `seconds` a duration.
 */
export function readLine(line: string) {
  const match = head.exec(line);
  if (match === null) return null;
  const [start, day = "", time = "", zone = "", level = "", namespace = ""] = match;
  if (!Object.keys(levels).includes(level.toLowerCase())) return null;
  const fields: Record<string, unknown> = {};
  const rest = line.slice(start.length).replace(/ in (\d+\.\d)s(?= |$)/, " seconds=$1");
  const words = rest.replace(word, (text) => {
    const [, key, value] = field.exec(text) ?? [];
    if (key !== undefined && value !== undefined) fields[key] = readValue(value);
    else if (text.startsWith('"') && "code" in fields && !("reason" in fields)) fields["reason"] = readValue(text);
    else return text;
    return "";
  });
  const message = words.replace(/ {2,}/g, " ").trim();
  return { at: `${day}T${time}${zone}`, level, namespace, message, fields };
}

function readValue(text: string): unknown {
  if (!/^["{[]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export interface LineFilter {
  readonly register?: string | undefined;
  readonly order?: string | undefined;
  readonly level?: string | undefined;
}

const fromWorst = ["ERROR", "WARN", "INFO", "DEBUG", "WIRE"];

/** Which lines of the log to show. Throws `usage.wrong` for an unknown level. */
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
