import { driveCommands } from "./drive-commands.js";
import { paperCommands } from "./paper-commands.js";
import { receiptCommands } from "./receipt-commands.js";
import { statusCommands } from "./status-commands.js";

export const commands = { ...statusCommands, ...paperCommands, ...receiptCommands, ...driveCommands } as const;
