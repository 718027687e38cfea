/** Translates the few words that commander itself writes into a help text. */
import { type Command, Help } from "@fiscald/shared/command-line.js";
import type { Language } from "../messages/messages.js";

/** The words that commander itself writes. */
const ownWords = [
  ["[options]", "[ключи]"],
  ["[command]", "[команда]"],
  ["choices: ", "одно из: "],
  ["default: ", "по умолчанию: "],
] as const;

export function translateHelp(program: Command, language: Language): void {
  if (language === "en") return;
  for (const command of [program, ...program.commands]) {
    // Commander puts these methods in place of those of its `Help`; the originals are taken from a second `Help`.
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
