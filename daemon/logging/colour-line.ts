import { styleText } from "node:util";

const colours = { ERROR: "red", WARN: "yellow", INFO: "green", DEBUG: "cyan", WIRE: "gray" } as const;

/** Text of the log for a terminal: each line's time is faint, its level has its colour. Other lines stay. */
export function colourLines(text: string): string {
  return text.replace(
    /^(\d{4}-\d\d-\d\d \S+) (ERROR|WARN|INFO|DEBUG|WIRE)(?= )/gm,
    (_, time: string, level: string) => {
      const colour = Object.entries(colours).find(([name]) => name === level)?.[1] ?? "green";
      return `${styleText("dim", time, always)} ${styleText(colour, level, always)}`;
    },
  );
}

/** Whether the output shows colours is decided by who writes to it. */
const always = { validateStream: false } as const;

/** https://no-color.org: a variable that is not empty says no. */
export function showsColours(output: { readonly isTTY?: boolean }, env: Readonly<Record<string, string | undefined>>) {
  return output.isTTY === true && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
}
