/**
 * Builds answers in the print-server format:
 *
 *   taskTable.sale({ orderId: "A-1042", contact: "buyer@example.ru" })
 *     .item({ name: "Tea", price: "120.00", quantity: 2, tax: "22 %" })
 *     .text("Thank you", { bold: true, alignment: "Center" })
 *     .payRest("electronic")
 *     .build()
 *
 * `build` runs the daemon's own checks and throws one Fault that names every problem.
 */
import { toRoublesNumber } from "@fiscald/shared/amounts.js";
import { type OrderProblem, throwIfAny } from "@fiscald/shared/exchange/order-problem.js";
import type {
  TaskTableAnswer,
  WireLine,
  WireParam,
  WireTaskTable,
  WireTextParam,
} from "@fiscald/shared/exchange/task-table.js";
import { reportNumbers } from "@fiscald/shared/exchange/task-table.js";
import { defaultRules, type ReceiptRules } from "@fiscald/shared/receipt/check-receipt.js";
import { taskTableReader } from "@fiscald/shared/receipt/formats/from-task-table.js";
import { givenFields, type Receipt, type ReportKind } from "@fiscald/shared/receipt/receipt.js";
import { builderTexts } from "./builder-texts.js";
import { inBuilderWords } from "./builder-words.js";
import { Cart, type CartItem, type Purpose } from "./cart.js";
import {
  type Decimal,
  type DeliveryInput,
  type DiscountInput,
  type ItemInput,
  unknownOptions,
  wireDecimal,
  wireExtensions,
  wordFlaw,
} from "./item-input.js";
import {
  inputJobHead,
  inputReceiptHead,
  type JobInput,
  type PaymentKind,
  type ReceiptInput,
  receiptFlaws,
  today,
} from "./receipt-input.js";

export interface BarcodeInput {
  readonly type: "EAN13" | "Code39" | "QR";
  readonly data: string;
  readonly heightMm?: number;
  readonly printText?: boolean;
  readonly alignment?: "Left" | "Center" | "Right";
}

export interface TaskTableInput extends ReceiptInput {
  /** First cancels a receipt that was left open on the register. */
  readonly cancelFirst?: boolean;
}

export interface ServiceInput extends JobInput {
  readonly orderId?: string;
  readonly cancelFirst?: boolean;
}

/** Builders of the print-server format. */
export const taskTable = {
  sale: (input: TaskTableInput): ReceiptTableBuilder => new ReceiptTableBuilder("OpenCheckSell", "sale", input),
  /** A receipt for money before the goods. Its positions have the method "full_prepayment". */
  prepayment: (input: TaskTableInput): ReceiptTableBuilder =>
    new ReceiptTableBuilder("OpenCheckSell", "prepayment", input),
  /** A receipt for the goods after a prepayment, which pays for them unless payments say otherwise. */
  settlement: (input: TaskTableInput): ReceiptTableBuilder =>
    new ReceiptTableBuilder("OpenCheckSell", "settlement", input),
  return: (input: TaskTableInput): ReceiptTableBuilder => new ReceiptTableBuilder("OpenCheckReturn", "sale", input),
  service: (input: ServiceInput = {}): ServiceTableBuilder => new ServiceTableBuilder(input),
};

interface PlacedLine {
  readonly place: string;
  readonly line: WireLine;
}

/** A line, or a position's number. Positions are written at the end, because a discount may follow them. */
type TableEntry = PlacedLine | { readonly item: number };

abstract class TableBuilder {
  protected readonly entries: TableEntry[] = [];

  protected abstract flaws(rules: ReceiptRules): readonly OrderProblem[];
  protected abstract head(): Omit<WireTaskTable, "taskTable">;
  protected abstract table(): readonly PlacedLine[];

  /** Throws a Fault when the receipt would not be printed. */
  build(rules: ReceiptRules = defaultRules): TaskTableAnswer {
    const { response } = this.#read(rules);
    return { response };
  }

  /** The receipt as the daemon will read it. Throws as `build` does. */
  receipt(rules: ReceiptRules = defaultRules): Receipt {
    return this.#read(rules).receipt;
  }

  #read(rules: ReceiptRules) {
    throwIfAny(this.flaws(rules));
    const table = this.table();
    const response: WireTaskTable = { ...this.head(), taskTable: table.map(({ line }) => line) };
    const { receipt } = inBuilderWords(
      () => taskTableReader(response)(rules, { taxes: [], today: today() }),
      (_, number) => table[number]?.place,
    );
    return { response, receipt };
  }

  text(text: string, param: WireTextParam = {}): this {
    // "Trait" and "Dash" are commands of the protocol; a space makes them ordinary texts.
    return this.add("text", { type: "String", data: /^(trait|dash)$/i.test(text) ? `${text} ` : text, param });
  }

  /** Prints a full-width line of "=". */
  trait(): this {
    return this.add("trait", { type: "String", data: "Trait" });
  }

  /** Prints a full-width line of "-". */
  dash(): this {
    return this.add("dash", { type: "String", data: "Dash" });
  }

  barcode({ type, data, heightMm, printText, alignment }: BarcodeInput): this {
    const looks = givenFields({ barCodeHeight: heightMm, barCodePrintText: printText, alignment });
    const param = { barCodeType: type, ...looks };
    return this.add("barcode", { type: "BarCode", data, param });
  }

  /** Prints a picture from the daemon's images folder. */
  image(source: string, param: Pick<WireParam, "alignment"> = {}): this {
    return this.add("image", { type: "Image", data: source, param });
  }

  header(): this {
    return this.add("header", { type: "PrintHeader" });
  }

  footer(): this {
    return this.add("footer", { type: "PrintFooter" });
  }

  cut(): this {
    return this.add("cut", { type: "Cut" });
  }

  protected add(name: string, line: WireLine): this {
    const earlier = this.entries.filter((entry) => "place" in entry && entry.place.startsWith(`${name}[`)).length;
    this.entries.push({ place: `${name}[${earlier}]`, line });
    return this;
  }
}

