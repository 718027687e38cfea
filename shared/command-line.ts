import {
  type Argument,
  Command,
  type ErrorOptions,
  InvalidArgumentError,
  Option,
  type ParseOptionsResult,
} from "commander";
import { Fault, isFault } from "./fault.js";
import type { FaultText } from "./fault-codes/fault-row.js";
import { nearestWord } from "./known-keys.js";
import type { Texts } from "./texts.js";

/** Import these from here: an installed package may have its own copy of commander, with different classes. */
export { Command, CommanderError, Help, InvalidArgumentError, Option } from "commander";

/**
 * A command whose options never take another option as their value: `--out --help` shows the help, and `--out --json`
 * is an option without its value. A value that begins with a dash is written `--out=-value`. A message about wrong
 * usage names the command's help.
 */
export class StrictCommand extends Command {
  /** `language` is called only when something is wrong, because the command line itself may choose the language. */
  constructor(
    name?: string,
    private readonly language: () => keyof FaultText = () => "en",
  ) {
    super(name);
  }

  override createCommand(name?: string): Command {
    return new StrictCommand(name, this.language);
  }

  override error(message: string, options?: ErrorOptions): never {
    this.showHelpAfterError(usageTexts.help[this.language()]);
    return super.error(message, options);
  }

  // Commander calls these seven methods for its messages, and has no other place for another language.

  unknownOption(flag: string): void {
    const known = [this.options, this.parent?.options ?? []].flat().flatMap(({ long }) => long ?? []);
    this.#fail("unknownOption", usageTexts.unknownOption(flag), nearestWord(flag, known));
  }

  unknownCommand(): void {
    const [name = ""] = this.args;
    const known = this.commands.map((command) => command.name());
    this.#fail("unknownCommand", usageTexts.unknownCommand(name), nearestWord(name, known));
  }

  missingArgument(name: string): void {
    this.#fail("missingArgument", usageTexts.missingArgument(name, this.name()));
  }

  optionMissingArgument({ flags }: Option): void {
    this.#fail("optionMissingArgument", usageTexts.missingValue(flags));
  }

  missingMandatoryOptionValue({ flags }: Option): void {
    this.#fail("missingMandatoryOptionValue", usageTexts.missingOption(flags));
  }

  _excessArguments(given: readonly string[]): void {
    this.#fail("excessArguments", usageTexts.tooMany(this.name(), this.registeredArguments.length, given.length));
  }

  _callParseArg(target: Option | Argument, value: string, previous: unknown, english: string): unknown {
    try {
      return target.parseArg?.(value, previous);
    } catch (error) {
      if (error instanceof InvalidArgumentError) this.error(`${english} ${error.message}`, { code: error.code });
      if (!isFault(error)) throw error;
      const { message: en, ru } = error;
      const name = target instanceof Option ? target.flags : target.name();
      this.#fail("invalidArgument", usageTexts.wrongValue(name, value, { en, ru: ru ?? en }));
    }
  }

  #fail(code: string, text: FaultText, near: string | null = null): never {
    const language = this.language();
    this.error(`${text[language]}${usageTexts.near(near)[language]}`, { code: `commander.${code}` });
  }

  /**
   * Accepts an option of all commands also before the command's name; behind the name it takes precedence. This command
   * only reads and shows the option, so each command that uses the option declares it too.
   */
  acceptBeforeCommands(flags: string, description: string): this {
    return this.enablePositionalOptions()
      .option(flags, description)
      .hook("preAction", (program, command) => this.#handOn(program, command));
  }

  override parseOptions(args: string[]): ParseOptionsResult {
    this.#refuseMissingValues(args);
    return super.parseOptions(args);
  }

  #refuseMissingValues(args: readonly string[]): void {
    const end = args.indexOf("--");
    const options = end === -1 ? args : args.slice(0, end);
    for (let at = 0; at < options.length; at += 1) {
      // The command itself reads the options behind its name.
      if (this.commands.length > 0 && !isOption(options[at] ?? "")) return;
      const option = this.options.find(({ required, long, short }) => required && [long, short].includes(options[at]));
      if (option === undefined) continue;
      at += 1;
      const value = options[at];
      if (value === "--help" || value === "-h") this.help();
      if (value === undefined || !isOption(value)) continue;
      const example = `${option.long ?? option.short}=${value}`;
      this.#fail("optionMissingArgument", usageTexts.optionAsValue(option.flags, value, example));
    }
  }

  #handOn(program: Command, command: Command): void {
    for (const option of program.options) {
      const name = option.attributeName();
      if (program.getOptionValueSource(name) !== "cli") continue;
      if (!command.options.some((known) => known.attributeName() === name)) {
        const text = usageTexts.noOptionOf(option.long ?? "", command.name());
        command.error(text[this.language()], { code: "commander.unknownOption" });
      }
      if (command.getOptionValueSource(name) === "cli") continue;
      command.setOptionValueWithSource(name, program.getOptionValue(name), "cli");
    }
  }
}

