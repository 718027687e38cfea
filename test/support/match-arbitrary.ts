/** Random documents and claims. Few drives, sums and marks are possible, so that documents and claims often match. */
import type {
  Claim,
  FoundDocument,
  QueuedClaim,
  SentClaim,
} from "@fiscald/daemon/registers/recovery/match-documents.js";
import type { FiscalDocument } from "@fiscald/drivers/fiscal-document.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { toFnSerial, toOrderId, toReceiptId, toRegisterId } from "@fiscald/shared/ids.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import fc from "fast-check";
import { makeItem, makeReceipt } from "./make-job.js";

const drives = [toFnSerial("9999078900000001"), toFnSerial("9999078900000002")] as const;
const registers = [toRegisterId("till-1"), toRegisterId("till-2")] as const;
const issuers = { own: "89abcdef", former: "00000001", cafe: "cafecafe", stranger: "99999999" };
const sums = [10_000, 20_000];
const names = ["Чай", "Кофе"];
const digits = ["00000001", "00000002", "00000003"];
const orders = ["A-1", "A-2"];

const mark = fc
  .tuple(fc.constantFrom(...orders), fc.constantFrom(...Object.values(issuers)), fc.constantFrom(...digits))
  .map(([order, issuer, text]) => `${order} ${issuer}.${text}`);
const ownMark = fc
  .tuple(fc.constantFrom(...orders), fc.constantFrom(...digits))
  .map(([order, text]) => `${order} ${issuers.own}.${text}`);
const operation = fc.constantFrom("sale" as const, "return" as const);
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const fd = fc.integer({ min: 1, max: 8 });
const maybe = fc.boolean();

const content = fc.record({ sum: fc.constantFrom(...sums), name: fc.constantFrom(...names) });

const document: fc.Arbitrary<FiscalDocument> = fc
  .record({
    ...{ fd, content, operation, mark: orNull(mark) },
    type: fc.constantFrom("receipt" as const, "receipt" as const, "receipt" as const, "correction", "shift-open"),
    body: fc.constantFrom("full" as const, "full" as const, "header" as const, "unreadable" as const),
    hasNumbers: fc.constantFrom(true, true, true, false),
    shift: fc.integer({ min: 1, max: 2 }),
    contact: orNull(fc.constantFrom("a@a.ru", "b@b.ru")),
  })
  .map(({ content: { sum, name }, hasNumbers, body, ...read }): FiscalDocument => {
    const time = hasNumbers ? ("2026-11-20T14:00:00" as LocalTime) : null;
    const head = { fd: read.fd, fiscalSign: "1", receiptNumber: 1, time, shift: read.shift, body };
    if (body === "unreadable") {
      const nothing = { type: "unknown", operation: null, total: null, mark: null, items: [], contact: null } as const;
      return { ...head, ...nothing, time: null, shift: null };
    }
    const total = kopecks(sum);
    const isFull = body === "full";
    const items = isFull ? [{ name, price: total, quantity: 1_000_000, sum: total }] : [];
    const rest = { mark: isFull ? read.mark : null, contact: isFull ? read.contact : null, items };
    return { ...head, type: read.type, operation: read.operation, total, ...rest };
  });

const foundDocument: fc.Arbitrary<FoundDocument> = fc.record({
  fn: fc.constantFrom(...drives),
  register: fc.constantFrom(...registers),
  document,
  foundWhen: fc.constantFrom("afterLoss" as const, "afterCrash" as const, "newRegister" as const, "running" as const),
  owner: fc.constantFrom(null, null, null, 99),
});

const receipt = fc
  .record({
    content,
    operation,
    order: fc.constantFrom(...orders),
    isOfKit: maybe,
    contact: orNull(fc.constant("a@a.ru")),
  })
  .map(({ content: { sum, name }, operation: direction, order, isOfKit, contact }) =>
    makeReceipt({
      ...{ orderId: toOrderId(order), operation: direction, contact },
      receiptId: isOfKit ? toReceiptId("0f0e5bd6-5ad1-4a0c-8f3c-1f1d3f1b2a01") : null,
      lines: [makeItem({ name, price: kopecks(sum), total: kopecks(sum) })],
    }),
  );

const base = { job: fc.integer({ min: 1, max: 9 }), receipt, mark: orNull(ownMark) };
const place = fc.record({ fn: fc.constantFrom(...drives), fd });
const earlierProgram = fc.record({ fn: fc.constantFrom(...drives), fd, isMarked: maybe });

const task: fc.Arbitrary<SentClaim["task"]> = fc.oneof(
  fc.constant(null),
  fc.constantFrom({ kind: "open" } as const, { kind: "ended" } as const),
  fc
    .record({
      fn: fc.constantFrom(...drives),
      fd,
      total: orNull(fc.constantFrom(...sums)),
    })
    .map(({ fn, fd: number, total }) => {
      const time = "2026-11-20T14:00:00" as LocalTime;
      const numbers = { fn, fd: number, fiscalSign: "1", shift: 1, receiptNumber: 1, time };
      return { kind: "done" as const, document: { ...numbers, total: total === null ? null : kopecks(total) } };
    }),
);

const sentClaim: fc.Arbitrary<SentClaim> = fc
  .record({
    ...base,
    ...{ fn: fc.constantFrom(...drives), above: fd, length: fc.nat(4), task },
    ...{ isMarked: maybe, canLackMark: maybe, isProven: maybe, canProveNone: fc.constantFrom(true, true, false) },
  })
  .map(({ length, ...claim }) => ({ strength: "sent", ...claim, upTo: claim.above + length }));

const queuedClaim: fc.Arbitrary<QueuedClaim> = fc
  .record({
    ...base,
    ...{ marksOnly: maybe, earlier: fc.array(earlierProgram, { maxLength: 1 }) },
    excluded: fc.array(place, { maxLength: 1 }),
    places: fc.subarray([...registers]),
  })
  .map(({ places, ...claim }) => ({
    strength: "queued",
    ...claim,
    couldBeOn: (register) => places.includes(register),
    kindOfIssuer: (issuer) =>
      issuer === issuers.own || issuer === issuers.former
        ? "own"
        : issuer === issuers.cafe
          ? "another-site"
          : "unknown",
  }));

/** Each document occurs once. */
export const someDocuments = fc.uniqueArray(foundDocument, {
  selector: ({ fn, document: { fd: number } }) => `${fn}/${number}`,
  maxLength: 10,
});
export const someClaims: fc.Arbitrary<Claim[]> = fc.array(fc.oneof(sentClaim, queuedClaim), { maxLength: 6 });
