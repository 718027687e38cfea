/**
 * A command set as a table: a row says how a request is written, how its answer is read and how often it may be sent.
 */
import type { Fault } from "@fiscald/shared/fault.js";
import { ByteReader, ByteWriter } from "./byte-cursor.js";

/** A request as plain data; programs consist of these. */
export interface EncodedRequest<TimeoutName extends string> {
  readonly name: string;
  /** Code bytes and parameters. */
  readonly payload: Uint8Array;
  /** The first bytes of the payload and of its answer. */
  readonly code: readonly number[];
  readonly timeout: TimeoutName;
  readonly repeatable: boolean;
}

export interface CommandRow<Parameters, Answer, TimeoutName extends string> {
  readonly name: string;
  readonly code: readonly number[];
  encode(parameters: Parameters): EncodedRequest<TimeoutName>;
  /** Fault of the device's error, or `link.corrupt` when the answer is too short. */
  decode(payload: Uint8Array): Answer;
}

export interface CommandSetOptions {
  /** The device's error byte as a fault. */
  readonly toFault: (errorByte: number, commandName: string) => Fault;
}

export interface RowOptions<Parameters, Answer, TimeoutName extends string> {
  readonly name: string;
  readonly code: readonly number[];
  readonly timeout: TimeoutName;
  /** May be sent twice without harm. */
  readonly repeatable: boolean;
  readonly request: (writer: ByteWriter, parameters: Parameters) => ByteWriter;
  /** Reads what follows code and error byte; the fields in the order they come. */
  readonly answer: (reader: ByteReader) => Answer;
}

/** Answers: the request's code bytes, one error byte (0 = done), then data. */
export function createRowMaker<TimeoutName extends string>({ toFault }: CommandSetOptions) {
  return function row<Parameters, Answer>(
    options: RowOptions<Parameters, Answer, TimeoutName>,
  ): CommandRow<Parameters, Answer, TimeoutName> {
    const { name, code, timeout, repeatable } = options;
    return {
      name,
      code,
      encode: (parameters) => ({
        name,
        payload: options.request(new ByteWriter().raw(code), parameters).done(),
        code,
        timeout,
        repeatable,
      }),
      decode(payload) {
        const reader = new ByteReader(payload);
        const error = errorByteOf(code, payload);
        if (error !== 0) throw toFault(error, name);
        reader.skip(code.length + 1);
        return options.answer(reader);
      },
    };
  };
}

/** Fault of the device's error, for answers without needed data. */
export function requireDone(
  request: Pick<EncodedRequest<string>, "code" | "name">,
  payload: Uint8Array,
  { toFault }: CommandSetOptions,
): void {
  const error = errorByteOf(request.code, payload);
  if (error !== 0) throw toFault(error, request.name);
}

/** An old register that does not know a two-byte command answers its first byte and the error. */
function errorByteOf(code: readonly number[], payload: Uint8Array): number {
  const short = code.length === 2 && payload.length === 2;
  return payload[short ? 1 : code.length] ?? 0;
}

/** Whether a payload answers a request of this code. */
export function answersCode(code: readonly number[], payload: Uint8Array): boolean {
  if (payload[0] !== code[0]) return false;
  if (code.length === 1) return payload.length >= 2;
  return payload.length === 2 || (payload[1] === code[1] && payload.length >= 3);
}
