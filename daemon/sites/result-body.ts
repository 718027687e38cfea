import type { Identity } from "@fiscald/drivers/fiscal-driver.js";
import { toRoublesNumber } from "@fiscald/shared/amounts.js";
import type { ResultBody, ResultExtras } from "@fiscald/shared/exchange/calls.js";
import { wireSigns } from "@fiscald/shared/exchange/online-receipt.js";
import { problemsOfOrder } from "@fiscald/shared/exchange/order-problem.js";
import { detailInRussian, type Fault } from "@fiscald/shared/fault.js";
import { type FaultCode, faultCodes } from "@fiscald/shared/fault-codes.js";
import type { OrderId, ReceiptId } from "@fiscald/shared/ids.js";
import { formatWireTime, localTimeAt } from "@fiscald/shared/local-time.js";
import { toOnlineReceipt } from "@fiscald/shared/receipt/formats/to-online-receipt.js";
import { documentTypeOf, signOf } from "@fiscald/shared/receipt/receipt.js";
import { MAX_TRIES } from "@fiscald/shared/receipt/repeats/decide-repeat.js";
import { withNamedRates } from "@fiscald/shared/receipt/tax-meaning.js";
import type { RegisterConfig } from "../config/register-schema.js";
import type { SiteConfig } from "../config/site-schema.js";
import { doneInWords } from "../messages/done-parts.js";
import { orderReasons } from "../messages/reasons/order-reasons.js";
import type { Job } from "../store/job.js";
import type { ReportedOutcome } from "../store/job-store.js";
import { ofdLink } from "./receipt-link.js";

/** The numbers of a register (kkm, INN, drive) in calls to sites; "" when it was never identified. */
export interface RegisterNames {
  readonly kkm: string;
  readonly inn: string;
  readonly fn: string;
}

export function toNames(identity: Identity | null): RegisterNames {
  const { kkm = "", inn = "", fn = "" } = identity ?? {};
  return { kkm, inn, fn };
}

export type MakerOfResult = Pick<RegisterConfig, "receiptLink"> & Partial<Pick<RegisterConfig, "connection">>;

export const noMaker: MakerOfResult = { receiptLink: null };

export type ResultForm = Pick<SiteConfig, "resultAction" | "resultExtras">;

export const usualForm: ResultForm = { resultAction: "orderConfirm", resultExtras: true };

/** A fault as it is reported to a site. A job's fault is stored without its problems. */
export type ToldFault = Pick<Fault, "code" | "message"> & Partial<Pick<Fault, "ru" | "place" | "details">>;

export interface ResultFacts {
  readonly site: ResultForm;
  readonly register: MakerOfResult;
  readonly names: RegisterNames;
  readonly orderId: OrderId | null;
  readonly receiptId: ReceiptId | null;
  readonly outcome: ReportedOutcome;
  /** Why the order was not printed, or why it is refused although it was printed. */
  readonly fault: ToldFault | null;
  /** The job with the document, the sum and the operation of the result; null = the order never became a job. */
  readonly job: Job | null;
  /** Whether the same order may be printed later. Only a refusal has this. */
  readonly again?: boolean;
  readonly warnings?: ResultExtras["warnings"];
  /** The job puts a wrong receipt right: no goods were sold or came back. In FFD 1.05 it is an ordinary receipt. */
  readonly isRepair?: boolean;
}

/** The body of the print-result call: the protocol's fields, and ours unless the site's config leaves them out. */
export function resultBody(facts: ResultFacts): ResultBody {
  const { site, names, fault, job } = facts;
  const document = job?.document ?? null;
  return {
    action: site.resultAction,
    kkm: names.kkm,
    inn: names.inn,
    fn: document?.fn ?? names.fn,
    resultCode: fault === null ? 0 : faultCodes[fault.code].resultCode,
    resultInfo: infoOf(facts),
    shiftNumber: document === null ? "" : String(document.shift),
    OFDLink: linkOf(facts),
    orderId: facts.orderId,
    ...(site.resultExtras ? extrasOf(facts) : {}),
  };
}

