import { formatRoubles } from "@fiscald/shared/amounts.js";
import { parseLocalTime } from "@fiscald/shared/local-time.js";
import type { z } from "zod";
import type { FiscalCore } from "../memory/fiscal-core.js";
import type { CoreAnswer } from "../memory/refusals.js";
import { centredRow } from "../paper/tape.js";
import { fiscalResult, queries } from "./answers.js";
import { type DeviceOutcome, doneWith, failed } from "./commands.js";
import { documentResult } from "./documents.js";
import { codeOfRefusal } from "./errors.js";
import { MarkChecker } from "./marking.js";
import { paperRows } from "./paper.js";
import type { ServiceTask } from "./queue.js";
import { makeReceipt, operatorTags, outcomeOfDocument } from "./receipt.js";
import type { AtolSettings } from "./settings.js";
import {
  cashSchema,
  dateTimeSchema,
  fnDocumentSchema,
  isReceiptTask,
  nonFiscalSchema,
  receiptSchema,
  shiftSchema,
} from "./task-schemas.js";

const UNREADABLE_TASK = 501;
const NO_DATA = 123;
const FFD_12 = 4;

export class EmulatedDevice {
  private readonly marks: MarkChecker;

  constructor(
    private readonly core: FiscalCore,
    private readonly settings: AtolSettings,
  ) {
    this.marks = new MarkChecker(core.registration.ffd === FFD_12, settings);
  }

  perform(task: ServiceTask): DeviceOutcome {
    const query = queries[task.type];
    if (query !== undefined) return doneWith(query(this.core));
    if (isReceiptTask(task)) {
      const { core, settings, marks } = this;
      return this.read(receiptSchema, task, (receipt) => makeReceipt(receipt, { core, settings, marks }));
    }
    switch (task.type) {
      case "openShift":
      case "closeShift":
        return this.read(shiftSchema, task, ({ operator, electronically }) => {
          const { core } = this;
          const input = { paper: !electronically, tags: operatorTags(operator) };
          return outcomeOfDocument(task.type === "openShift" ? core.openShift(input) : core.closeShift(input), core);
        });
      case "cashIn":
      case "cashOut":
        return this.read(cashSchema, task, ({ cashSum }) => {
          const direction = task.type === "cashIn" ? "in" : "out";
          const moved = this.core.moveCash(direction, cashSum);
          return outcomeOf(moved, { counters: { cashSum: Number(formatRoubles(this.core.cash)) } });
        });
      case "reportX":
      case "reportDepartments":
        return outcomeOf(this.core.printReport(`ОТЧЁТ: ${task.type}`));
      case "nonFiscal":
        return this.read(nonFiscalSchema, task, ({ items, printFooter }) => {
          const footer = printFooter ? [centredRow("СПАСИБО ЗА ПОКУПКУ", this.core.tape.columns)] : [];
          return outcomeOf(this.core.printSlip([...items.flatMap((item) => paperRows(item, this.core)), ...footer]));
        });
      case "printFnDocument":
        return this.read(fnDocumentSchema, task, ({ fiscalDocumentNumber }) => {
          const document = this.core.find(fiscalDocumentNumber);
          return document === null ? failed(NO_DATA) : outcomeOf(this.core.printCopy(document));
        });
      case "continuePrint":
        return outcomeOf(this.core.continuePrint());
      case "setDateTime":
        return this.read(dateTimeSchema, task, ({ dateTime }) => this.setTime(dateTime));
      case "getFnDocument":
        return this.read(fnDocumentSchema, task, ({ fiscalDocumentNumber }) => {
          const document = this.core.find(fiscalDocumentNumber);
          return document === null ? failed(NO_DATA) : doneWith(documentResult(document, this.core));
        });
      default:
        return this.marks.perform(task);
    }
  }

  /** After an unknown outcome: the document that the drive has got since, printed if possible. */
  recover(fdBefore: number): DeviceOutcome {
    const { core } = this;
    const document = core.lastFd > fdBefore ? core.find(core.lastFd) : null;
    if (document === null) return doneWith(null);
    core.continuePrint();
    return doneWith(fiscalResult(document, core));
  }

  forget(): void {
    this.marks.forget();
  }

  private setTime(dateTime: string): DeviceOutcome {
    const time = parseLocalTime(dateTime.replaceAll(".", "-").replace(" ", "T"));
    return time === null ? failed(UNREADABLE_TASK) : outcomeOf(this.core.setTime(time));
  }

  private read<Task>(schema: z.ZodType<Task>, task: ServiceTask, act: (task: Task) => DeviceOutcome): DeviceOutcome {
    const parsed = schema.safeParse(task);
    return parsed.success ? act(parsed.data) : failed(UNREADABLE_TASK);
  }
}

function outcomeOf(answer: CoreAnswer<unknown>, result: object | null = null): DeviceOutcome {
  return answer.ok ? doneWith(result) : failed(codeOfRefusal(answer.refusal));
}
