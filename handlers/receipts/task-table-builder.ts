/**
 * Builds answers in the print-server format:
 *
 *   taskTable.sale({ orderId: "A-1042", contact: "buyer@example.ru" })
 *     .item({ name: "Tea", price: "120.00", quantity: 2, tax: 11 })
 *     .text("Thank you", { bold: true, alignment: "Center" })
 *     .payRest("electronic")
 *     .build()
 *
 * `build` runs the daemon's own checks and throws one Fault that names every problem.
 */
import type { TaskTableAnswer, WireLine, WireParam, WireTaskTable } from "@fiscald/shared/exchange/task-table.js";
import { reportNumbers } from "@fiscald/shared/exchange/task-table.js";
import { defaultRules, type ReceiptRules } from "@fiscald/shared/receipt/check-receipt.js";
import { fromTaskTable } from "@fiscald/shared/receipt/formats/from-task-table.js";
import type { Receipt, ReportKind } from "@fiscald/shared/receipt/receipt.js";
import { type Decimal, type ItemInput, wireDecimal, wireExtensions } from "./item-input.js";
import {
  type JobInput,
  type PaymentInput,
  type PaymentKind,
  type ReceiptInput,
  typeCloseOf,
  wireJobHead,
  wirePayments,
  wireReceiptHead,
} from "./receipt-input.js";

export type TextParam = Pick<
  WireParam,
  | "font"
  | "bold"
  | "italic"
  | "dblHeight"
  | "underLine"
  | "overLine"
  | "negative"
  | "charRotation"
  | "wrap"
  | "alignment"
  | "newLine"
  | "lineSpacingMax"
>;

export interface BarcodeInput {
  readonly type: "EAN13" | "Code39" | "QR";
  readonly data: string;
  readonly heightMm?: number;
  readonly printText?: boolean;
  readonly alignment?: "Left" | "Center" | "Right";
}

export interface TaskTableInput extends ReceiptInput {
  /** No paper: needs `contact` or an internet payment. */
  readonly electronicOnly?: boolean;
  /** A receipt that hangs open on the register is cancelled first. */
  readonly cancelFirst?: boolean;
}

export interface ServiceInput extends JobInput {
  readonly orderId?: string;
  readonly cancelFirst?: boolean;
}

export const taskTable = {
  sale: (input: TaskTableInput): ReceiptTableBuilder => new ReceiptTableBuilder("OpenCheckSell", input),
  return: (input: TaskTableInput): ReceiptTableBuilder => new ReceiptTableBuilder("OpenCheckReturn", input),
  service: (input: ServiceInput = {}): ServiceTableBuilder => new ServiceTableBuilder(input),
};

abstract class TableBuilder {
  protected readonly lines: WireLine[] = [];

  protected abstract wire(): WireTaskTable;

  /** The answer's body. Throws a Fault when it would not be printed. */
  build(rules: ReceiptRules = defaultRules): TaskTableAnswer {
    const response = this.wire();
    fromTaskTable(response, rules);
    return { response };
  }

  /** The receipt as the daemon will read it. Throws as `build` does. */
  receipt(rules: ReceiptRules = defaultRules): Receipt {
    return fromTaskTable(this.wire(), rules).receipt;
  }

  text(text: string, param: TextParam = {}): this {
    // "Trait" and "Dash" alone are commands of the protocol: a space keeps them text.
    return this.add({ type: "String", data: /^(trait|dash)$/i.test(text) ? `${text} ` : text, param });
  }

  /** A full-width line of "=". */
  trait(): this {
    return this.add({ type: "String", data: "Trait" });
  }

  /** A full-width line of "-". */
  dash(): this {
    return this.add({ type: "String", data: "Dash" });
  }

  barcode({ type, data, heightMm, printText, alignment }: BarcodeInput): this {
    const param = {
      barCodeType: type,
      ...(heightMm === undefined ? {} : { barCodeHeight: heightMm }),
      ...(printText === undefined ? {} : { barCodePrintText: printText }),
      ...(alignment === undefined ? {} : { alignment }),
    };
    return this.add({ type: "BarCode", data, param });
  }

