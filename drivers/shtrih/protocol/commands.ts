/**
 * The command set, a row each: number, fields in their order on the wire, how long an answer may take, whether sending
 * twice is harmless.
 */
import { driveCommands } from "./drive-commands.js";
import { paperCommands } from "./paper-commands.js";
import { receiptCommands } from "./receipt-commands.js";
import { statusCommands } from "./status-commands.js";

export const commands = { ...statusCommands, ...paperCommands, ...receiptCommands, ...driveCommands } as const;
