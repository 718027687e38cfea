/** The findings of `doctor` about a register, from its own answers or from the running daemon. */
import { isRight } from "@fiscald/drivers/receipt-setting.js";
import { type FaultText, faultCodes } from "@fiscald/shared/fault-codes.js";
import { type LocalTime, localTimeAt, parseLocalTime, secondsBetween } from "@fiscald/shared/local-time.js";
import { z } from "zod";
import type { Config } from "../../config/config-schema.js";
import { lacksDefaultTax } from "../../config/cross-checks.js";
import { driveFlags } from "../../console/warnings/warning-texts.js";
import { type Finding, faultFinding, troubleFinding, wellFinding } from "../../setup/finding.js";

const bothLanguages = z.object({ en: z.string(), ru: z.string() });
const localTime = z.string().transform((text): LocalTime | null => parseLocalTime(text));

/** As the API shows it (console/views.ts, `registerView`). */
export const registerFacts = z.object({
  id: z.string(),
  phase: z.string(),
  fault: z.object({ code: z.string(), message: z.string(), text: bothLanguages, hint: bothLanguages }).nullable(),
  identity: z.object({ model: z.string(), kkm: z.string() }).nullable(),
  paper: z.string().nullable(),
  coverOpen: z.boolean().optional(),
  unsent: z.object({ count: z.number(), firstAt: localTime.nullable() }).nullable(),
  drive: z
    .object({ daysLeft: z.number().nullable(), documentsLeft: z.number().nullable(), warnings: z.number() })
    .nullable(),
  clock: localTime.nullable(),
  settings: z
    .array(z.object({ place: bothLanguages, value: z.string(), right: z.array(z.string()), effect: bothLanguages }))
    .default([]),
});
export type RegisterFacts = z.output<typeof registerFacts>;

export type RegisterConfig = Config["registers"][number];
type Words = Parameters<Parameters<typeof wellFinding>[1]>[0];

const HOUR_SECONDS = 3600;
/** domain 4.1 */
const CLOCK_MINUTES = 5;

export function registerFindings(
  facts: RegisterFacts,
  register: RegisterConfig,
  { warnings }: Pick<Config, "warnings">,
  now: number,
): readonly Finding[] {
  return [
    ...connectionFindings(facts, register),
    ...paperFindings(facts),
    ...(facts.drive === null ? [] : driveFindings(facts.id, facts.drive, warnings)),
    ...(facts.drive === null ? [] : [ofdFinding(facts, warnings.unsentToOfdHours)]),
    ...clockFindings(facts, register.timeZone, now),
    ...settingFindings(facts),
    ...defaultTaxFindings(register),
  ];
}

function connectionFindings({ id, fault, identity, phase }: RegisterFacts, { connection }: RegisterConfig) {
  const register = { check: "register", about: id } as const;
  const port = { check: "port", about: `${id} ${placeOf(connection)}` } as const;
  if (fault !== null) {
    const isLink = fault.code.startsWith("link.");
    return [
      ...(isLink ? [] : [wellFinding(port, (words) => words.port.opens)]),
      faultFinding(isLink ? port : register, fault),
    ];
  }
  if (connection.kind === "emulator") return [wellFinding(register, (words) => words.register.emulator)];
  if (identity === null || !["ready", "finishing", "busy"].includes(phase)) {
    const text = (words: Words) => words.register.starting;
    const next = (words: Words) => words.register.startingNext;
    return [troubleFinding({ ...register, level: "warning", text, next })];
  }
  const { model, kkm } = identity;
  return [
    wellFinding(port, (words) => words.port.opens),
    wellFinding(register, (words) => words.register.answers({ model, kkm })),
  ];
}

function placeOf(connection: RegisterConfig["connection"]): string {
  switch (connection.kind) {
    case "serial":
      return connection.path;
    case "tcp":
      return `${connection.host}:${connection.port}`;
    case "http":
      return connection.url;
    case "emulator":
      return "emulator";
  }
}

