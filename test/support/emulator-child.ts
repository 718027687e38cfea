/** `fiscald emulator` alone, without the rest of the command line: it starts sooner. */
import { registerEmulatorCommand } from "@fiscald/daemon/cli/commands/emulator.js";
import { Command } from "@fiscald/shared/command-line.js";

const program = new Command();
registerEmulatorCommand(program, (code) => {
  process.exitCode = code;
});
await program.parseAsync();
