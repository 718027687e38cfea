import {
  type FaultArea,
  type FaultCode,
  type FaultText,
  faultArea,
  faultCodes,
  hintOfGivenUp,
  type ResultCode,
  type RetryClass,
} from "./fault-codes.js";

const faultMark = Symbol.for("fiscald.fault");

export interface FaultOptions {
  /**
   * What went wrong in this case, in one sentence without the code: in both languages where a person has to read it, in
   * English as a technical detail. The default is the text of the table.
   */
  readonly message?: string | FaultText;
  /** Where the fault is, such as `sites[0].urls.orders`, `taskTable[3].param.price` or `till-1`. */
  readonly place?: string;
  /** Facts for the log and for support: maker's number, command name, last frames. Never secrets. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
  /** The job is not retried automatically any more, and the hint says so. */
  readonly givenUp?: boolean;
}

/** The one error class of the product. Behaviour depends on `code` or `retry`, never on message text. */
export class Fault extends Error {
  readonly code: FaultCode;
  /** The message in Russian; null = the message is a technical detail, or the text of the table. */
  readonly ru: string | null;
  readonly place: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly givenUp: boolean;

  constructor(code: FaultCode, options: FaultOptions = {}) {
    const { message = faultCodes[code].text.en, cause } = options;
    super(typeof message === "string" ? message : message.en, cause === undefined ? undefined : { cause });
    this.name = "Fault";
    this.code = code;
    this.ru = typeof message === "string" ? null : message.ru;
    this.place = options.place ?? null;
    this.details = options.details ?? {};
    this.givenUp = options.givenUp ?? false;
    // A symbol takes the place of `instanceof`, because the class may be loaded twice (two packages, two realms).
    Object.defineProperty(this, faultMark, { value: true });
  }

  get area(): FaultArea {
    return faultArea(this.code);
  }
  get retry(): RetryClass {
    return faultCodes[this.code].retry;
  }
  get resultCode(): ResultCode {
    return faultCodes[this.code].resultCode;
  }
  get text(): FaultText {
    return faultCodes[this.code].text;
  }
  get hint(): FaultText {
    return this.givenUp ? hintOfGivenUp(this.code) : faultCodes[this.code].hint;
  }
}

/** The same fault, marked as final: the job is not retried any more. */
export function asGivenUp(fault: Fault): Fault {
  const { code, place, details } = fault;
  const message = saidBy(fault);
  return new Fault(code, { message, details, cause: fault.cause, givenUp: true, ...(place === null ? {} : { place }) });
}

/** The message of a fault, live or stored, as the option `message` of a new fault. */
export function saidBy({ message, ru = null }: { readonly message: string; readonly ru?: string | null }) {
  return ru === null ? message : { en: message, ru };
}

/** The message in Russian where it says more than the table's text, else null. */
export function detailInRussian(
  fault: Pick<Fault, "code" | "message"> & { readonly ru?: string | null },
): string | null {
  const { code, message, ru } = fault;
  return message === faultCodes[code].text.en ? null : (ru ?? message);
}

/** Whether a caught value is a fault of this program. */
export function isFault(value: unknown): value is Fault {
  return typeof value === "object" && value !== null && faultMark in value;
}

export function toFault(error: unknown, code: FaultCode, options: Omit<FaultOptions, "cause"> = {}): Fault {
  if (isFault(error)) return error;
  return new Fault(code, { ...options, message: options.message ?? messageOf(error), cause: error });
}

export function messageOf(error: unknown): string {
  if (typeof error === "object" && error !== null && "message" in error) return String(error.message);
  return String(error);
}