function infoOf(facts: ResultFacts): string {
  const { fault, job, outcome } = facts;
  const service = job?.receipt.kind === "service" ? job.receipt : null;
  if (fault === null) return service?.lines.length === 0 ? "Задание пустое: печатать нечего." : "";
  const done = service === null || job === null ? "" : doneInWords(service, job.doneParts);
  const unknown = service === null ? orderReasons.unknown : orderReasons.unknownService;
  return [
    // Without this text the register's own words would read like a failure.
    ...(outcome === "unknown" && !saysUnknown.includes(fault.code) ? [unknown.ru] : []),
    faultInRussian(fault),
    ...(done === "" ? [] : [`Уже сделано: ${done}.`]),
    ...(isTriedOut(facts) ? [orderReasons.triedOut.ru] : []),
  ].join(" ");
}

/** The texts of these faults already begin by saying that the outcome is unknown. */
const saysUnknown: readonly FaultCode[] = ["job.outcome-unknown", "job.being-printed", "internal"];

/** Whether the same order, when offered again, only gets this result once more. A correction is always a person's. */
function isTriedOut({ job }: ResultFacts): boolean {
  if (job?.state !== "failed" || job.source !== "site" || job.receipt.kind === "service") return false;
  return job.receipt.correction === undefined && job.tries >= MAX_TRIES;
}

const MOST_TOLD = 10;

/** All problems of an order at once, for the people at the shop and for the site's developer. */
export function faultInRussian(fault: ToldFault): string {
  const { ru } = faultCodes[fault.code].text;
  const problems = problemsOfOrder(fault);
  const detail = detailInRussian(fault);
  if (problems.length === 0) return detail === null ? ru : `${ru} (${detail})`;
  const told = problems.slice(0, MOST_TOLD).map((one) => (one.path === "" ? one.ru : `${one.path}: ${one.ru}`));
  const others = problems.length - told.length;
  return `${ru} (${told.join("; ")}${others === 0 ? "" : `; и ещё: ${others}`})`;
}

/** All problems of an order, for the site's own program to read. The codes never change; the messages may. */
export function errorsOf(fault: ToldFault): ResultExtras["errors"] {
  const problems = problemsOfOrder(fault);
  const { place, code, message } = fault;
  const all = problems.length > 0 ? problems : [{ path: place ?? "", code, message }];
  return all.map(({ path, code, message }) => ({ path, code, message }));
}

function linkOf({ register, names, job }: ResultFacts): string {
  if (job?.document == null || job.operation === null || job.total === null) return "";
  const { document, operation, total } = job;
  return ofdLink(register.receiptLink, { names, document, operation, total });
}

function extrasOf(facts: ResultFacts): Partial<ResultExtras> {
  const { outcome, register, receiptId, fault, job, isRepair, warnings = [] } = facts;
  const again = isTriedOut(facts) ? false : facts.again;
  const document = job?.document ?? null;
  const isOther = fault !== null && faultCodes[fault.code].resultCode === 4;
  return {
    outcome,
    ...(receiptId === null ? {} : { receiptId }),
    ...(fault === null ? {} : { errors: errorsOf(fault) }),
    ...(again === undefined || !(isOther || isTriedOut(facts)) ? {} : { again }),
    ...(document === null
      ? {}
      : { fpd: document.fiscalSign, fdNumber: String(document.fd), dateTime: formatWireTime(document.time) }),
    ...(document !== null && job?.receipt.kind === "receipt" && documentTypeOf(job.receipt) === "correction"
      ? { documentType: 31 as const }
      : {}),
    ...(document?.receiptNumber == null ? {} : { receiptNumber: String(document.receiptNumber) }),
    ...(job?.receipt.kind === "receipt"
      ? {
          operation:
            wireSigns[isRepair === true ? (`${job.receipt.operation}-correction` as const) : signOf(job.receipt)],
        }
      : {}),
    ...(job?.total == null ? {} : { total: toRoublesNumber(job.total) }),
    ...(receiptId === null ? {} : ofPerson(job)),
    ...(register.connection?.kind === "emulator" ? { emulated: true } : {}),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

/** The site has not ordered the receipt, so it is reported with all its lines. */
function ofPerson(job: Job | null): Partial<ResultExtras> {
  if (job?.source !== "operator" || job.receipt.kind === "service") return {};
  const time = job.document?.time ?? localTimeAt(job.createdAt, Intl.DateTimeFormat().resolvedOptions().timeZone);
  return { by: "operator", receipt: toOnlineReceipt(withNamedRates(job.receipt, job.taxes), time) };
}