function paperFindings({ id, paper, coverOpen = false }: RegisterFacts): readonly Finding[] {
  const place = { check: "register", about: id } as const;
  const cover = (words: Words) => words.register.coverOpen;
  const coverNext = (words: Words) => words.register.coverNext;
  const next = (words: Words) => words.register.paperNext;
  return [
    ...(coverOpen ? [troubleFinding({ ...place, level: "bad", text: cover, next: coverNext })] : []),
    ...(paper === "out"
      ? [troubleFinding({ ...place, level: "bad", text: (words) => words.register.paperOut, next })]
      : []),
    ...(paper === "low"
      ? [troubleFinding({ ...place, level: "warning", text: (words) => words.register.paperLow, next })]
      : []),
  ];
}

function driveFindings(
  about: string,
  { daysLeft, documentsLeft, warnings: flags }: NonNullable<RegisterFacts["drive"]>,
  limits: Config["warnings"],
): readonly Finding[] {
  const place = { check: "drive", about } as const;
  const next = ({ drive }: Words) => drive.next;
  const days = ({ drive }: Words) => drive.daysLeft({ count: daysLeft ?? 0 });
  const documents = ({ drive }: Words) => drive.documentsLeft({ count: documentsLeft ?? 0 });
  const found: Finding[] = [];
  const warn = (text: (words: Words) => string) =>
    found.push(troubleFinding({ ...place, level: "warning", text, next }));
  if (daysLeft !== null && daysLeft <= limits.driveDaysLeft) warn(days);
  if (documentsLeft !== null && documentsLeft <= limits.driveDocumentsLeft) warn(documents);
  for (const [bit, text] of driveFlags) if ((flags & bit) !== 0) found.push(flagFinding(place, text));
  if (found.length > 0) return found;
  return [wellFinding(place, daysLeft === null ? ({ drive }) => drive.well : days)];
}

function flagFinding(place: { readonly check: "drive"; readonly about: string }, text: FaultText): Finding {
  return { ...troubleFinding({ ...place, level: "warning", text: () => "", next: ({ drive }) => drive.next }), text };
}

function ofdFinding({ id, unsent, clock }: RegisterFacts, limitHours: number): Finding {
  const place = { check: "ofd", about: id } as const;
  if (unsent === null) return wellFinding(place, ({ ofd }) => ofd.unreported);
  const { count, firstAt } = unsent;
  if (count === 0) return wellFinding(place, ({ ofd }) => ofd.none);
  const hours = firstAt === null || clock === null ? 0 : Math.floor(secondsBetween(firstAt, clock) / HOUR_SECONDS);
  if (hours < limitHours) return wellFinding(place, ({ ofd }) => ofd.waiting({ count }));
  const text = ({ ofd }: Words) => ofd.late({ count, hours });
  return troubleFinding({ ...place, level: "bad", text, next: ({ ofd }) => ofd.next });
}

/** How the register is set, as far as its settings change receipts. */
function settingFindings({ id, settings }: RegisterFacts): readonly Finding[] {
  return settings.map(({ place, value, right, effect }): Finding => {
    const found = { check: "settings", about: id, detail: null } as const;
    const text = { en: `${place.en}: ${value}.`, ru: `${place.ru}: ${value}.` };
    return isRight({ value, right })
      ? { ...found, level: "ok", text, next: null }
      : { ...found, level: "warning", text, next: effect };
  });
}

function defaultTaxFindings(register: RegisterConfig): readonly Finding[] {
  if (!lacksDefaultTax(register)) return [];
  const { text, hint } = faultCodes["config.default-tax"];
  return [{ check: "settings", about: register.id, level: "warning", text, next: hint, detail: null }];
}

function clockFindings({ id, clock }: RegisterFacts, timeZone: string, now: number): readonly Finding[] {
  if (clock === null) return [];
  const minutes = Math.round(Math.abs(secondsBetween(localTimeAt(now, timeZone), clock)) / 60);
  const place = { check: "clock", about: id } as const;
  if (minutes <= CLOCK_MINUTES) return [wellFinding(place, (words) => words.clock.right)];
  const text = (words: Words) => words.clock.register({ minutes });
  return [troubleFinding({ ...place, level: "warning", text, next: (words) => words.clock.registerNext })];
}
