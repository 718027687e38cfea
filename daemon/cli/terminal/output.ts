import type { EventEmitter } from "node:events";
import { type Language, messagesIn } from "../../messages/messages.js";

export function formatTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => [...(row[column] ?? "")].length)));
  const lines = all.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return `${lines.join("\n")}\n`;
}

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - [...text].length));
}

/** Scripts search for the state's code, so a Russian text also contains the code. */
export function formatState(state: string, language: Language): string {
  const words: Readonly<Record<string, string>> = messagesIn(language).page.jobStates;
  return language === "en" ? state : `${words[state] ?? ""} (${state})`;
}

/** Error codes of a closed pipe or a closed terminal. */
const closedCodes: readonly unknown[] = ["EPIPE", "EIO", "ERR_STREAM_DESTROYED"];

/** `fiscald logs -f | head`, a closed terminal or a killed `tee` closes the output. This is no error of the command. */
export function watchReader(outputs: readonly EventEmitter[]): AbortSignal {
  const closed = new AbortController();
  for (const output of outputs) {
    output.on("error", (error: unknown) => {
      if (!(error instanceof Error && "code" in error && closedCodes.includes(error.code))) throw error;
      closed.abort();
    });
  }
  return closed.signal;
}

export function commandLine(program: string, words: readonly string[]): string {
  const quoted = (word: string) => (/^[\w@%+=:,./\\*()-]+$/.test(word) ? word : `"${word}"`);
  return [program, ...words].map(quoted).join(" ");
}

/** Null outside the Debian package, which sets this variable. */
export function packageSteps({ FISCALD_DATA }: Readonly<Record<string, string | undefined>>): readonly string[] | null {
  return FISCALD_DATA === undefined ? null : ["sudo systemctl restart fiscald", "sudo fiscald status"];
}

export function formatSteps(title: string, steps: readonly string[]): string {
  return `${title}: ${steps.join(`\n${" ".repeat(title.length)}  `)}\n`;
}