  /** A picture in the daemon's images folder. */
  image(source: string, param: Pick<WireParam, "alignment"> = {}): this {
    return this.add({ type: "Image", data: source, param });
  }

  header(): this {
    return this.add({ type: "PrintHeader" });
  }

  footer(): this {
    return this.add({ type: "PrintFooter" });
  }

  cut(): this {
    return this.add({ type: "Cut" });
  }

  protected add(line: WireLine): this {
    this.lines.push(line);
    return this;
  }
}

export class ReceiptTableBuilder extends TableBuilder {
  readonly #open: "OpenCheckSell" | "OpenCheckReturn";
  readonly #input: TaskTableInput;
  readonly #items: ItemInput[] = [];
  readonly #payments: PaymentInput[] = [];
  #rest: number | null = null;

  constructor(open: "OpenCheckSell" | "OpenCheckReturn", input: TaskTableInput) {
    super();
    this.#open = open;
    this.#input = input;
  }

  item(input: ItemInput): this {
    this.#items.push(input);
    return this.add({
      type: this.#open === "OpenCheckSell" ? "Registration" : "Return",
      data: input.name,
      param: {
        price: wireDecimal(input.price, 2),
        quantity: wireDecimal(input.quantity ?? 1, 6),
        ...discountParam(input.discount),
        ...wireExtensions(input),
      },
    });
  }

  payment(kind: PaymentKind, sum: Decimal): this {
    this.#payments.push({ typeClose: typeCloseOf(kind), sum });
    return this;
  }

  /** Pays the rest of the total by this kind. */
  payRest(kind: PaymentKind): this {
    this.#rest = typeCloseOf(kind);
    return this;
  }

  protected wire(): WireTaskTable {
    const { orderId, cancelFirst = false } = this.#input;
    const payments = wirePayments({ items: this.#items, payments: this.#payments, rest: this.#rest });
    return {
      ...wireReceiptHead(this.#input),
      orderId,
      taskTable: [
        ...(cancelFirst ? [{ type: "CancelCheck" } as const] : []),
        { type: this.#open },
        ...this.#contactLines(),
        ...this.lines,
        ...payments.map(({ typeClose, sum }): WireLine => ({ type: "Payment", param: { summ: sum, typeClose } })),
        { type: "CloseCheck" },
      ],
    };
  }

  #contactLines(): readonly WireLine[] {
    const { contact, electronicOnly = false } = this.#input;
    if (contact === undefined && !electronicOnly) return [];
    return [{ type: "ClientContact", data: contact ?? "", ...(electronicOnly ? { param: { printDoc: false } } : {}) }];
  }
}

export class ServiceTableBuilder extends TableBuilder {
  readonly #input: ServiceInput;

  constructor(input: ServiceInput) {
    super();
    this.#input = input;
  }

  cashIn(sum: Decimal): this {
    return this.add({ type: "CashIncome", param: { summ: wireDecimal(sum, 2) } });
  }

  cashOut(sum: Decimal): this {
    return this.add({ type: "CashOutcome", param: { summ: wireDecimal(sum, 2) } });
  }

  report(kind: ReportKind): this {
    return this.add({ type: "Report", param: { reportType: reportNumbers[kind] } });
  }

  /** Sets the register's clock to the till PC's time. */
  syncTime(): this {
    return this.add({ type: "SyncTime" });
  }

  protected wire(): WireTaskTable {
    const { orderId, cancelFirst = false } = this.#input;
    return {
      ...wireJobHead(this.#input),
      ...(orderId === undefined ? {} : { orderId }),
      taskTable: [...(cancelFirst ? [{ type: "CancelCheck" } as const] : []), ...this.lines],
    };
  }
}

function discountParam(discount: ItemInput["discount"]): WireParam {
  if (discount === undefined) return {};
  return "roubles" in discount
    ? { discountType: 0, discountValue: wireDecimal(discount.roubles, 2) }
    : { discountType: 1, discountValue: wireDecimal(discount.percent, 4) };
}
