/** Marking codes as steps (Shtrih-M protocol, 8.10): checked before the receipt is opened, bound to an item in it. */
import type { ItemLine, Operation } from "@fiscald/shared/receipt/receipt.js";
import { ByteWriter } from "../../codec/byte-cursor.js";
import { byteTag, encodeTlv } from "../../codec/tlv.js";
import { commands } from "../protocol/commands.js";
import type { RegisterFacts } from "../protocol/models.js";
import { type ShtrihStep, send } from "./steps.js";

const PIECES = 0;
/** Tag 2003 (planned status of the marked goods). */
const plannedStatuses = { sale: { piece: 1, measured: 2 }, return: { piece: 3, measured: 4 } } as const;
const MILLIONTHS = 6;
const QUANTITY_BYTES = 6;

/** Codes that an earlier receipt left in the register's buffer are forgotten first. */
export function checkMarkSteps(
  items: readonly ItemLine[],
  operation: Operation,
  password: number,
  { nanoTaxCodes: isNano }: Pick<RegisterFacts, "nanoTaxCodes">,
): readonly ShtrihStep[] {
  const checks = items.flatMap((item, index) =>
    item.markingCode === null ? [] : [checkStep(item, item.markingCode, `mark ${index + 1}`, operation, password)],
  );
  if (checks.length === 0) return [];
  const clear = send("clear-marks", commands.decideMark.encode({ password, decision: "clear" }), { optional: true });
  // A SHTRIH-NANO-F refuses to forget earlier checks.
  return isNano ? checks : [clear, ...checks];
}

function checkStep(
  item: ItemLine,
  markingCode: string,
  name: string,
  operation: Operation,
  password: number,
): ShtrihStep {
  const mark = markBytes(markingCode);
  const measured = item.measure !== PIECES;
  const quantity = new ByteWriter().u8(MILLIONTHS).uint(item.quantity, QUANTITY_BYTES).done();
  const tags = measured
    ? Uint8Array.of(...byteTag(2108, item.measure), ...encodeTlv(1023, quantity))
    : new Uint8Array();
  const plannedStatus = plannedStatuses[operation][measured ? "measured" : "piece"];
  return {
    name,
    repeatable: false,
    command: {
      kind: "check-mark",
      request: commands.checkMark.encode({ password, plannedStatus, mark, tags }),
      accept: commands.decideMark.encode({ password, decision: "accept" }),
      reject: commands.decideMark.encode({ password, decision: "reject" }),
    },
  };
}

export function bindMarkSteps(item: ItemLine, name: string, password: number): readonly ShtrihStep[] {
  if (item.markingCode === null) return [];
  return [send(`${name} mark`, commands.bindMark.encode({ password, mark: markBytes(item.markingCode) }))];
}

function markBytes(base64: string): Uint8Array {
  return Uint8Array.from(Buffer.from(base64, "base64"));
}
