import { Command, type ParseOptionsResult } from "commander";

/** From here, not from the library: an installed package may have a copy of its own, whose classes are others. */
export { Command, CommanderError, InvalidArgumentError, Option } from "commander";

/**
 * A command whose options never take another option for their value: `--out --help` asks for help and writes no file of that
 * name, `--out --json` is an option without its value. A value that does begin with a dash is written `--out=-value`.
 * Whoever uses it wrongly is told where its use stands.
 */
export class StrictCommand extends Command {
  constructor(name?: string) {
    super(name);
    this.showHelpAfterError("(see --help)");
  }

  override createCommand(name?: string): Command {
    return new StrictCommand(name);
  }

  override parseOptions(args: string[]): ParseOptionsResult {
    this.#refuseMissingValues(args);
    return super.parseOptions(args);
  }

  #refuseMissingValues(args: readonly string[]): void {
    const end = args.indexOf("--");
    const options = end === -1 ? args : args.slice(0, end);
    for (let at = 0; at < options.length; at += 1) {
      const option = this.options.find(({ required, long, short }) => required && [long, short].includes(options[at]));
      if (option === undefined) continue;
      at += 1;
      const value = options[at];
      if (value === "--help" || value === "-h") this.help();
      if (value === undefined || !isOption(value)) continue;
      this.error(
        `error: option '${option.flags}' argument missing: '${value}' looks like an option ` +
          `(a value that begins with a dash: ${option.long ?? option.short}=${value})`,
        { code: "commander.optionMissingArgument" },
      );
    }
  }
}

function isOption(text: string): boolean {
  return text.length > 1 && text.startsWith("-");
}
