import type { Capabilities, CompileContext, DeviceState } from "@fiscald/drivers/fiscal-driver.js";
import type { Program } from "@fiscald/drivers/program.js";
import { Fault, isFault, saidBy, toFault } from "@fiscald/shared/fault.js";
import { type LocalTime, localTimeAt, secondsBetween } from "@fiscald/shared/local-time.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { loadTextPainter, type PaintText } from "@fiscald/shared/paper/paint-text.js";
import { ownPropertyOf, plainStyle, type Receipt, type TextLine } from "@fiscald/shared/receipt/receipt.js";
import { type RegisterRows, rateInWords, withRowsOf } from "@fiscald/shared/receipt/tax-meaning.js";
import { refusalTexts } from "@fiscald/shared/receipt/texts/refusal-texts.js";
import { unfitTexts } from "@fiscald/shared/receipt/texts/unfit-texts.js";
import { orderReasons } from "../../messages/reasons/order-reasons.js";
import type { Job } from "../../store/job.js";
import { type ConnectedRegister, type RegisterTools, takesUserProperty, writesMarks } from "../connected-register.js";
import { markTextOf } from "../recovery/compare-document.js";
import type { RegisterContext } from "../register-context.js";
import { requireLawfulRates, rowsAsAccepted, withDefaultInForce } from "./lawful-rates.js";

export type JobToCompile = Pick<
  Job,
  "kind" | "receipt" | "site" | "taxes" | "taxpayer" | "doneParts" | "mark" | "forced"
>;

/** Rejects with a fault when the job must never reach a register. `state` is the state that was read for this job. */
export async function compileJob(
  { context, connected }: Pick<RegisterTools, "context" | "connected">,
  job: JobToCompile,
  state: DeviceState,
): Promise<readonly Program[]> {
  const { settings, driver, clock } = context;
  const { capabilities } = connected;
  const now = () => localTimeAt(clock.now(), settings.timeZone);
  if (job.kind === "service") refuseClockJump(job, state.clock, now());
  if (ownPropertyOf(job.receipt) !== null && !takesUserProperty(connected, context)) {
    const place = "requisites.userProperty";
    const message = unfitTexts.tagNotTaken(place, 1084);
    throw new Fault("receipt.unsupported", { message, place });
  }
  const { receipt, defaultTax, taxes } = receiptFor(context, connected, job, (state.clock ?? now()).slice(0, 10));
  const images = await context.loadImages(receipt, capabilities);
  const paintText = await painterFor(receipt, capabilities, context.log);
  const given: CompileContext = {
    shift: state.shift.state,
    doneParts: job.doneParts,
    mark: writesMarks(connected, context) ? markTextOf(job) : null,
    cashier: settings.cashier,
    taxSystem: settings.taxSystem,
    defaultTax,
    printPaper: settings.printPaper,
    tables: { ...connected.tables, taxes },
    images,
    paintText,
    localTime: now(),
  };
  try {
    return driver.compile(receipt, given);
  } catch (error) {
    const isCorrection = receipt.kind === "receipt" && receipt.correction !== undefined;
    if (!isCorrection || !isFault(error) || error.code !== "receipt.unsupported") throw error;
    // The advice differs from that for a receipt: what the register itself can correct is corrected there.
    throw new Fault("receipt.no-correction", { message: saidBy(error) });
  }
}

/**
 * The receipt with this register's own tax rows, and what they mean in this receipt. Throws when the receipt must never
 * reach a register: `job.cancelled-by-order`, `order.wrong-inn`, `order.wrong-value`, `device.tax-unknown`,
 * `register.setting-wrong`.
 */
function receiptFor(
  { settings, allows20 }: RegisterContext,
  { identity, tables }: ConnectedRegister,
  { receipt, site, taxes, taxpayer }: JobToCompile,
  today: string,
): { readonly receipt: Receipt } & RegisterRows {
  const { defaultTax } = settings;
  if (receipt.kind !== "receipt") return { receipt, defaultTax, taxes: tables.taxes };
  if (receipt.cancelledByOrder) throw new Fault("job.cancelled-by-order");
  for (const inn of [receipt.expectedInn, taxpayer?.inn ?? null]) {
    if (inn === null || inn === identity.inn) continue;
    const message = refusalTexts.otherTaxpayer(inn, identity.inn);
    throw new Fault("order.wrong-inn", { message });
  }
  const [before, now] = [taxpayer?.taxSystems ?? 0, identity.taxSystems];
  // 0 = the device does not report its tax systems.
  if ((receipt.taxSystem ?? settings.taxSystem) === null && before !== 0 && now !== 0 && before !== now) {
    const message = orderReasons.otherTaxSystems;
    throw new Fault("device.tax-unknown", { message });
  }
  const day = { today, allows20: allows20(site) };
  const meanings = withDefaultInForce(receipt, taxes, day);
  const rows = { taxes: rowsAsAccepted(tables.taxes, meanings), defaultTax };
  const translated = withRowsOf(rows, receipt, meanings);
  if (translated !== null) {
    requireLawfulRates(receipt, translated, rows, day);
    return { ...translated, taxes: rows.taxes };
  }
  const rates = taxes.map(rateInWords).join(", ");
  throw new Fault("device.tax-unknown", { message: orderReasons.noTaxRows({ rates }) });
}

/** The longest jump of a clock. A drive refuses documents dated before its last one (54-fz 6). */
const MAX_JUMP_SECONDS = 600;

/**
 * An order may not set the register's clock to another day, which needs `print-anyway`. Throws `device.clock-jump`.
 * `register` is the time of the register's own clock; null = unknown.
 */
export function refuseClockJump(
  { receipt, forced }: Pick<Job, "receipt" | "forced">,
  register: LocalTime | null,
  ours: LocalTime,
): void {
  if (forced || receipt.kind !== "service" || !receipt.lines.some(({ type }) => type === "sync-time")) return;
  if (register === null) return;
  const jump = secondsBetween(register, ours);
  if (Math.abs(jump) <= MAX_JUMP_SECONDS) return;
  throw new Fault("device.clock-jump", {
    message: `the register's clock shows ${register}, this computer's ${ours}`,
    details: { jumpSeconds: jump },
  });
}

/**
 * Null unless the register draws what its fonts lack and the order may need it, because most shops never load the
 * painter. A painter that cannot be loaded means plain texts.
 */
export async function painterFor(
  receipt: Receipt,
  { paper }: Capabilities,
  log: Logger,
  load: () => Promise<PaintText> = loadTextPainter,
): Promise<PaintText | null> {
  const wanted = receipt.lines.some((line) => line.type === "text" && hasTextStyle(line));
  if (!wanted || paper?.drawsText !== true) return null;
  try {
    return await load();
  } catch (error) {
    log.warn("texts are printed plain", { order: receipt.orderId, fault: toFault(error, "internal") });
    return null;
  }
}

function hasTextStyle({ style }: TextLine): boolean {
  const looks = ["font", "rotation", "bold", "italic", "doubleHeight", "underline", "overline", "negative"] as const;
  return looks.some((look) => style[look] !== plainStyle[look]);
}
