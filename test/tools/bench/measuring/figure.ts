/** One measured figure beside its limit, or beside another figure of the same run. */
export interface Figure {
  readonly name: string;
  readonly figure: number;
  readonly unit: string;
  readonly beside: Readonly<Record<string, number>>;
  readonly ratio: number | null;
  /** As `<= 5`. */
  readonly target: string | null;
  readonly met: boolean | null;
  /** How the figure was measured, where that is not obvious. */
  readonly note?: string;
}

export interface FigureOptions {
  readonly name: string;
  readonly figure: number;
  readonly unit: string;
  readonly beside?: Readonly<Record<string, number>>;
  readonly atMost?: number;
  readonly atLeast?: number;
  readonly note?: string;
}

const rounded = (value: number) => Math.round(value * 100) / 100;

export function toFigure({ name, figure, unit, beside = {}, atMost, atLeast, note }: FigureOptions): Figure {
  const [first] = Object.values(beside);
  const target =
    atMost !== undefined ? `<= ${rounded(atMost)}` : atLeast !== undefined ? `>= ${rounded(atLeast)}` : null;
  const met = atMost !== undefined ? figure <= atMost : atLeast !== undefined ? figure >= atLeast : null;
  return {
    name,
    figure: rounded(figure),
    unit,
    beside: Object.fromEntries(Object.entries(beside).map(([key, value]) => [key, rounded(value)])),
    ratio: first === undefined || first === 0 ? null : rounded(figure / first),
    target,
    met,
    ...(note === undefined ? {} : { note }),
  };
}

/** Value below which the given share of the sorted sample lies. */
export function percentile(sample: readonly number[], share: number): number {
  const sorted = [...sample].sort((a, b) => a - b);
  const place = Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1);
  return sorted[Math.max(0, place)] ?? Number.NaN;
}

/** Such as `13.2 to 15.1 in 5 runs`. */
export function spreadOf(sample: readonly number[]): string {
  return `${rounded(Math.min(...sample))} to ${rounded(Math.max(...sample))} in ${sample.length} runs`;
}