const cancelCheck: PlacedLine = { place: "cancelFirst", line: { type: "CancelCheck" } };

export class ReceiptTableBuilder extends TableBuilder {
  readonly #open: "OpenCheckSell" | "OpenCheckReturn";
  readonly #input: TaskTableInput;
  readonly #cart: Cart;

  constructor(open: "OpenCheckSell" | "OpenCheckReturn", purpose: Purpose, input: TaskTableInput) {
    super();
    this.#open = open;
    this.#input = input;
    this.#cart = new Cart(purpose);
  }

  item(input: ItemInput): this {
    this.entries.push({ item: this.#cart.item(input) });
    return this;
  }

  /** A free delivery is printed as 0.00. */
  delivery(input: DeliveryInput): this {
    this.entries.push({ item: this.#cart.delivery(input) });
    return this;
  }

  /** Sells a gift certificate, which is an advance: a payer of VAT needs a rate such as "22/122". */
  giftCard(input: DeliveryInput): this {
    this.entries.push({ item: this.#cart.giftCard(input) });
    return this;
  }

  /** Takes a discount off all positions so far, spread over them to the kopeck. */
  discount(discount: DiscountInput): this {
    this.#cart.discount(discount);
    return this;
  }

  payment(kind: PaymentKind, sum: Decimal): this {
    this.#cart.payment(kind, sum);
    return this;
  }

  /** Pays the rest of the total by this kind. */
  payRest(kind: PaymentKind): this {
    this.#cart.payRest(kind);
    return this;
  }

  protected flaws(rules: ReceiptRules): readonly OrderProblem[] {
    return [...receiptFlaws(this.#input, rules, ["cancelFirst"]), ...this.#cart.flaws];
  }

  protected head(): Omit<WireTaskTable, "taskTable"> {
    return { ...inputReceiptHead(this.#input), orderId: this.#input.orderId };
  }

  protected table(): readonly PlacedLine[] {
    const type = this.#open === "OpenCheckSell" ? "Registration" : "Return";
    return [
      ...(this.#input.cancelFirst === true ? [cancelCheck] : []),
      { place: "receipt", line: { type: this.#open } },
      ...this.#contactLines(),
      ...this.entries.flatMap((entry): readonly PlacedLine[] => {
        if (!("item" in entry)) return [entry];
        const item = this.#cart.items[entry.item];
        return item === undefined ? [] : [{ place: item.place, line: wireLine(type, item) }];
      }),
      ...this.#cart.payments().map(
        ({ place, typeClose, sum }): PlacedLine => ({
          place,
          line: { type: "Payment", param: { summ: sum, typeClose } },
        }),
      ),
      { place: "receipt", line: { type: "CloseCheck" } },
    ];
  }

  #contactLines(): readonly PlacedLine[] {
    const { contact, electronicOnly = false } = this.#input;
    if (contact === undefined && !electronicOnly) return [];
    const param = electronicOnly ? { param: { printDoc: false } } : {};
    return [{ place: "contact", line: { type: "ClientContact", data: contact ?? "", ...param } }];
  }
}

export class ServiceTableBuilder extends TableBuilder {
  readonly #input: ServiceInput;
  readonly #flaws: OrderProblem[] = [];

  constructor(input: ServiceInput) {
    super();
    this.#input = input;
  }

  cashIn(sum: Decimal): this {
    return this.add("cashIn", { type: "CashIncome", param: { summ: wireDecimal(sum, 2) } });
  }

  cashOut(sum: Decimal): this {
    return this.add("cashOut", { type: "CashOutcome", param: { summ: wireDecimal(sum, 2) } });
  }

  report(kind: ReportKind): this {
    this.#flaws.push(...wordFlaw(kind, reportNumbers, "report", builderTexts.report));
    return this.add("report", { type: "Report", param: { reportType: reportNumbers[kind] } });
  }

  /** Sets the register's clock to the till PC's time. */
  syncTime(): this {
    return this.add("syncTime", { type: "SyncTime" });
  }

  protected flaws(): readonly OrderProblem[] {
    const known = ["kkm", "receiptId", "orderId", "cancelFirst"];
    return [...unknownOptions(this.#input, known, "service"), ...this.#flaws];
  }

  protected head(): Omit<WireTaskTable, "taskTable"> {
    const { orderId } = this.#input;
    return { ...inputJobHead(this.#input), ...(orderId === undefined ? {} : { orderId }) };
  }

  protected table(): readonly PlacedLine[] {
    const placed = this.entries.flatMap((entry) => ("place" in entry ? [entry] : []));
    return [...(this.#input.cancelFirst === true ? [cancelCheck] : []), ...placed];
  }
}

function wireLine(type: "Registration" | "Return", { input, off }: CartItem): WireLine {
  const param = {
    price: wireDecimal(input.price, 2),
    quantity: wireDecimal(input.quantity ?? 1, 6),
    ...(off === null
      ? discountParam(input.discount)
      : ({ discountType: 0, discountValue: toRoublesNumber(off) } as const)),
    ...wireExtensions(input),
  };
  return { type, data: input.name, param };
}

function discountParam(discount: DiscountInput | undefined): WireParam {
  if (discount?.roubles !== undefined) return { discountType: 0, discountValue: wireDecimal(discount.roubles, 2) };
  if (discount?.percent !== undefined) return { discountType: 1, discountValue: wireDecimal(discount.percent, 4) };
  return {};
}
