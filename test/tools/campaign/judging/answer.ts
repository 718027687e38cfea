/** Whether a shop got the expected answer to a request. Pure. */

import type { Request } from "../plan/story.js";
import type { Due } from "./due.js";
import type { ReportedResult, VerdictKind } from "./verdict.js";

/** What the kit returns at once to a site that is made with it. */
export type Enqueued = { readonly receiptId: string; readonly isNew: boolean } | { readonly refusedAs: string };

export interface Made {
  readonly request: Request;
  readonly due: Due;
  /** Print results for the request, oldest first. */
  readonly results: readonly ReportedResult[];
  /** Null: the site is not made with the kit, or has not enqueued the request yet. */
  readonly enqueued: Enqueued | null;
}

/** Null: the answer is as expected. A missing document is not seen here, only another request's document. */
export function faultOf(made: Made, before: readonly Made[]): VerdictKind | null {
  const { due, enqueued, results } = made;
  if (enqueued !== null) {
    const fault = faultAtOnce(made, enqueued, before);
    if (fault !== null || due.is !== "document") return fault;
  }
  const result = results.at(-1);
  if (result === undefined) return "unreported";
  if (result["outcome"] === "unknown") return "unsure";
  return faultOfResult(made, result, before);
}

/**
 * True: the shop makes its next request. False: it waits for an answer that may still come. While a `receiptId` is used
 * again, the first receipt's own result may be sent once more.
 */
export function isAnswered(made: Made, before: readonly Made[]): boolean {
  const fault = faultOf(made, before);
  if (made.due.is === "reused" && fault === "lost" && made.enqueued === null) return false;
  return fault !== "unreported" && fault !== "unsure";
}

function faultAtOnce({ request, due }: Made, enqueued: Enqueued, before: readonly Made[]): VerdictKind | null {
  const refusedAs = "refusedAs" in enqueued ? enqueued.refusedAs : null;
  switch (due.is) {
    case "document":
      if ("refusedAs" in enqueued) return "lost";
      return enqueued.isNew && !before.some((other) => idOf(other) === enqueued.receiptId) ? null : "lost";
    case "result": {
      const first = before[due.of];
      const isSame =
        "receiptId" in enqueued && !enqueued.isNew && first !== undefined && idOf(first) === enqueued.receiptId;
      return isSame ? null : "wronglyReported";
    }
    case "numbers":
      return refusedAs === "job.already-printed" ? null : "lost";
    case "refusal": {
      const isReturn = request.order.operation === "return";
      return refusedAs === (isReturn ? "job.return-exceeds-sale" : "job.already-printed") ? null : "lost";
    }
    case "reused":
      return refusedAs === "receipt.id-reused" ? null : "lost";
  }
}

function faultOfResult({ request, due }: Made, result: ReportedResult, before: readonly Made[]): VerdictKind | null {
  const code = Number(result["resultCode"]);
  const isSuccess = code === 0;
  const isSameAs = (of: number) => numberOf(result) !== null && numberOf(result) === toldNumber(before[of]);
  const isRefused = (as: number) => code === as && result["outcome"] === "failed" && numberOf(result) === null;
  switch (due.is) {
    case "document":
      if (!isSuccess) return "lost";
      return before.some((_, place) => isSameAs(place)) ? "lost" : null;
    case "result": {
      const isDue = isSuccess || (due.orNumbers && code === 4 && result["again"] === false);
      return isDue && result["outcome"] === "printed" && isSameAs(due.of) ? null : "wronglyReported";
    }
    case "numbers": {
      if (isSuccess) return "lost";
      const isDue = code === 4 && result["outcome"] === "printed" && result["again"] === false && isSameAs(due.of);
      const namesBoth = due.besides === null || names(result, toldNumber(before[due.besides]));
      return isDue && namesBoth ? null : "wronglyReported";
    }
    case "refusal": {
      if (isSuccess) return "lost";
      const isDue = isRefused(4) && result["again"] === false;
      return isDue && due.sums.every((sum) => info(result).includes((sum / 100).toFixed(2).replace(".", ",")))
        ? null
        : "wronglyReported";
    }
    case "reused": {
      if (isSuccess) return "lost";
      const isOwn = result["orderId"] === request.writtenId && result["receiptId"] === undefined;
      return isRefused(1) && isOwn ? null : "wronglyReported";
    }
  }
}

function idOf({ enqueued }: Made): string | null {
  return enqueued !== null && "receiptId" in enqueued ? enqueued.receiptId : null;
}

function numberOf(result: ReportedResult | undefined): string | null {
  const fd = result?.["fdNumber"];
  return fd === undefined ? null : `${String(result?.["fn"])}/${String(fd)}`;
}

function toldNumber(made: Made | undefined): string | null {
  return numberOf(made?.results.at(-1));
}

function info(result: ReportedResult): string {
  return String(result["resultInfo"]);
}

function names(result: ReportedResult, number: string | null): boolean {
  const fd = number?.split("/").at(-1);
  return fd !== undefined && new RegExp(`ФД ${fd}\\b`).test(info(result));
}
