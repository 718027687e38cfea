import { styleText } from "node:util";

const colours = { ERROR: "red", WARN: "yellow", INFO: "green", DEBUG: "cyan", WIRE: "gray" } as const;

/** Colours the log's text for a terminal: each line's time is faint, its level has its colour. Other lines stay. */
export function colourLines(text: string): string {
  return text.replace(
    /^(\d{4}-\d\d-\d\d \S+) (ERROR|WARN|INFO|DEBUG|WIRE)(?= )/gm,
    (_, time: string, level: string) => {
      const colour = Object.entries(colours).find(([name]) => name === level)?.[1] ?? "green";
      return `${styleText("dim", time, always)} ${styleText(colour, level, always)}`;
    },
  );
}

/** The caller decides whether its output shows colours, so Node does not check the stream. */
const always = { validateStream: false } as const;

/** https://no-color.org: the variable NO_COLOR, when not empty, forbids colours. */
export function showsColours(output: { readonly isTTY?: boolean }, env: Readonly<Record<string, string | undefined>>) {
  return output.isTTY === true && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
}