function isOption(text: string): boolean {
  return text.length > 1 && text.startsWith("-");
}

export function choiceOf(flags: string, description: string, names: readonly string[]): Option {
  return new Option(flags, description).choices(names).argParser((text) => {
    if (names.includes(text)) return text;
    throw wrongValue(usageTexts.choices(names.join(", ")));
  });
}

/** `place`: the option's name, which a command adds to a fault that the reader of the option's value throws. */
export function wrongValue(wanted: FaultText, place?: string): Fault {
  return new Fault("usage.wrong", place === undefined ? { message: wanted } : { message: wanted, place });
}

/** `--config <path>` is `--config`. */
function keyOf(flags: string): string {
  return flags.replace(/ [<[].*$/, "");
}

const usageTexts = {
  help: { en: "(see --help)", ru: "(см. --help)" },
  near: (name: string | null) => ({
    en: name === null ? "" : `\n(Did you mean ${name}?)`,
    ru: name === null ? "" : `\n(возможно, ${name}?)`,
  }),
  unknownOption: (flag: string) => ({
    en: `error: unknown option '${flag}'`,
    ru: `ошибка: нет такого ключа: '${flag}'`,
  }),
  noOptionOf: (flag: string, command: string) => ({
    en: `error: unknown option '${flag}' of ${command}`,
    ru: `ошибка: у команды ${command} нет ключа '${flag}'`,
  }),
  unknownCommand: (name: string) => ({
    en: `error: unknown command '${name}'`,
    ru: `ошибка: нет такой команды: '${name}'`,
  }),
  missingArgument: (name: string, command: string) => ({
    en: `error: missing required argument '${name}'`,
    ru: `ошибка: команде ${command} не хватает аргумента`,
  }),
  missingOption: (flags: string) => ({
    en: `error: required option '${flags}' not specified`,
    ru: `ошибка: нужен ключ '${keyOf(flags)}'`,
  }),
  missingValue: (flags: string) => ({
    en: `error: option '${flags}' argument missing`,
    ru: `ошибка: ключу '${keyOf(flags)}' нужно значение`,
  }),
  optionAsValue: (flags: string, value: string, example: string) => ({
    en: `error: option '${flags}' argument missing: '${value}' looks like an option (a value that begins with a dash: ${example})`,
    ru: `ошибка: ключу '${keyOf(flags)}' нужно значение, а '${value}' похоже на ключ (значение с дефисом в начале: ${example})`,
  }),
  tooMany: (command: string, expected: number, given: number) => ({
    en: `error: too many arguments for '${command}'. Expected ${expected} argument${expected === 1 ? "" : "s"} but got ${given}.`,
    ru: `ошибка: лишние аргументы команды '${command}': нужно ${expected}, дано ${given}`,
  }),
  choices: (names: string) => ({ en: `Allowed choices are ${names}.`, ru: `Возможные значения: ${names}` }),
  wrongValue: (flags: string, text: string, wanted: FaultText) => ({
    en: `error: option '${flags}' argument '${text}' is invalid. ${wanted.en}`,
    ru: `ошибка: значение '${text}' ключа '${keyOf(flags)}' не подходит. ${wanted.ru}`,
  }),
} satisfies Texts;
