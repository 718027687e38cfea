/** Records what a bench tells its sites and what it logs. */
import type { SiteEventSink, Stores } from "@fiscald/daemon/registers/register-context.js";
import type { ClosedShift } from "@fiscald/daemon/sites/site-events.js";
import type { ReportedOutcome } from "@fiscald/daemon/store/job-store.js";
import type { RegisterId } from "@fiscald/shared/ids.js";
import type { Logger } from "@fiscald/shared/logger.js";

export interface ToldResult {
  readonly job: number;
  readonly outcome: ReportedOutcome;
  readonly fd: number | null;
}

export interface Told {
  readonly results: ToldResult[];
  /** The INN that each result has to name: that on record of the result's register. */
  readonly inns: (string | null)[];
  readonly connections: string[];
  /** The registration number in each `connected` and `disconnected` event. */
  readonly kkms: (string | null)[];
  readonly shifts: ClosedShift[];
  readonly failedClosings: string[];
  readonly tables: RegisterId[];
}

export function nothingTold(): Told {
  return { results: [], inns: [], connections: [], kkms: [], shifts: [], failedClosings: [], tables: [] };
}

export function recordEvents(told: Told, { registers }: Stores): SiteEventSink {
  return {
    result(job, outcome) {
      told.results.push({ job: job.id, outcome, fd: job.document?.fd ?? null });
      told.inns.push(registers.find(job.register)?.identity.inn ?? null);
    },
    warningsChanged: () => {},
    connected: (register, identity) => {
      told.connections.push(`${register} connected`);
      told.kkms.push(identity?.kkm ?? null);
    },
    disconnected(register, identity) {
      told.connections.push(`${register} disconnected`);
      told.kkms.push(identity?.kkm ?? null);
    },
    shiftClosed: (closed) => void told.shifts.push(closed),
    shiftNotClosed: ({ fault }) => void told.failedClosings.push(fault.code),
    tablesChanged: (register) => void told.tables.push(register),
    told: () => "yes",
    resendInPlaceOf: () => {},
  };
}

export function recordLog(lines: string[], errors: string[]): Logger {
  const add = (message: string, fields?: Readonly<Record<string, unknown>>): string => {
    const fault = fields?.fault;
    const reason =
      typeof fault === "object" && fault !== null && "message" in fault ? `: ${String(fault.message)}` : "";
    const what = typeof fields?.["what"] === "string" ? ` ${fields["what"]}` : "";
    lines.push(`${message}${what}${reason}`);
    return `${message}${what}${reason}`;
  };
  const logger: Logger = {
    error: (message, fields) => void errors.push(add(message, fields)),
    warn: add,
    info: add,
    debug: (message, fields) => add(typeof message === "string" ? message : message(), fields),
    wire: () => {},
    child: () => logger,
  };
  return logger;
}
