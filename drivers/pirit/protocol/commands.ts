/**
 * The command set (reference, sections 4 to 9), a row each: code, fields in their order on the wire, how long an answer may
 * take, whether sending twice is harmless.
 */
import { documentCommands } from "./document-commands.js";
import { driveCommands } from "./drive-commands.js";
import { markingCommands } from "./marking-commands.js";
import { paperCommands } from "./paper-commands.js";
import { statusCommands } from "./status-commands.js";

export const commands = {
  ...statusCommands,
  ...driveCommands,
  ...documentCommands,
  ...paperCommands,
  ...markingCommands,
} as const;
