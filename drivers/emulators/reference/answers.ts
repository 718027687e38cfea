/** The emulated reference register's answers about its fiscal memory (drivers/reference/README.md). */
import type { StoredDocument } from "../memory/documents.js";
import type { FiscalCore } from "../memory/fiscal-core.js";
import { type FiscalTag, orderMarkOf, signText, textOf } from "../memory/fiscal-tag.js";

export function identityOnWire({ registration, fn }: FiscalCore): object {
  const { kkm, inn, serial, ffd, taxSystems } = registration;
  return {
    kkm,
    inn,
    fn,
    serial,
    model: "Эталон-1",
    firmware: "1.0",
    ffd: { 2: "1.05", 3: "1.1", 4: "1.2" }[ffd],
    taxSystems,
  };
}

export function stateOnWire(core: FiscalCore): object {
  const { shiftRecord, receipt, printer, unsent, drive } = core;
  return {
    fn: core.fn,
    lastFd: core.lastFd,
    shift: { number: shiftRecord.number, state: core.shift, openedAt: shiftRecord.openedAt },
    paper: printer.paperPresent ? "present" : "out",
    coverOpen: printer.coverOpen,
    receipt:
      receipt === null ? null : { operation: receipt.operation, subtotal: core.subtotal, items: receipt.lines.length },
    print: printer.status === "halted" ? "unfinished" : "idle",
    drawer: { cash: core.cash, cashIn: shiftRecord.cashIn, cashOut: shiftRecord.cashOut },
    unsent: { count: unsent.count, firstFd: unsent.first?.fd ?? null, firstAt: unsent.first?.time ?? null },
    clock: core.now(),
    fnWarnings: 0,
    fnDaysLeft: drive.daysLeft,
    fnDocumentsLeft: drive.documentsLeft,
  };
}

export function tablesOnWire({ registration }: FiscalCore): object {
  return {
    taxes: registration.taxes.map(({ row, name }) => ({ id: row, title: name })),
    paymentTypes: registration.paymentNames.map((title, id) => ({ id, title })),
  };
}

export function totalsOnWire({ shiftRecord }: FiscalCore): object {
  const { sale, return: refund } = shiftRecord.counters;
  return {
    shift: shiftRecord.number,
    sales: sale.total,
    returns: refund.total,
    saleCount: sale.count,
    returnCount: refund.count,
  };
}

export function numbersOnWire({ fn, fd, fiscalSign, shift, receiptNumber, time }: StoredDocument): object {
  return { fn, fd, fiscalSign: signText(fiscalSign), shift, receiptNumber, time };
}

export function documentOnWire(document: StoredDocument, core: FiscalCore): object {
  const { fd, type, operation, total, fiscalSign, time, shift, receiptNumber, lines, tags } = document;
  return {
    fd,
    type: type === "registration" ? "other" : type,
    operation: operation === "sale" || operation === "return" || operation === null ? operation : "other",
    total,
    fiscalSign: signText(fiscalSign),
    time,
    shift,
    receiptNumber,
    mark: orderMarkOf(tags),
    contact: textOf(tags, 1008),
    items: lines.map(({ name, price, quantity, sum }) => ({ name, price, quantity, sum })),
    tags: tagsOnWire(core.bodyOf(document)),
  };
}

function tagsOnWire(tags: readonly FiscalTag[]): object {
  const numbers = [...new Set(tags.map(({ tag }) => tag))];
  return Object.fromEntries(
    numbers.map((number) => {
      const values = tags.filter(({ tag }) => tag === number).map(valueOnWire);
      return [number, values.length === 1 ? values[0] : values];
    }),
  );
}

function valueOnWire(tag: FiscalTag): unknown {
  if ("items" in tag) return tagsOnWire(tag.items);
  if ("text" in tag) return tag.text;
  if ("hex" in tag) return tag.hex;
  return "decimals" in tag ? tag.value : tag.number;
}
