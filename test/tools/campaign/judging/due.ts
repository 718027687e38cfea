/**
 * The expected answer to each request of a story, when all earlier requests got theirs: the campaign's own reading of
 * repeated orders. It shares no code with the product's decision, whose mistakes it has to find. Pure.
 */
import type { Request } from "../plan/story.js";

export type Due =
  /** A document of its own, reported with success. */
  | { readonly is: "document" }
  /** The document of an earlier request, which this one repeats. `orNumbers`: or the answer of a later shift. */
  | { readonly is: "result"; readonly of: number; readonly orNumbers: boolean }
  /** Code 4 with the numbers of an equal receipt. `besides`: another document that the answer must name. */
  | { readonly is: "numbers"; readonly of: number; readonly besides: number | null }
  /** Code 4: nothing of the request is printed. `sums`: kopecks that the answer must name. */
  | { readonly is: "refusal"; readonly sums: readonly number[] }
  /** Code 1: the `receiptId` belongs to another receipt. */
  | { readonly is: "reused" };

export function duesOf(requests: readonly Request[]): readonly Due[] {
  const dues: Due[] = [];
  for (const [index, request] of requests.entries()) {
    const printed = requests.flatMap((other, place) => (dues[place]?.is === "document" ? [{ ...other, place }] : []));
    // Other orders of the shop are compared by `receiptId` only.
    const ofOrder = printed.filter(({ order }) => order.orderId === request.order.orderId);
    dues[index] = dueByName(request, printed) ?? dueByContent(request, ofOrder) ?? dueByMoney(request, ofOrder);
  }
  return dues;
}

type Printed = Request & { readonly place: number };

/** A name that the caller has given means the same receipt for ever. */
function dueByName(request: Request, printed: readonly Printed[]): Due | null {
  const name = nameOf(request);
  const self = name === null ? undefined : printed.find((other) => nameOf(other) === name);
  if (self === undefined) return null;
  const isSame =
    self.order.orderId === request.order.orderId &&
    self.order.operation === request.order.operation &&
    self.order.totalKopecks === request.order.totalKopecks;
  return isSame ? { is: "result", of: self.place, orNumbers: false } : { is: "reused" };
}

function nameOf({ receiptId, kit, isRestless }: Request): string | null {
  return isRestless === true ? null : (kit?.key ?? receiptId);
}

/** Without a name equal content is the same receipt, or nobody can know. */
function dueByContent(request: Request, printed: readonly Printed[]): Due | null {
  if (nameOf(request) !== null || request.isRestless === true) return null;
  const self = printed.findLast((other) => nameOf(other) === null && other.order.label === request.order.label);
  if (self === undefined) return null;
  if (request.order.operation === "return") return { is: "numbers", of: self.place, besides: null };
  const back = printed.findLast(({ order, place }) => order.operation === "return" && place > self.place);
  if (back !== undefined && isReturnedWhole(printed)) return { is: "numbers", of: self.place, besides: back.place };
  return { is: "result", of: self.place, orNumbers: true };
}

/** Returns are at most the sum sold; an order has one valid sale. */
function dueByMoney(request: Request, printed: readonly Printed[]): Due {
  const { operation, label, totalKopecks } = request.order;
  const sales = ofKind(printed, "sale");
  const [newest] = sales.toReversed();
  if (newest === undefined) return { is: "document" };
  if (operation === "return") {
    const [sold, returned] = [sum(sales), sum(ofKind(printed, "return")) + totalKopecks];
    const isWithin = returned <= sold || request.kit?.beyondSold === true;
    return isWithin ? { is: "document" } : { is: "refusal", sums: [returned, sold] };
  }
  if (isReturnedWhole(printed)) return { is: "document" };
  if (newest.order.label === label) return { is: "numbers", of: newest.place, besides: null };
  return { is: "refusal", sums: [] };
}

function isReturnedWhole(printed: readonly Printed[]): boolean {
  return sum(ofKind(printed, "return")) >= sum(ofKind(printed, "sale"));
}

function ofKind(printed: readonly Printed[], operation: "sale" | "return"): readonly Printed[] {
  return printed.filter(({ order }) => order.operation === operation);
}

function sum(printed: readonly Printed[]): number {
  return printed.reduce((total, { order }) => total + order.totalKopecks, 0);
}
