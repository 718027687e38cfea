/** The command lines of the tools in this folder: `--help` shows the use; a mistake shows it too, and exits with 2. */
import { type ParseArgsConfig, parseArgs } from "node:util";

export interface Tool {
  /** `npm run fault-campaign -- [OPTIONS]`, and the meaning of the options. */
  readonly usage: string;
}

export function readCommandLine<Config extends ParseArgsConfig>(
  { usage }: Tool,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  const args = process.argv.slice(2);
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    return parseArgs<Config>({ ...config, args });
  } catch (error) {
    return refuseUse({ usage }, error instanceof Error ? error.message : String(error));
  }
}

export function refuseUse({ usage }: Tool, problem: string): never {
  process.stderr.write(`${problem}\n\n${usage}\n`);
  process.exit(2);
}

/** The value of `--name` as a whole number of at least `least`. */
export function wholeNumber(tool: Tool, name: string, text: string, least = 1): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return number >= least ? number : refuseUse(tool, `--${name} must be a whole number from ${least} on, not '${text}'`);
}

export function oneOf(tool: Tool, name: string, text: string, choices: readonly string[]): string {
  return choices.includes(text)
    ? text
    : refuseUse(tool, `--${name} must be one of ${choices.join(", ")}, not '${text}'`);
}
