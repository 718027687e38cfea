/** A command as a row: how a request is written, how its answer is read, how long it may take, whether twice is harmless. */
import { Fault } from "@fiscald/shared/fault.js";
import { piritFault } from "./device-errors.js";
import { FieldReader, FieldWriter } from "./fields.js";
import type { AnswerTimeout } from "./timeouts.js";

/** A request as plain data; programs consist of these. */
export interface PiritRequest {
  readonly name: string;
  /** Two hex digits. */
  readonly code: string;
  /** Code and fields. */
  readonly payload: Uint8Array;
  readonly timeout: AnswerTimeout;
  readonly repeatable: boolean;
}

export interface PiritRow<Parameters, Answer> {
  readonly name: string;
  encode(parameters: Parameters): PiritRequest;
  /** Fault of the device's error, or `link.corrupt` when a field is missing or of another type. */
  decode(payload: Uint8Array): Answer;
}

export interface RowOptions<Parameters, Answer> {
  readonly name: string;
  readonly code: string;
  readonly timeout: AnswerTimeout;
  readonly repeatable: boolean;
  readonly request: (writer: FieldWriter, parameters: Parameters) => FieldWriter;
  readonly answer: (reader: FieldReader) => Answer;
  /** Errors whose answers contain data. */
  readonly alsoDone?: readonly number[];
}

const CODE_BYTES = 2;
const ERROR_END = 4;

export function row<Parameters, Answer>(options: RowOptions<Parameters, Answer>): PiritRow<Parameters, Answer> {
  const { name, code, timeout, repeatable, alsoDone = [] } = options;
  return {
    name,
    encode: (parameters) => ({
      name,
      code,
      timeout,
      repeatable,
      payload: Buffer.concat([Buffer.from(code, "latin1"), options.request(new FieldWriter(), parameters).done()]),
    }),
    decode(payload) {
      const error = errorOf(payload);
      const fields = payload.slice(ERROR_END);
      const done = error === 0 || (alsoDone.includes(error) && fields.length > 0);
      if (!done) throw piritFault(error, name);
      return options.answer(new FieldReader(fields));
    },
  };
}

export const read = { timeout: "ordinary", repeatable: true } as const;
export const act = { timeout: "ordinary", repeatable: false } as const;
export const nothing = () => null;
export const noFields = (writer: FieldWriter) => writer;

/** A query of 01, 02, 03 or 78: the answer repeats its number. */
export function query<Answer>(code: string, number: number, name: string, answer: (reader: FieldReader) => Answer) {
  return row({
    ...read,
    name: `${code}/${number} ${name}`,
    code,
    request: (writer: FieldWriter, _: null) => writer.integer(number),
    answer: (reader) => answer(reader.skip(1)),
  });
}

/** Fault of the device's error, for answers without needed data. */
export function requireDone({ name }: PiritRequest, payload: Uint8Array): void {
  const error = errorOf(payload);
  if (error !== 0) throw piritFault(error, name);
}

/** Whether a payload answers a request of this code. */
export function answersCode(code: string, payload: Uint8Array): boolean {
  return textOf(payload, 0, CODE_BYTES).toUpperCase() === code.toUpperCase() && payload.length >= ERROR_END;
}

function errorOf(payload: Uint8Array): number {
  const text = textOf(payload, CODE_BYTES, ERROR_END);
  if (/^[0-9A-Fa-f]{2}$/.test(text)) return Number.parseInt(text, 16);
  throw new Fault("link.corrupt", { message: `"${text}" is no error code` });
}

function textOf(payload: Uint8Array, start: number, end: number): string {
  return Buffer.from(payload.subarray(start, end)).toString("latin1");
}
