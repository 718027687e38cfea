/** Compares what shops were told in their stories with the fiscal memories. Pure. */
import { type CampaignOrder, labelOf } from "../plan/orders.js";
import type { RegisteredDocument } from "../processes/registered-document.js";
import { faultOf, type Made } from "./answer.js";
import type { Telling } from "./telling.js";
import { agrees, type Findings, noFindings } from "./verdict.js";

export interface JudgeStoriesOptions {
  readonly tellings: readonly Pick<Telling, "made">[];
  /** Receipts of the registers' fiscal memories that belong to no other order: the truth. */
  readonly receipts: readonly RegisteredDocument[];
  /** Why nobody can know the outcome of a request. Null: it must be known. */
  whyUndecidable(order: CampaignOrder): string | null;
  /** True: `failed` is a correct result, because a register was set to refuse and no document exists. */
  readonly mayFail: boolean;
}

export function judgeStories(options: JudgeStoriesOptions): Findings {
  const found = noFindings();
  for (const { made } of options.tellings) {
    for (const [place, one] of made.entries()) {
      const kind = findingOf(one, made.slice(0, place), options);
      if (kind !== null) found[kind].push(one.request.order.key);
    }
    for (const label of labelsWithTooMany(made, options.receipts)) found.doubled.push(label);
  }
  return found;
}

function findingOf(made: Made, before: readonly Made[], options: JudgeStoriesOptions): keyof Findings | null {
  const { order } = made.request;
  const fault = faultOf(made, before);
  const documents = options.receipts.filter((document) => labelOf(document) === order.label);
  if (fault === "unsure") return options.whyUndecidable(order) === null ? "unsure" : "undecidable";
  if (fault === "lost" && options.mayFail && isGivenUp(made)) return null;
  if (fault !== null || made.due.is !== "document") return fault;
  const result = made.results.at(-1) ?? {};
  const isRight = documents.some(
    (document) =>
      agrees(result, document) &&
      document.totalKopecks === order.totalKopecks &&
      document.operation === order.operation,
  );
  return isRight ? null : "wronglyReported";
}

function isGivenUp({ due, results }: Made): boolean {
  const last = results.at(-1);
  return due.is === "document" && last?.["outcome"] === "failed";
}

/** Labels with more documents than requests that should have one. A request whose outcome is open may have one. */
function labelsWithTooMany(made: readonly Made[], receipts: readonly RegisteredDocument[]): readonly string[] {
  const labels = new Set(made.map(({ request }) => request.order.label));
  return [...labels].filter((label) => {
    const due = made.filter((one) => one.request.order.label === label && one.due.is === "document" && !isGivenUp(one));
    return receipts.filter((document) => labelOf(document) === label).length > due.length;
  });
}
