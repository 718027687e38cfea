/** Probes one line for all makers, from the mildest probe on (`driver-probe.ts`). */
import type { Clock } from "@fiscald/shared/clock.js";
import { type ProbeRequest, probeStages } from "../driver-probe.js";
import type { TransportFactory } from "../transport/byte-transport.js";
import { ProbedLine, type ProbeWaits } from "./probing-result.js";

/** The probe of one maker. */
export interface MakerProbeRequest<Driver extends string> {
  readonly driver: Driver;
  readonly request: ProbeRequest;
}

export interface Candidate<Driver extends string> {
  readonly driver: Driver;
  readonly options: Readonly<Record<string, unknown>>;
}

export type ProbeLineResult<Driver extends string> =
  | { readonly kind: "silent" }
  /** By its answer it is one of these, the likeliest first. */
  | { readonly kind: "candidates"; readonly candidates: readonly Candidate<Driver>[] }
  | { readonly kind: "foreign"; readonly answer: Uint8Array };

export interface ProbeLineOptions<Driver extends string> {
  readonly openTransport: TransportFactory;
  readonly requests: readonly MakerProbeRequest<Driver>[];
  readonly clock: Clock;
  readonly waits: ProbeWaits;
}

type Group<Driver extends string> = readonly MakerProbeRequest<Driver>[];

/** Rejects with `link.*` when the line cannot be opened, and when aborted. */
export async function probeLine<Driver extends string>(
  { openTransport, requests, clock, waits }: ProbeLineOptions<Driver>,
  signal: AbortSignal,
): Promise<ProbeLineResult<Driver>> {
  const open = () => ProbedLine.open(openTransport, clock, waits, signal);
  const patient = requests.some(({ request }) => request.stage === "text");
  let line: ProbedLine | null = null;
  /** An unknown answer: the line is probed no further, except by a maker that the answer hints at. */
  let heard: ProbeLineResult<Driver> = { kind: "silent" };
  try {
    for (const stage of probeStages) {
      for (const group of groupByBytes(requests.filter(({ request }) => request.stage === stage))) {
        const worth: Group<Driver> = heard.kind === "foreign" ? hintedAt(group, heard.answer) : group;
        if (worth.length === 0) continue;
        // Text lines go over a new connection: bytes that were sent before are no part of them.
        if (stage === "text") {
          await line?.close();
          line = null;
        }
        line ??= await open();
        const answer: ProbeLineResult<Driver> = await askGroup(line, worth, {
          waits: firstWaits(stage, patient, waits),
          signal,
        });
        if (answer.kind === "candidates") return answer;
        if (answer.kind === "foreign") heard = answer;
      }
    }
    return heard;
  } finally {
    await line?.close();
  }
}

/** Until the first byte, for each try: a register may just have dropped bytes of another speed, or be busy. */
function firstWaits(
  stage: ProbeRequest["stage"],
  patient: boolean,
  { answerMs, patientMs }: ProbeWaits,
): readonly [number, ...number[]] {
  if (stage === "text") return [patientMs];
  return stage === "control" ? [answerMs, patient ? patientMs : answerMs] : [answerMs];
}

interface Asking {
  readonly waits: readonly number[];
  readonly signal: AbortSignal;
}

async function askGroup<Driver extends string>(
  line: ProbedLine,
  group: Group<Driver>,
  { waits, signal }: Asking,
): Promise<ProbeLineResult<Driver>> {
  const [first] = group;
  if (first === undefined) return { kind: "silent" };
  const isDecided = (answer: Uint8Array) => group.some(({ request }) => request.read(answer, false).kind === "mine");
  for (const firstMs of waits) {
    const answer = await line.ask(first.request.bytes, firstMs, signal, isDecided);
    if (answer.length > 0) return judge(line, group, answer, { waits, signal });
  }
  return { kind: "silent" };
}

async function judge<Driver extends string>(
  line: ProbedLine,
  group: Group<Driver>,
  answer: Uint8Array,
  asking: Asking,
): Promise<ProbeLineResult<Driver>> {
  const candidates: Candidate<Driver>[] = [];
  const questions: MakerProbeRequest<Driver>[] = [];
  for (const { driver, request } of group) {
    const verdict = request.read(answer, true);
    if (verdict.kind === "mine") candidates.push({ driver, options: verdict.options });
    if (verdict.kind === "ask") questions.push({ driver, request: verdict.next });
  }
  if (candidates.length > 0) return { kind: "candidates", candidates };
  for (const question of questions) {
    const result = await askGroup(line, [question], { ...asking, waits: asking.waits.slice(0, 1) });
    if (result.kind === "candidates") return result;
  }
  for (const { request } of group) if (request.farewell !== undefined) line.tell(request.farewell);
  return { kind: "foreign", answer };
}

function hintedAt<Driver extends string>(group: Group<Driver>, answer: Uint8Array): Group<Driver> {
  return group.filter(({ request }) => request.hintedBy?.(answer) === true);
}

/** Makers that share a probe are tried together. */
function groupByBytes<Driver extends string>(requests: readonly MakerProbeRequest<Driver>[]): readonly Group<Driver>[] {
  const groups = new Map<string, MakerProbeRequest<Driver>[]>();
  for (const own of requests) {
    const key = Buffer.from(own.request.bytes).toString("hex");
    groups.set(key, [...(groups.get(key) ?? []), own]);
  }
  return [...groups.values()];
}
