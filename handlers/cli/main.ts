/** The program `fiscald-site`. Exit code 0 = done, 1 = failed, 2 = wrong usage. */
import { CommanderError, StrictCommand } from "@fiscald/shared/command-line.js";
import { detailInRussian, type Fault, isFault } from "@fiscald/shared/fault.js";
import { addCheckSiteCommand } from "./check-site-command.js";
import { addDeliveryCommands } from "./delivery-commands.js";
import { databaseOption } from "./on-database.js";
import { addReceiptCommands } from "./receipt-commands.js";
import { addServeCommand } from "./serve-command.js";

/** The language is needed before the options are read, because they may be wrong. Only `check-site` has `--lang ru`. */
const language = / check-site .*--lang[ =]ru\b/s.test(process.argv.join(" ")) ? "ru" : "en";

const program = new StrictCommand("fiscald-site", () => language)
  .description("the site's side of fiscald: handlers, delivery API, demo shop")
  .exitOverride();
program.acceptBeforeCommands(...databaseOption);
addServeCommand(program);
addCheckSiteCommand(program, language);
const output = { print: (line: string) => console.log(line) };
addDeliveryCommands(program, output);
addReceiptCommands(program, output);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

function report(error: unknown): number {
  // Help and version are no errors; commander has already reported real errors.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  console.error(isFault(error) ? wordsOf(error) : error);
  return isFault(error) && (error.code === "usage.wrong" || error.code === "config.invalid") ? 2 : 1;
}

function wordsOf(fault: Fault): string {
  const said = language === "en" ? fault.message : (detailInRussian(fault) ?? fault.text.ru);
  return `${fault.code}: ${said}\n${fault.hint[language]}`;
}
