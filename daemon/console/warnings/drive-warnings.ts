/**
 * Warnings that come in time to act: the end of a fiscal drive, and of the time that its documents may wait for the OFD
 * (fiscal data operator).
 */
import type { DeviceState } from "@fiscald/drivers/fiscal-driver.js";
import type { RegisterId } from "@fiscald/shared/ids.js";
import { addSeconds } from "@fiscald/shared/local-time.js";
import type { Config } from "../../config/config-schema.js";
import { inEveryLanguage } from "../../messages/messages.js";
import { driveStop, OFD_DAYS, unsentDays } from "../../registers/drive-stop.js";
import type { EarlyWarning } from "./warning-texts.js";
import { driveFlags, warningTexts } from "./warning-texts.js";

/** `stuckHours`: for how many hours the queue to the OFD has been watched without becoming shorter. */
export function driveWarnings(
  register: RegisterId,
  state: DeviceState,
  { limits, stuckHours }: { readonly limits: Config["warnings"]; readonly stuckHours: number },
): readonly EarlyWarning[] {
  const { fnDaysLeft: days, fnDocumentsLeft: documentsLeft, fnWarnings, unsent, clock } = state;
  const found: EarlyWarning[] = [];
  const warn = (kind: EarlyWarning["kind"], text: EarlyWarning["text"], fields: EarlyWarning["fields"]) =>
    found.push({ key: `${register} ${kind}`, kind, text, fields: { register, ...fields } });
  // A drive that is over blocks the register, which is reported as the register's trouble.
  if (driveStop(state) === null) {
    const waited = Math.max((unsentDays(state) ?? 0) * 24, stuckHours);
    if (waited > limits.unsentToOfdHours) {
      const hours = Math.round(waited);
      const left = Math.max(0, OFD_DAYS - Math.floor(hours / 24));
      const text = inEveryLanguage(({ why }) => why.ofdQueue({ hours, left }));
      warn("ofd-queue", text, { count: unsent?.count, hours });
    }
    if (days !== null && days <= limits.driveDaysLeft) {
      const until = clock === null ? null : addSeconds(clock, days * 86_400).slice(0, 10);
      warn(
        "drive-days",
        inEveryLanguage(({ why }) => why.driveDays({ days, until })),
        { daysLeft: days },
      );
    }
    if (documentsLeft !== null && documentsLeft <= limits.driveDocumentsLeft)
      warn("drive-documents", warningTexts["drive-documents"], { documentsLeft });
  }
  for (const [bit, text] of driveFlags) {
    if ((fnWarnings & bit) === 0) continue;
    found.push({ key: `${register} flag ${bit}`, kind: "drive-flag", text, fields: { register, flag: bit } });
  }
  return found;
}
