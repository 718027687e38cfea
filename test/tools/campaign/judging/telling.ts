/** A shop that makes the requests of a story, each after the answer to the previous one. */
import type { TaskTableAnswer } from "@fiscald/shared/exchange/task-table.js";
import { isSpelling } from "../plan/orders.js";
import type { Request, Story } from "../plan/story.js";
import { type Enqueued, faultOf, isAnswered, type Made } from "./answer.js";
import { duesOf } from "./due.js";
import type { ReportedResult } from "./verdict.js";

export class Telling {
  readonly #made: Made[] = [];
  /** Repeated deliveries of one message count once. */
  readonly #messages = new Set<string>();
  readonly #dues;

  constructor(
    readonly story: Story,
    private readonly newId: () => string,
  ) {
    this.#dues = duesOf(story.requests);
    this.#ask();
  }

  /** The requests so far, oldest first. */
  get made(): readonly Made[] {
    return this.#made;
  }

  /** The request that waits for its answer. Null: the story is over. */
  get open(): Request | null {
    const made = this.#made.at(-1);
    return made !== undefined && this.#isOpen(made) ? made.request : null;
  }

  /** True: nothing more will come, because the story is over or nobody knows the outcome of the open request. */
  get isAtRest(): boolean {
    return this.open === null || this.#made.at(-1)?.results.at(-1)?.["outcome"] === "unknown";
  }

  get hasEnded(): boolean {
    return this.open === null && this.#made.length === this.story.requests.length;
  }

  /** The answer of a plain site to a poll while the story is open. */
  answer(): TaskTableAnswer {
    if (this.open === null) throw new Error("the story has ended");
    const { order, isRestless } = this.open;
    const { response } = order.answer;
    return isRestless === true ? { response: { ...response, receiptId: this.newId() } } : order.answer;
  }

  /** Takes a print result. True: the next request can be made. */
  hear(result: ReportedResult, messageId: string): boolean {
    if (this.#messages.has(messageId)) return false;
    this.#messages.add(messageId);
    const made = this.#made.at(-1);
    if (made === undefined || !this.#isOpen(made) || !isFor(result, made)) return false;
    return this.#note({ ...made, results: [...made.results, result] });
  }

  /** Takes the kit's answer to `enqueue`. True: the next request can be made. */
  hearAtOnce(enqueued: Enqueued): boolean {
    const made = this.#made.at(-1);
    return made !== undefined && this.#note({ ...made, enqueued });
  }

  #note(made: Made): boolean {
    this.#made[this.#made.length - 1] = made;
    if (this.#isOpen(made) || faultOf(made, this.#made.slice(0, -1)) !== null) return false;
    return this.#ask();
  }

  #isOpen(made: Made): boolean {
    return !isAnswered(made, this.#made.slice(0, this.#made.indexOf(made)));
  }

  #ask(): boolean {
    const place = this.#made.length;
    const [request, due] = [this.story.requests[place], this.#dues[place]];
    if (request === undefined || due === undefined) return false;
    this.#made.push({ request, due, results: [], enqueued: null });
    return true;
  }
}

/** As a site recognises a result: by the `receiptId`, else by its content. */
function isFor(result: ReportedResult, { request, due, enqueued }: Made): boolean {
  const { operation, totalKopecks, orderId } = request.order;
  const isOf = (told: unknown, own: unknown) => told === undefined || told === own;
  if (enqueued !== null) return "receiptId" in enqueued && result["receiptId"] === enqueued.receiptId;
  const isNamed = result["receiptId"] === (request.receiptId ?? undefined);
  if (due.is === "reused" && isNamed) return true;
  return (
    (isNamed || request.isRestless === true || due.is === "reused") &&
    isSpelling(String(result["orderId"]), orderId) &&
    isOf(result["operation"], operation === "sale" ? "sell" : "sell_refund") &&
    (result["total"] === undefined || Math.round(Number(result["total"]) * 100) === totalKopecks)
  );
}
