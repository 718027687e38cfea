import { formatRoubles, kopecks } from "@fiscald/shared/amounts.js";
import { addSeconds, type LocalTime } from "@fiscald/shared/local-time.js";
import type { OperationCounters } from "../memory/core-state.js";
import type { StoredDocument } from "../memory/documents.js";
import type { FiscalCore } from "../memory/fiscal-core.js";
import { signText } from "../memory/fiscal-tag.js";

const ffdVersions = { 2: "1.05", 3: "1.1", 4: "1.2" } as const;
const taxationTypes = ["osn", "usnIncome", "usnIncomeOutcome", "envd", "esn", "patent"];
const SHIFT_SECONDS = 24 * 3600;

/** Results by the task's type. The service's synchronous operations of the same meaning return the same results. */
export const queries: Readonly<Record<string, (core: FiscalCore) => object>> = {
  getDeviceInfo: (core) => ({
    deviceInfo: {
      model: 61,
      modelName: "АТОЛ 30Ф",
      serial: core.registration.serial,
      firmwareVersion: "5.8.100",
      configurationVersion: "1.0",
      receiptLineLength: core.tape.columns,
      receiptLineLengthPix: 384,
      ffdVersion: ffdVersions[core.registration.ffd],
      fnFfdVersion: ffdVersions[core.registration.ffd],
    },
  }),
  getDeviceStatus: (core) => ({
    deviceStatus: {
      currentDateTime: isoTime(core.now()),
      shift: shiftWord(core),
      blocked: false,
      coverOpened: core.printer.coverOpen,
      paperPresent: core.printer.paperPresent,
      fiscal: true,
      fnFiscal: true,
      fnPresent: true,
      cashDrawerOpened: false,
    },
  }),
  getShiftStatus: (core) => ({
    shiftStatus: {
      state: shiftWord(core),
      number: core.shiftRecord.number,
      expiredTime: isoTime(addSeconds(core.shiftRecord.openedAt ?? core.now(), SHIFT_SECONDS)),
      documentsCount: core.shiftRecord.receipts,
    },
  }),
  getShiftTotals: (core) => ({ shiftTotals: shiftTotals(core) }),
  getFnInfo: (core) => ({
    fnInfo: {
      serial: core.fn,
      version: "fn debug v 2.13",
      execution: "",
      numberOfRegistrations: 1,
      registrationsRemaining: 29,
      validityDate: isoTime(addSeconds(core.now(), core.drive.daysLeft * 86_400)),
      ffdVersion: ffdVersions[core.registration.ffd],
      fnFfdVersion: ffdVersions[core.registration.ffd],
      livePhase: "fiscalMode",
      warnings: fnWarnings,
    },
  }),
  getFnStatus: (core) => ({
    fnStatus: {
      fiscalDocumentNumber: core.lastFd,
      fiscalReceiptNumber: core.shiftRecord.receipts,
      warnings: fnWarnings,
    },
  }),
  getRegistrationInfo: ({ registration }) => ({
    organization: {
      name: registration.user,
      vatin: registration.inn,
      email: "",
      taxationTypes: taxationTypes.filter((_, bit) => (registration.taxSystems & (1 << bit)) !== 0),
      agents: [],
      address: registration.address,
    },
    device: {
      registrationNumber: registration.kkm,
      paymentsAddress: registration.place,
      machineNumber: "",
      fnsUrl: "www.nalog.gov.ru",
      internet: registration.internetOnly,
      offlineMode: false,
      autoMode: false,
      machineInstallation: false,
      bso: false,
      encryption: false,
      service: false,
      gambling: false,
      lottery: false,
      excise: false,
      defaultTaxationType: "osn",
      ofdChannel: "none",
      ffdVersion: ffdVersions[registration.ffd],
    },
    ofd: { name: registration.ofd.name, vatin: registration.ofd.inn, host: "ofd.test", port: 7777, dns: "" },
  }),
  ofdExchangeStatus: ({ unsent }) => ({
    status: {
      notSentCount: unsent.count,
      notSentFirstDocNumber: unsent.first?.fd ?? 0,
      notSentFirstDocDateTime: isoTime(unsent.first?.time ?? null),
      lastSuccessKeysUpdate: isoTime(null),
    },
    errors: {
      network: noError,
      ofd: noError,
      fn: noError,
      documentNumber: 0,
      fnCommandCode: 0,
      lastSuccessConnectionDateTime: isoTime(null),
    },
  }),
};

const noError = { code: 0, description: "Ошибок нет" };
const fnWarnings = {
  memoryOverflow: false,
  needReplacement: false,
  ofdTimeout: false,
  resourceExhausted: false,
  criticalError: false,
};

export function fiscalResult(document: StoredDocument, core: FiscalCore): object {
  return {
    fiscalParams: {
      fiscalDocumentNumber: document.fd,
      fiscalDocumentSign: signText(document.fiscalSign),
      fiscalDocumentDateTime: isoTime(document.time),
      fiscalReceiptNumber: document.receiptNumber ?? 0,
      shiftNumber: document.shift,
      fnNumber: document.fn,
      registrationNumber: core.registration.kkm,
      total: roublesOf(document.total ?? 0),
      fnsUrl: "www.nalog.gov.ru",
    },
    warnings: core.printer.status === "halted" && document.printed ? { notPrinted: true } : null,
  };
}

/** ISO 8601 with Moscow's offset. The service writes 1970 for an unknown time. */
export function isoTime(time: LocalTime | null): string {
  return time === null ? "1970-01-01T00:00:00+03:00" : `${time}+03:00`;
}

export function roublesOf(sum: number): number {
  return Number(formatRoubles(kopecks(sum)));
}

function shiftWord({ shift }: FiscalCore): "closed" | "opened" | "expired" {
  return shift === "open" ? "opened" : shift;
}

function shiftTotals({ shiftRecord, cash }: FiscalCore): object {
  const { sale, return: saleReturn, purchase, "purchase-return": purchaseReturn } = shiftRecord.counters;
  return {
    shiftNumber: shiftRecord.number,
    cashDrawer: { sum: roublesOf(cash) },
    income: { count: shiftRecord.cashInCount, sum: roublesOf(shiftRecord.cashIn) },
    outcome: { count: shiftRecord.cashOutCount, sum: roublesOf(shiftRecord.cashOut) },
    receipts: {
      sell: counters(sale),
      sellReturn: counters(saleReturn),
      buy: counters(purchase),
      buyReturn: counters(purchaseReturn),
    },
  };
}

function counters({ count, total, byType }: OperationCounters): object {
  const [cash, electronically, prepaid, credit, other] = byType.map(roublesOf);
  return { count, sum: roublesOf(total), payments: { cash, electronically, credit, prepaid, other } };
}
