import { toQuantityNumber } from "@fiscald/shared/amounts.js";
import type { DeviceEmulator } from "../device/device-emulator.js";
import type { FaultList } from "../faults/fault-list.js";
import type { OperationCounters } from "../memory/core-state.js";
import { operations, type StoredDocument, type StoredLine, type StoredPayment } from "../memory/documents.js";
import type { FiscalCore } from "../memory/fiscal-core.js";
import { numberOf, orderMarkOf, signText, textOf } from "../memory/fiscal-tag.js";
import { vatTotals } from "../memory/receipt-rules.js";

export interface EmulatorParts {
  readonly title: string;
  readonly core: FiscalCore;
  readonly device: DeviceEmulator;
  readonly faults: FaultList;
}

export function documentView(document: StoredDocument) {
  const { tags } = document;
  return {
    fd: document.fd,
    fn: document.fn,
    type: document.type,
    operation: document.operation,
    totalKopecks: document.total,
    items: document.lines.map(itemView),
    payments: document.payments.map(paymentView),
    changeKopecks: document.change,
    vatTotals: [...vatTotals(document.lines)].map(([vat, sumKopecks]) => ({ vat, sumKopecks })),
    contact: textOf(tags, 1008),
    internet: numberOf(tags, 1125) === 1,
    settlementPlace: textOf(tags, 1187),
    cashier: textOf(tags, 1021),
    cashierInn: textOf(tags, 1203),
    taxSystem: document.taxSystem,
    orderMark: orderMarkOf(tags),
    time: document.time,
    fiscalSign: signText(document.fiscalSign),
    shift: document.shift,
    receiptNumber: document.receiptNumber,
    printed: document.printed,
    tags,
  };
}

function itemView(line: StoredLine) {
  return {
    name: line.name,
    priceKopecks: line.price,
    quantity: toQuantityNumber(line.quantity),
    sumKopecks: line.sum,
    taxId: line.tax,
    vat: line.vat,
    vatSumKopecks: line.vatSum,
    department: line.department,
    subject: line.subject,
    method: line.method,
    mark: line.mark,
    tags: line.tags,
  };
}

function paymentView({ typeClose, sum, given, row }: StoredPayment) {
  return { typeClose, sumKopecks: sum, givenKopecks: given, row };
}

export function stateView({ title, core, device, faults }: EmulatorParts) {
  const { receipt, shiftRecord, registration, printer, unsent, drive } = core;
  return {
    title,
    kkm: registration.kkm,
    inn: registration.inn,
    fn: core.fn,
    time: core.now(),
    mode: receipt === null ? `shift-${core.shift}` : "receipt-open",
    shift: {
      number: shiftRecord.number,
      state: core.shift,
      openedAt: shiftRecord.openedAt,
      receipts: shiftRecord.receipts,
    },
    openReceipt:
      receipt === null
        ? null
        : {
            operation: receipt.operation,
            operator: receipt.operator,
            totalKopecks: core.subtotal,
            items: receipt.lines.map(itemView),
          },
    paper: printer.paperPresent ? "present" : "out",
    coverOpen: printer.coverOpen,
    print: printer.status,
    lastFd: core.lastFd,
    counters: {
      ...Object.fromEntries(operations.map((operation) => [operation, countersView(shiftRecord.counters[operation])])),
      cancelled: shiftRecord.cancelled,
      through: core.through,
    },
    drawer: { cashKopecks: core.cash, cashInKopecks: shiftRecord.cashIn, cashOutKopecks: shiftRecord.cashOut },
    unsentToOfd: { count: unsent.count, firstFd: unsent.first?.fd ?? null },
    drive: { daysLeft: drive.daysLeft, documentsLeft: drive.documentsLeft },
    connected: device.connected,
    plugged: device.isPlugged,
    paused: device.isPaused,
    bytes: { ...device.wire.counts },
    answeringMs: device.answeringMs,
    faults: faults.list(),
  };
}

/** Counters of one operation, with sums by `typeClose`, 0 to 4. */
function countersView({ count, total, byType }: OperationCounters) {
  return { count, totalKopecks: total, byTypeKopecks: byType };
}
