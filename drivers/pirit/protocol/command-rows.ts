import { Fault } from "@fiscald/shared/fault.js";
import { defaultLinkTimeouts } from "../../link/exchange-machine.js";
import { piritFault } from "./device-errors.js";
import { FieldReader, FieldWriter } from "./fields.js";

const answerTimeouts = {
  status: 3_000,
  ordinary: 10_000,
  /** For 20 (X report), 21 (Z report) and 31 (close document). */
  document: 30_000,
  /** For 23 (open shift), which may update keys of marking, and 79/1 (check a marking code), which asks a server. */
  slow: 60_000,
};
/** In ms. The protocol names no waits: when one is over, ENQ asks whether the device is busy. */
export const piritTimeouts = { ...defaultLinkTimeouts, ...answerTimeouts };
export type PiritTimeouts = Readonly<typeof piritTimeouts>;

export interface PiritRequest {
  readonly name: string;
  readonly code: string;
  readonly payload: Uint8Array;
  readonly timeout: keyof typeof answerTimeouts;
  readonly repeatable: boolean;
}

export interface PiritRow<Parameters, Answer> {
  encode(parameters: Parameters): PiritRequest;
  /** Throws the fault of the device's error, or `link.corrupt` when a field is missing or of another type. */
  decode(payload: Uint8Array): Answer;
}

type Fields<Parameters> = (writer: FieldWriter, parameters: Parameters) => FieldWriter;

interface RowOptions<Parameters, Answer> extends Pick<PiritRequest, "repeatable"> {
  /** Begins with the code, and the query where the code has several: `78/15 tags of a document`. */
  readonly name: string;
  readonly timeout?: PiritRequest["timeout"];
  readonly request: Fields<Parameters>;
  readonly answer: (reader: FieldReader) => Answer;
  readonly alsoDone?: readonly number[];
}

const CODE_BYTES = 2;
const ERROR_END = 4;
export const noFields = (writer: FieldWriter) => writer;

export function row<Parameters, Answer>(options: RowOptions<Parameters, Answer>): PiritRow<Parameters, Answer> {
  const { name, timeout = "ordinary", repeatable, alsoDone = [] } = options;
  const code = name.slice(0, CODE_BYTES);
  const query = /^..\/(\d+)/.exec(name)?.[1];
  return {
    encode(parameters) {
      const writer = new FieldWriter();
      if (query !== undefined) writer.text(query);
      const fields = options.request(writer, parameters).done();
      return { name, code, timeout, repeatable, payload: Buffer.concat([Buffer.from(code, "latin1"), fields]) };
    },
    decode(payload) {
      const error = errorOf(payload);
      const fields = payload.slice(ERROR_END);
      const done = error === 0 || (alsoDone.includes(error) && fields.length > 0);
      if (!done) throw piritFault(error, name);
      return options.answer(new FieldReader(fields).skip(query === undefined ? 0 : 1));
    },
  };
}

export function question<Answer, Parameters = null>(
  name: string,
  answer: (reader: FieldReader) => Answer,
  request: Fields<Parameters> = noFields,
): PiritRow<Parameters, Answer> {
  return row({ name, repeatable: true, request, answer });
}

export function quickQuestion<Answer>(name: string, answer: (reader: FieldReader) => Answer): PiritRow<null, Answer> {
  return row({ name, repeatable: true, timeout: "status", request: noFields, answer });
}

/** A command that changes something; its answer has no data. */
export function order<Parameters = null>(
  name: string,
  request: Fields<Parameters> = noFields,
  timeout?: PiritRequest["timeout"],
): PiritRow<Parameters, null> {
  return row({ name, repeatable: false, ...(timeout === undefined ? {} : { timeout }), request, answer: () => null });
}

export function requireSuccess({ name }: PiritRequest, payload: Uint8Array): void {
  const error = errorOf(payload);
  if (error !== 0) throw piritFault(error, name);
}

export function answersRequest(code: string, payload: Uint8Array): boolean {
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
