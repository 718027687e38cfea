/** The steps of installing a service, as data: `--dry-run` prints them, `service.ts` executes them. */
export type ServiceStep =
  | {
      readonly kind: "run";
      readonly command: string;
      readonly args: readonly string[];
      /** Exit codes of success; default: only 0. */
      readonly okCodes?: readonly number[] | "any";
    }
  | { readonly kind: "write"; readonly path: string; readonly text: string; readonly encoding: "utf8" | "utf16le" }
  | { readonly kind: "remove"; readonly path: string };

export interface ServiceSubject {
  /** Absolute paths of Node and of the main file of `fiscald`. */
  readonly node: string;
  readonly main: string;
  /** Absolute. */
  readonly configPath: string;
  /** Folders that the daemon writes to. Absolute. */
  readonly dataFolders: readonly string[];
  /** Files that the service's user must be able to read. Absolute. */
  readonly secretFiles: readonly string[];
}

/** The steps as lines that could be typed. */
export function describePlan(steps: readonly ServiceStep[]): string {
  return steps.map(describeStep).join("\n");
}

function describeStep(step: ServiceStep): string {
  switch (step.kind) {
    case "run":
      return `# runs\n${[step.command, ...step.args].map(quoted).join(" ")}\n`;
    case "remove":
      return `# removes\n${step.path}\n`;
    case "write":
      return `# writes ${step.path}\n${step.text}`;
  }
}

function quoted(word: string): string {
  return /^[\w@%+=:,./\\*()-]+$/.test(word) ? word : `"${word}"`;
}
