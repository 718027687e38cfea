/** The protocol of the emulated reference register, written from drivers/reference/README.md. */
import { parseJson } from "@fiscald/shared/http/decode-body.js";
import { z } from "zod";
import { chooseOne, chooseSettings, type EmulatedModel, type ModelOptions } from "../device/emulated-model.js";
import type { DeviceLink, LinkPort, MakerProtocol } from "../device/maker-protocol.js";
import type { FiscalCore } from "../memory/fiscal-core.js";
import {
  basisTags,
  buyerTags,
  containerTag,
  type FiscalTag,
  listTags,
  numberTag,
  operatingTag,
  textTags,
} from "../memory/fiscal-tag.js";
import { isMarkingCode, markResult } from "../memory/marking-codes.js";
import type { PaymentInput } from "../memory/receipt-rules.js";
import type { CoreAnswer } from "../memory/refusals.js";
import { plainTables } from "../memory/registration.js";
import { documentOnWire, identityOnWire, numbersOnWire, stateOnWire, tablesOnWire, totalsOnWire } from "./answers.js";
import { type CloseCommand, commandSchema, type ItemCommand, namesOf, type WireCommand } from "./commands.js";
import { LineLink } from "./link.js";
import { paperRows } from "./paper.js";

/** Tax row of a position that names no rate: without VAT. */
const NO_VAT = 6;
/** Bits of tag 2106 (result of the check) of a refused code, by the check that refused it. */
const refusedBits = [
  { asked: 0b0001, good: 0b0010 },
  { asked: 0b0100, good: 0b1000 },
];

type Outcome = { readonly ok: true; readonly body: object } | { readonly ok: false; readonly error: string };

/** This register has one model and one protocol, and none of its facts is unconfirmed. */
export function prepareReference({ model, protocol, unconfirmed }: ModelOptions): EmulatedModel {
  if (model !== null) chooseOne("model", model, ["etalon-1"]);
  if (protocol !== null) chooseOne("protocol", protocol, ["v1"]);
  chooseSettings(z.object({}), unconfirmed);
  return { title: "Эталон-1", columns: 48, ...plainTables, createProtocol: (core) => new ReferenceProtocol(core) };
}

class ReferenceProtocol implements MakerProtocol {
  /** Payments of the open receipt; like the receipt, they do not survive a power cut. */
  private payments: PaymentInput[] = [];
  private taxSystem: number | null = null;

  constructor(private readonly core: FiscalCore) {}

  createLink(port: LinkPort): DeviceLink {
    return new LineLink(port);
  }

  namesOf(command: Uint8Array): readonly string[] {
    const { name, body } = parseRequest(command);
    return namesOf(name, body);
  }

  perform(command: Uint8Array): Uint8Array {
    const { id, name, body } = parseRequest(command);
    const parsed = commandSchema.safeParse({ name, body });
    if (parsed.success) return answerLine(id, this.carryOut(parsed.data));
    const unknown = parsed.error.issues.some(({ path }) => path[0] === "name");
    return answerLine(id, { ok: false, error: unknown ? "unknown-command" : "bad-value" });
  }

  refuse(command: Uint8Array, code: number): Uint8Array {
    return answerLine(parseRequest(command).id, { ok: false, error: `error-${code}` });
  }

  refuseReading(command: Uint8Array): Uint8Array | null {
    const { id, name } = parseRequest(command);
    return name === "DOC" ? answerLine(id, { ok: false, error: "document-unreadable" }) : null;
  }

  durationMs(command: Uint8Array): number {
    const { name } = parseRequest(command);
    return name === "CLOSE" || name === "OPEN-SHIFT" || name === "REPORT" ? 366 : 20;
  }

  powerCut(): void {
    this.payments = [];
    this.core.powerCut({ openReceipt: "dropped" });
  }

  private carryOut(command: WireCommand): Outcome {
    const { core } = this;
    switch (command.name) {
      case "IDENT":
        return good(identityOnWire(core));
      case "STATE":
        return good(stateOnWire(core));
      case "TABLES":
        return good(tablesOnWire(core));
      case "TOTALS":
        return good(totalsOnWire(core));
      case "DOC": {
        const document = core.find(command.body.fd);
        return document === null ? { ok: false, error: "no-document" } : good(documentOnWire(document, core));
      }
      case "OPEN-SHIFT":
        return answerOf(core.openShift({ paper: true, tags: cashierTags(command.body) }), numbersOnWire);
      case "OPEN":
        return this.open(command.body);
      case "ITEM":
        return this.item(command.body);
      case "PRINT": {
        const rows = paperRows(command.body, core);
        return answerOf<unknown>(core.receipt === null ? core.printSlip(rows) : core.addReceiptPaper(rows));
      }
      case "PAY":
        if (core.receipt === null) return { ok: false, error: "no-receipt" };
        this.payments.push({ typeClose: command.body.type, row: command.body.type + 1, sum: command.body.sum });
        return good({});
      case "SUBTOTAL":
        return core.receipt === null ? { ok: false, error: "no-receipt" } : good({ sum: core.subtotal });
      case "CLOSE":
        return this.close(command.body);
      case "CANCEL":
        return answerOf(core.cancelReceipt());
      case "CASH":
        return answerOf(core.moveCash(command.body.direction, command.body.sum));
      case "REPORT": {
        const { report } = command.body;
        if (report === "z") {
          return answerOf(core.closeShift({ paper: true, tags: cashierTags(command.body) }), numbersOnWire);
        }
        return answerOf(core.printReport(`ОТЧЕТ: ${report.toUpperCase()}`));
      }
      case "SET-TIME":
        return answerOf(core.setTime(command.body.time));
      case "COPY": {
        const document = core.find(command.body.fd);
        return document === null ? { ok: false, error: "no-document" } : answerOf<unknown>(core.printCopy(document));
      }
      case "FINISH-PRINT":
        return answerOf(core.continuePrint());
      default:
        return command satisfies never;
    }
  }

