import { type Command, Help } from "@fiscald/shared/command-line.js";
import { type Language, type Messages, messagesIn } from "../messages/messages.js";

export function translateHelp(program: Command, language: Language): void {
  if (language === "en") return;
  const { own, values } = messagesIn("en").help;
  const words = messagesIn(language).help;
  const inWords = (text: string) => {
    const ownWords = Object.keys(own).filter((key) => isKeyOf(own, key));
    const said = ownWords.reduce((before, key) => before.replace(own[key], words.own[key]), text);
    return said.replace(/(?<=<)[^<>.]+(?=(?:\.\.\.)?>)|(?<=\[)[a-z]+(?=(?:\.\.\.)?\])/g, (name) =>
      isKeyOf(values, name) ? words.values[name] : name,
    );
  };
  for (const command of [program, ...program.commands]) {
    // Commander replaces methods of its `Help` by these. The original methods are taken from a second `Help`.
    command.configureHelp({
      ...command.configureHelp(),
      commandUsage: (shown) => inWords(original.commandUsage(shown)),
      subcommandTerm: (shown) => inWords(original.subcommandTerm(shown)),
      optionTerm: (option) => inWords(original.optionTerm(option)),
      optionDescription: (option) => inWords(original.optionDescription(option)),
    });
  }
}

const original = new Help();

type Words = Messages["help"]["own"] | Messages["help"]["values"];

function isKeyOf<Part extends Words>(part: Part, key: PropertyKey): key is keyof Part {
  return Object.hasOwn(part, key);
}
