/** What commander writes, in another language than English: the help, and what is wrong with a command line. */
import { type Command, Help } from "@fiscald/shared/command-line.js";
import type { Language } from "../messages/messages.js";
import { optionTexts } from "../messages/russian/options.js";

/** What commander itself writes. */
const ownWords = [
  ["[options]", "[ключи]"],
  ["[command]", "[команда]"],
  ["choices: ", "одно из: "],
  ["default: ", "по умолчанию: "],
] as const;

export function translateHelp(program: Command, language: Language): void {
  if (language === "en") return;
  for (const command of [program, ...program.commands]) {
    for (const option of command.options) option.description = optionTexts[option.description] ?? option.description;
    // Called on a `Help` that has these in the place of its own.
    command.configureHelp({
      ...command.configureHelp(),
      commandUsage: (shown) => inRussian(original.commandUsage(shown)),
      subcommandTerm: (shown) => inRussian(original.subcommandTerm(shown)),
      optionDescription: (option) => inRussian(original.optionDescription(option)),
    });
  }
}

const original = new Help();

function inRussian(text: string): string {
  return ownWords.reduce((before, [english, russian]) => before.replace(english, russian), text);
}

const usageErrors: readonly (readonly [RegExp, string])[] = [
  [/^error: unknown option '(.*)' of (.*)$/m, "ошибка: у команды $2 нет ключа '$1'"],
  [/^error: unknown option '(.*)'$/m, "ошибка: нет такого ключа: '$1'"],
  [/^error: unknown command '(.*)'$/m, "ошибка: нет такой команды: '$1'"],
  [/^error: missing required argument '(.*)'$/m, "ошибка: не хватает аргумента '$1'"],
  [/^error: required option '(.*)' not specified$/m, "ошибка: нужен ключ '$1'"],
  [
    /^error: option '(.*)' argument missing: '(.*)' looks like an option \(.*: (.*)\)$/m,
    "ошибка: ключу '$1' нужно значение, а '$2' похоже на ключ (значение с дефисом в начале: $3)",
  ],
  [/^error: option '(.*)' argument missing$/m, "ошибка: ключу '$1' нужно значение"],
  [/^error: option '(.*)' argument '(.*)' is invalid\. (.*)$/m, "ошибка: значение '$2' ключа '$1' не подходит. $3"],
  [/^error: too many arguments.* Expected (\d+) .*but got (\d+)\.$/m, "ошибка: лишние аргументы: нужно $1, дано $2"],
  [/Allowed choices are (.*)\.$/m, "Возможные значения: $1"],
  [/^\(Did you mean (?:one of )?(.*)\?\)$/m, "(возможно, $1?)"],
  [/^\(see --help\)$/m, "(см. --help)"],
];

/** Other texts stay. */
export function translateUsageError(text: string, languageOf: () => Language): string {
  if (!/^(error: |\(see --help\))/.test(text) || languageOf() === "en") return text;
  return usageErrors.reduce((before, [english, russian]) => before.replace(english, russian), text);
}
