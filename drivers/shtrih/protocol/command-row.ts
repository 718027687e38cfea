/** A command set as a table: how each request is written, how its answer is read, how often it may be sent. */
import { ByteReader, ByteWriter } from "../../codec/byte-cursor.js";
import type { AnswerTimeout } from "../options.js";
import { shtrihFault } from "./device-errors.js";

export interface ShtrihRequest {
  readonly name: string;
  readonly payload: Uint8Array;
  /** The payload and its answer begin with these bytes. */
  readonly code: readonly number[];
  readonly timeout: AnswerTimeout;
  readonly repeatable: boolean;
}

export interface ShtrihRow<Parameters, Answer> {
  encode(parameters: Parameters): ShtrihRequest;
  /** Throws the fault of the device's error, or `link.corrupt` when the answer is too short. */
  decode(payload: Uint8Array): Answer;
}

export interface Password {
  readonly password: number;
}
export const password = (writer: ByteWriter, parameters: Password) => writer.u32(parameters.password);

type Write<Parameters> = (writer: ByteWriter, parameters: Parameters) => ByteWriter;
/** Reads the data after code and error byte, in the order of the fields. */
type Read<Answer> = (reader: ByteReader) => Answer;

interface Traits {
  readonly timeout?: AnswerTimeout;
  readonly repeatable?: boolean;
}

/** `name` begins with the code: `FF01 drive status`. Answers: the code bytes, one error byte (0 = done), then data. */
export function row<Parameters, Answer>(
  name: string,
  request: Write<Parameters>,
  answer: Read<Answer>,
  { timeout = "ordinary", repeatable = false }: Traits = {},
): ShtrihRow<Parameters, Answer> {
  const code = [...Buffer.from(name.split(" ", 1)[0] ?? "", "hex")];
  return {
    encode(parameters) {
      const payload = request(new ByteWriter().raw(code), parameters).done();
      return { name, payload, code, timeout, repeatable };
    },
    decode(payload) {
      requireDone({ code, name }, payload);
      return answer(new ByteReader(payload).skip(code.length + 1));
    },
  };
}

export function question<Parameters, Answer>(
  name: string,
  request: Write<Parameters>,
  answer: Read<Answer>,
  timeout?: AnswerTimeout,
): ShtrihRow<Parameters, Answer> {
  return row(name, request, answer, { repeatable: true, ...(timeout === undefined ? {} : { timeout }) });
}

/** A command that changes something. It is sent once unless `traits` say otherwise, and its answer has no data. */
export function order<Parameters>(
  name: string,
  request: Write<Parameters>,
  traits?: Traits,
): ShtrihRow<Parameters, null> {
  return row(name, request, () => null, traits);
}

/** Throws the fault of the device's error. An old register answers one code byte to an unknown FFxx. */
export function requireDone({ code, name }: Pick<ShtrihRequest, "code" | "name">, payload: Uint8Array): void {
  const isShort = code.length === 2 && payload.length === 2;
  const error = payload[isShort ? 1 : code.length] ?? 0;
  if (error !== 0) throw shtrihFault(error, name);
}

export function answersCode(code: readonly number[], payload: Uint8Array): boolean {
  if (payload[0] !== code[0]) return false;
  if (code.length === 1) return payload.length >= 2;
  return payload.length === 2 || (payload[1] === code[1] && payload.length >= 3);
}
