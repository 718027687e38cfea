import { type Verdict, type VerdictKind, verdictKinds } from "./verdict.js";

export interface FailedCase {
  readonly name: string;
  readonly verdict: Verdict;
  /** The daemons' output and the emulators' last frames. */
  readonly log: string;
}

export interface PartReport extends Readonly<Record<VerdictKind, number>> {
  readonly part: string;
  readonly seed: number;
  readonly cases: number;
  readonly documents: number;
  /** Unsure orders whose outcome nobody can know. */
  readonly undecidable: number;
  readonly seconds: number;
  readonly failures: readonly FailedCase[];
}

export interface PartCounts {
  readonly part: string;
  readonly seed: number;
  readonly cases: number;
  readonly documents: number;
  readonly undecidable: number;
  readonly startedAt: number;
  readonly failures: readonly FailedCase[];
}

/** `startedAt`: by `performance.now()`. */
export function makeReport({ startedAt, failures, ...counts }: PartCounts): PartReport {
  const count = (kind: VerdictKind) => failures.reduce((sum, { verdict }) => sum + verdict[kind].length, 0);
  const [lost, doubled, wronglyReported, unreported, unsure, differing] = verdictKinds.map(count);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  return {
    ...counts,
    lost: lost ?? 0,
    doubled: doubled ?? 0,
    wronglyReported: wronglyReported ?? 0,
    unreported: unreported ?? 0,
    unsure: unsure ?? 0,
    differing: differing ?? 0,
    seconds,
    failures,
  };
}

export function describeReport(report: PartReport): string {
  const { part, seed, cases, documents, lost, doubled, wronglyReported, unreported, unsure, differing } = report;
  const { undecidable, seconds } = report;
  return (
    `${part}: ${cases} cases, ${documents} documents, ${lost} lost, ${doubled} doubled, ` +
    `${wronglyReported} wrongly reported, ${unreported} unreported, ${unsure} unsure` +
    `${undecidable === 0 ? "" : ` (and ${undecidable} where nobody can know)`}, ${differing} differ unnoticed, seed ${seed}, ${seconds} s`
  );
}
