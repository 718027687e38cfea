import { Command, type ParseOptionsResult } from "commander";
import { translatorOf } from "./translate.js";

/** Import these from here: an installed package may have its own copy of commander, with different classes. */
export { Command, CommanderError, Help, InvalidArgumentError, Option } from "commander";

/**
 * A command whose options never take another option as their value: `--out --help` shows the help, `--out --json` is
 * an option without its value. A value that begins with a dash is written `--out=-value`. Wrong usage names the
 * command's help.
 */
export class StrictCommand extends Command {
  constructor(name?: string) {
    super(name);
    this.showHelpAfterError("(see --help)");
  }

  override createCommand(name?: string): Command {
    return new StrictCommand(name);
  }

  /**
   * An option of all commands may stand before the command's name too; behind it counts more. The program itself only
   * reads and shows it: each command that uses the option declares it itself.
   */
  acceptBeforeCommands(flags: string, description: string): this {
    return this.enablePositionalOptions().option(flags, description).hook("preAction", handOn);
  }

  override parseOptions(args: string[]): ParseOptionsResult {
    this.#refuseMissingValues(args);
    return super.parseOptions(args);
  }

  #refuseMissingValues(args: readonly string[]): void {
    const end = args.indexOf("--");
    const options = end === -1 ? args : args.slice(0, end);
    for (let at = 0; at < options.length; at += 1) {
      // The rest is for the command of this name to read.
      if (this.commands.length > 0 && !isOption(options[at] ?? "")) return;
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

function handOn(program: Command, command: Command): void {
  for (const option of program.options) {
    const name = option.attributeName();
    if (program.getOptionValueSource(name) !== "cli") continue;
    if (!command.options.some((known) => known.attributeName() === name)) {
      command.error(`error: unknown option '${option.long}' of ${command.name()}`, { code: "commander.unknownOption" });
    }
    if (command.getOptionValueSource(name) === "cli") continue;
    command.setOptionValueWithSource(name, program.getOptionValue(name), "cli");
  }
}

function isOption(text: string): boolean {
  return text.length > 1 && text.startsWith("-");
}

/** What is wrong with a command line, in Russian: the words of commander, and of options that read their values. */
export const usageInRussian = translatorOf({
  "error: unknown option '*' of *": "ошибка: у команды $2 нет ключа '$1'",
  "error: unknown option '*'": "ошибка: нет такого ключа: '$1'",
  "error: unknown command '*'": "ошибка: нет такой команды: '$1'",
  "error: missing required argument '*'": "ошибка: не хватает аргумента '$1'",
  "error: required option '*' not specified": "ошибка: нужен ключ '$1'",
  "error: option '*' argument missing: '*' looks like an option (a value that begins with a dash: *)":
    "ошибка: ключу '$1' нужно значение, а '$2' похоже на ключ (значение с дефисом в начале: $3)",
  "error: option '*' argument missing": "ошибка: ключу '$1' нужно значение",
  "error: option '*' argument '*' is invalid. *": "ошибка: значение '$2' ключа '$1' не подходит. $3",
  "error: too many arguments for *. Expected * argument*but got *.": "ошибка: лишние аргументы: нужно $2, дано $4",
  "Allowed choices are *.": "Возможные значения: $1",
  "This is a sum such as 240.00.": "Это сумма, например 240.00.",
  "This is an address such as https://shop.example/fiscal, or none.":
    "Это адрес, например https://shop.example/fiscal, или none.",
  "These are numbers such as 1,2,4.": "Это номера, например 1,2,4.",
  "a whole number": "Это целое число.",
  "a rate like 115200": "Это скорость, например 115200.",
  "(Did you mean one of *?)": "(возможно, $1?)",
  "(Did you mean *?)": "(возможно, $1?)",
  "(see --help)": "(см. --help)",
});
