/** What commander writes, in another language than English: the help, and what is wrong with a command line. */
import { type Command, Help, usageInRussian } from "@fiscald/shared/command-line.js";
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

/** Other texts stay. */
export function translateUsageError(text: string, languageOf: () => Language): string {
  if (!/^(error: |\(see --help\))/.test(text) || languageOf() === "en") return text;
  return usageInRussian(text);
}
