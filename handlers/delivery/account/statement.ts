import { formatRoubles, sumKopecks } from "@fiscald/shared/amounts.js";
import { formatApiTime, toWireId, toWireIdOrNull } from "../http/wire-types.js";
import { collectedSum, goodsSum } from "../orders/receipt-policy.js";
import { type Account, type AccountEntry, isRegistered, offsetOf, sumsByTax } from "./entries.js";
import type { AccountFinding } from "./money-findings.js";

export function alertLines(account: Account, findings: readonly AccountFinding[]): readonly string[] {
  const documents = account.entries.filter(isRegistered).map(documentOf).join(", ");
  const sums = textOfSums(sumsOf(account));
  return [`${sums}. Documents: ${documents || "none"}.`, ...findings.map(({ text }) => text)];
}

function documentOf({ fn, fd }: AccountEntry): string {
  return fd === null ? "FD without number" : `FD ${fd} of drive ${fn}`;
}

function sumsOf({ sale, entries }: Account) {
  const registered = entries.filter(isRegistered);
  const sales = registered.filter(({ kind }) => kind === "sale");
  const sumOf = (kind: AccountEntry["kind"]) =>
    formatRoubles(sumKopecks(registered.filter((one) => one.kind === kind).map(({ total }) => total)));
  return {
    cost: formatRoubles(goodsSum(sale)),
    collected: formatRoubles(collectedSum(sale)),
    prepaid: sumOf("prepayment"),
    used: formatRoubles(sumKopecks(sales.map((one) => offsetOf(one, sale)))),
    sold: sumOf("sale"),
    returned: sumOf("return"),
  };
}

export type AccountStatement = ReturnType<typeof statementOf>;

export function statementOf(account: Account) {
  const { saleId, alert, entries } = account;
  return {
    orderId: toWireId(saleId),
    isBalanced: alert === null,
    findings: alert?.split("\n").slice(1) ?? [],
    ...sumsOf(account),
    entries: entries.map((entry) => ({
      number: entry.seq,
      kind: entry.kind,
      basisNumber: entry.basisSeq,
      refundOrderId: toWireIdOrNull(entry.refundId),
      issuedBy: entry.by,
      state: entry.state,
      total: formatRoubles(entry.total),
      payments: entry.payments.map(({ typeClose, sum }) => ({ closeTypeId: typeClose, sum: formatRoubles(sum) })),
      taxes: [...sumsByTax(entry)].map(([taxId, sum]) => ({ taxId: toWireIdOrNull(taxId), sum: formatRoubles(sum) })),
      isAssumed: entry.isAssumed,
      fn: entry.fn,
      fdNumber: entry.fd,
      createdAt: formatApiTime(entry.createdAt),
    })),
  };
}

export function statementLines({
  entries,
  findings,
  isBalanced,
  orderId,
  ...sums
}: AccountStatement): readonly string[] {
  return [
    `order ${orderId} ${isBalanced ? "balances" : "does not balance"}: ${textOfSums(sums)}`,
    ...entries.map(({ number, kind, basisNumber, refundOrderId, issuedBy, state, total, isAssumed, ...entry }) => {
      const of = basisNumber === null ? kind : `${kind} of ${basisNumber}`;
      const order = refundOrderId === null ? "" : ` by refund order ${refundOrderId}`;
      const document = entry.fdNumber === null ? "no document" : `FD ${entry.fdNumber} of drive ${entry.fn}`;
      const paid = entry.payments.map(({ closeTypeId, sum }) => ` closeTypeId ${closeTypeId}: ${sum}`);
      const sum = [`${total}${isAssumed ? " (assumed)" : ""}`, ...paid].join(",");
      return [number, `${of}${order}`, sum, `${state}, ${issuedBy}`, document].join("\t");
    }),
    ...findings,
  ];
}

function textOfSums(sums: Readonly<Record<string, string>>): string {
  return Object.entries(sums)
    .map(([name, sum]) => `${name} ${sum}`)
    .join(", ");
}
