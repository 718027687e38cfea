/** Runs `fiscald emulator` without the rest of the command line, because that starts sooner. */
import { registerEmulatorCommand } from "@fiscald/daemon/cli/commands/emulator.js";
import { messagesIn } from "@fiscald/daemon/messages/messages.js";
import { Command } from "@fiscald/shared/command-line.js";

const program = new Command();
registerEmulatorCommand(program, messagesIn("en").help.emulator, (code) => {
  process.exitCode = code;
});
await program.parseAsync();
