/** Common parts of the command tables: the maker of rows, passwords, and how often a command may be sent. */

import type { ByteWriter } from "../../codec/byte-cursor.js";
import { type CommandRow, createRowMaker, type EncodedRequest } from "../../codec/command-table.js";
import { shtrihFault } from "./device-errors.js";
import type { AnswerTimeout } from "./timeouts.js";

export type ShtrihRequest = EncodedRequest<AnswerTimeout>;
export type ShtrihRow<Parameters, Answer> = CommandRow<Parameters, Answer, AnswerTimeout>;

export const row = createRowMaker<AnswerTimeout>({ toFault: shtrihFault });

export interface Password {
  readonly password: number;
}
export const password = (writer: ByteWriter, parameters: Password) => writer.u32(parameters.password);

/** Only asks; a request of its own or an answer follows in the row. */
export const read = { timeout: "ordinary", repeatable: true, request: password } as const;
/** Changes something: sent once, and answered with done or refused where the row says nothing else. */
export const act = { timeout: "ordinary", repeatable: false, request: password, answer: () => null } as const;