  private open(body: Extract<WireCommand, { name: "OPEN" }>["body"]): Outcome {
    const { correction, operation } = body;
    const document = correction === undefined ? "receipt" : "correction";
    const opened = this.core.openReceipt({ operation, operator: 1, document });
    if (!opened.ok) return answerOf(opened);
    this.payments = [];
    this.taxSystem = body.taxSystem;
    const basis = correction === undefined ? [] : basisTags(correction.type, correction.date, correction.number);
    for (const tag of [...basis, ...cashierTags(body)]) this.core.addReceiptTag(tag);
    return good({});
  }

  private item(body: ItemCommand): Outcome {
    const { name, price, quantity, sum, tax, department, subject, method, markingCode } = body;
    const tags = itemTags(body);
    const mark = markingCode === null ? null : Buffer.from(markingCode, "base64").toString("hex");
    if (mark !== null && !isMarkingCode(mark)) return { ok: false, error: "mark-unparsed" };
    const markCheck = mark === null ? null : markResult(mark);
    const isRefused = ({ asked, good }: (typeof refusedBits)[number]) =>
      markCheck !== null && (markCheck & asked) !== 0 && (markCheck & good) === 0;
    if (refusedBits.some(isRefused)) return { ok: false, error: "mark-rejected" };
    const added = this.core.addLine({
      name,
      price,
      quantity,
      sum,
      tax: tax ?? NO_VAT,
      department,
      subject,
      method,
      tags,
    });
    if (!added.ok || mark === null || markCheck === null) return answerOf<unknown>(added);
    return answerOf(this.core.bindMark(mark, markCheck), () => ({ markCheck }));
  }

  private close(body: CloseCommand): Outcome {
    const { core, payments, taxSystem } = this;
    const tags = receiptTags(body, this.core.registration.ffd);
    const closed = core.closeReceipt({ payments, taxSystem, zeroTotal: "refused", paper: body.paper, tags });
    return answerOf(closed, numbersOnWire);
  }
}

function itemTags(command: ItemCommand): readonly FiscalTag[] {
  const { unit, measure, agent, goodsCode, country, customs, additional, excise, industry } = command;
  return [
    ...(agent === null ? [] : agentTags(agent)),
    ...(goodsCode === null ? [] : [{ tag: 1162, hex: Buffer.from(goodsCode, "base64").toString("hex") }]),
    ...textTags([1197, unit]),
    ...numberTag(2108, measure),
    ...textTags([1230, country], [1231, customs], [1191, additional]),
    ...(excise === undefined ? [] : [{ tag: 1229, number: excise }]),
    ...containerTag(1260, textTags(...industry)),
  ];
}

function agentTags({ type, data, supplier, phones, inn }: NonNullable<ItemCommand["agent"]>): readonly FiscalTag[] {
  return [
    { tag: 1222, number: type },
    ...containerTag(1223, textTags(...data)),
    { tag: 1224, items: [...textTags([1225, supplier]), ...listTags(1171, phones)] },
    ...textTags([1226, inn ?? "000000000000"]),
  ];
}

function receiptTags(command: CloseCommand, ffd: number): readonly FiscalTag[] {
  const { contact, internet, place, userProperty, buyer, additional, operating } = command;
  return [
    ...textTags([1008, contact]),
    ...(internet ? [{ tag: 1125, number: 1 }] : []),
    ...textTags([1187, place]),
    ...buyerTags(textTags(...buyer), ffd),
    ...textTags([1192, additional]),
    ...(operating === undefined ? [] : [operatingTag(operating.id, operating.data, operating.time)]),
    ...containerTag(1084, textTags([1085, userProperty?.name], [1086, userProperty?.value])),
  ];
}

function cashierTags({ cashier, cashierInn }: { cashier: string | null; cashierInn: string | null }) {
  return textTags([1021, cashier], [1203, cashierInn]);
}

function good(body: object): Outcome {
  return { ok: true, body };
}

function answerOf<T>(answer: CoreAnswer<T>, onWire: (value: T) => object = () => ({})): Outcome {
  return answer.ok ? good(onWire(answer.value)) : { ok: false, error: answer.refusal };
}

function answerLine(id: string, outcome: Outcome): Uint8Array {
  const text = outcome.ok
    ? `${id} OK ${JSON.stringify(outcome.body)}`
    : `${id} ERROR ${JSON.stringify({ error: outcome.error })}`;
  return Uint8Array.from(Buffer.from(text, "utf8"));
}

function parseRequest(command: Uint8Array): { id: string; name: string; body: unknown } {
  const text = Buffer.from(command).toString("utf8");
  const [id = "?", name = ""] = text.split(" ", 2);
  return { id, name, body: parseJson(text.slice(id.length + name.length + 2)) };
}
