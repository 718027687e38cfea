/** What installing a service does to the machine, as data: printed by `--dry-run`, carried out by `service.ts`. */
export type ServiceStep =
  | {
      readonly kind: "run";
      readonly command: string;
      readonly args: readonly string[];
      /** Exit codes that mean "as wanted"; default: only 0. */
      readonly fine?: readonly number[] | "any";
    }
  | { readonly kind: "write"; readonly path: string; readonly text: string; readonly encoding: "utf8" | "utf16le" }
  | { readonly kind: "remove"; readonly path: string };

export interface ServiceSubject {
  /** The Node that runs this command, and the file of `fiscald` itself. Absolute. */
  readonly node: string;
  readonly main: string;
  /** Absolute. */
  readonly configPath: string;
  /** Folders that the daemon writes into. Absolute. */
  readonly dataFolders: readonly string[];
  /** Files that its user must be able to read. Absolute. */
  readonly secretFiles: readonly string[];
}

/** As lines that could be typed. */
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
