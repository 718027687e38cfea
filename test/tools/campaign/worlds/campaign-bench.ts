import { useTempFolder } from "../../../support/temp-folder.js";
import { describeReport, type FailedCase, type PartReport } from "../judging/part-report.js";
import { type DaemonPool, openDaemonPool } from "../processes/daemon-pool.js";
import { type EmulatorHost, startEmulatorHost } from "../processes/emulator-host.js";

/** Processes and a folder for the campaign's parts in one test file. */
export function useCampaign(): () => {
  readonly folder: string;
  readonly pool: DaemonPool;
  readonly host: EmulatorHost;
} {
  const folder = useTempFolder();
  let processes: { readonly pool: DaemonPool; readonly host: EmulatorHost } | null = null;
  beforeAll(() => {
    processes = { pool: openDaemonPool(), host: startEmulatorHost() };
  });
  afterAll(() => Promise.all([processes?.pool.close(), processes?.host.close()]));
  return () => {
    if (processes === null) throw new Error("only inside a test");
    return { folder: folder(), ...processes };
  };
}

export const quiet = { say: () => {}, onFailure: () => {} };

/** The logs of the failures are the test's message. */
export function expectClean({ failures, ...report }: PartReport): void {
  const logs = failures.map(({ name, log }: FailedCase) => `${name}\n${log}`);
  expect({ report: describeReport({ ...report, failures }), logs }).toEqual({ report: expect.any(String), logs: [] });
}
