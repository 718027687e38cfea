import type { TransportFactory } from "@fiscald/shared/byte-transport.js";
import type { Clock } from "@fiscald/shared/clock.js";
import { type ProbeRequest, probeStages } from "../driver-probe.js";
import type { DriverName } from "../registry.js";
import { ProbedLine, type ProbeWaits } from "./probing-result.js";

export interface MakerProbeRequest {
  readonly driver: DriverName;
  readonly request: ProbeRequest;
}

export interface ProbeCandidate {
  readonly driver: DriverName;
  readonly options: Readonly<Record<string, unknown>>;
}

export type ProbeLineResult =
  | { readonly kind: "silent" }
  | { readonly kind: "candidates"; readonly candidates: readonly ProbeCandidate[] }
  | { readonly kind: "foreign"; readonly answer: Uint8Array };

export interface ProbeLineOptions {
  readonly openTransport: TransportFactory;
  readonly requests: readonly MakerProbeRequest[];
  readonly clock: Clock;
  readonly waits: ProbeWaits;
}

type Group = readonly MakerProbeRequest[];

/** Rejects with `link.*` when the line cannot be opened, and when aborted. */
export async function probeLine(
  { openTransport, requests, clock, waits }: ProbeLineOptions,
  signal: AbortSignal,
): Promise<ProbeLineResult> {
  const open = () => ProbedLine.open(openTransport, clock, waits, signal);
  const patient = requests.some(({ request }) => request.stage === "text");
  let line: ProbedLine | null = null;
  /** After an unknown answer the line is probed no further, except by a maker that recognises a hint in the answer. */
  let heard: ProbeLineResult = { kind: "silent" };
  try {
    for (const stage of probeStages) {
      for (const group of groupByBytes(requests.filter(({ request }) => request.stage === stage))) {
        const worth: Group = heard.kind === "foreign" ? hintedAt(group, heard.answer) : group;
        if (worth.length === 0) continue;
        // Text lines go over a new connection, so that no bytes of earlier probes become part of them.
        if (stage === "text") {
          await line?.close();
          line = null;
        }
        line ??= await open();
        const answer: ProbeLineResult = await askGroup(line, worth, {
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

/** The wait of each try for the first byte: a register may have dropped bytes of another speed, or be busy. */
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

async function askGroup(line: ProbedLine, group: Group, { waits, signal }: Asking): Promise<ProbeLineResult> {
  const [first] = group;
  if (first === undefined) return { kind: "silent" };
  const isDecided = (answer: Uint8Array) => group.some(({ request }) => request.read(answer, false).kind === "mine");
  for (const firstMs of waits) {
    const answer = await line.ask(first.request.bytes, firstMs, signal, isDecided);
    if (answer.length > 0) return judge(line, group, answer, { waits, signal });
  }
  return { kind: "silent" };
}

async function judge(line: ProbedLine, group: Group, answer: Uint8Array, asking: Asking): Promise<ProbeLineResult> {
  const candidates: ProbeCandidate[] = [];
  const questions: MakerProbeRequest[] = [];
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

function hintedAt(group: Group, answer: Uint8Array): Group {
  return group.filter(({ request }) => request.hintedBy?.(answer) === true);
}

function groupByBytes(requests: readonly MakerProbeRequest[]): readonly Group[] {
  const groups = new Map<string, MakerProbeRequest[]>();
  for (const own of requests) {
    const key = Buffer.from(own.request.bytes).toString("hex");
    groups.set(key, [...(groups.get(key) ?? []), own]);
  }
  return [...groups.values()];
}
