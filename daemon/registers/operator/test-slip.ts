/** A short text that is no fiscal document, and shows that daemon, connection and printer work. */

import { Fault } from "@fiscald/shared/fault.js";
import { plainStyle, type ServiceJob, type TextLine, type TextStyle } from "@fiscald/shared/receipt/receipt.js";
import { operatorReasons } from "../../messages/reasons/operator-reasons.js";
import { orderReasons } from "../../messages/reasons/order-reasons.js";
import { knownKkm, type RegisterSnapshot } from "../register-snapshot.js";
import { serviceJob } from "../shift/queue-shift-close.js";
import { slipTexts } from "./slip-texts.js";

export function testSlip(register: RegisterSnapshot): ServiceJob {
  const kkm = knownKkm(register);
  return serviceJob([
    text(slipTexts.title, { alignment: "center" }),
    { type: "text", content: { kind: "dash" }, style: plainStyle },
    text(slipTexts.register(register.settings.title)),
    ...(kkm === null ? [] : [text(slipTexts.kkm(kkm))]),
    text(slipTexts.works),
    text(slipTexts.noReceipt),
    ...(register.capabilities?.paper?.cut === true ? [{ type: "cut" } as const] : []),
  ]);
}

/** Throws unless the register is free, because a slip that comes out hours later tells nobody anything. */
export function requireFree({ phase, fault, capabilities, settings }: RegisterSnapshot): void {
  const place = settings.id;
  const isPrinting = phase === "busy" || phase === "finishing";
  if (isPrinting) throw new Fault("register.busy", { message: orderReasons.printing({ register: place }), place });
  if (phase !== "ready")
    throw fault ?? new Fault("register.offline", { message: operatorReasons.phase({ register: place, phase }), place });
  if (capabilities?.paper == null)
    throw new Fault("device.not-supported", { message: operatorReasons.noPrinter({ register: place }), place });
}

function text(content: string, style: Partial<TextStyle> = {}): TextLine {
  return { type: "text", content: { kind: "text", text: content }, style: { ...plainStyle, ...style } };
}
