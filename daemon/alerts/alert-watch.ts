/** Decides which troubles one channel reports, and when. Waiting times are measured by the monotonic clock. */

import { type BackoffOptions, backoffDelayMs, type Clock, type Timer } from "@fiscald/shared/clock.js";
import { type Fault, toFault } from "@fiscald/shared/fault.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { z } from "zod";
import { type SeenTrouble, type Titles, weightOf } from "../console/troubles/found.js";
import type { MetaStore } from "../store/database/meta-store.js";
import {
  type AlertMessage,
  type AlertWords,
  alertMessage,
  type ReportedTrouble,
  reportedTrouble,
} from "./alert-message.js";

export interface AlertChannel {
  readonly name: "mail" | "url";
  /** Ends in bounded time. Rejects with `daemon.alert-failed` when the message could not be sent. */
  send(message: AlertMessage, signal: AbortSignal): Promise<void>;
}

export interface AlertWatchOptions {
  readonly channel: AlertChannel;
  readonly afterMinutes: number;
  readonly words: AlertWords;
  readonly troubles: () => readonly SeenTrouble[];
  readonly titles: () => Titles;
  /** Where the reported troubles survive a restart. */
  readonly memory: Pick<MetaStore, "get" | "set">;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
}

const MINUTE_MS = 60_000;
const CHECK_MS = 15_000;
/** Troubles that begin within this pause after a message wait for the next message. */
const PAUSE_MS = 5 * MINUTE_MS;
const retry: BackoffOptions = { firstMs: MINUTE_MS, maxMs: 60 * MINUTE_MS };
const stored = z.array(
  z.object({
    ...{ key: z.string(), line: z.string(), count: z.int().default(1), endsByHand: z.boolean().default(false) },
  }),
);

export class AlertWatch {
  readonly #options: AlertWatchOptions;
  readonly #stopping = new AbortController();
  readonly #startedAt: number;
  /** The present troubles by key, with the monotonic time at which this run first saw them. */
  #seen: ReadonlyMap<string, number> = new Map();
  #reported: readonly ReportedTrouble[];
  #notBefore: number;
  #failures = 0;
  #fault: Fault | null = null;
  #timer: Timer | null = null;

  constructor(options: AlertWatchOptions) {
    this.#options = options;
    this.#startedAt = options.clock.monotonic();
    this.#notBefore = this.#startedAt;
    this.#reported = this.#load();
  }

  /** Null: no try to send failed, or a later try worked. */
  get fault(): Fault | null {
    return this.#fault;
  }

  start(): void {
    this.#timer = this.#options.clock.setTimer(CHECK_MS, () => void this.#check());
  }

  stop(): void {
    this.#timer?.cancel();
    this.#stopping.abort();
  }

  async #check(): Promise<void> {
    try {
      await this.#report();
    } catch (error) {
      this.#failed(toFault(error, "daemon.alert-failed"));
    }
    if (!this.#stopping.signal.aborted) this.start();
  }

  async #report(): Promise<void> {
    const { channel, words, clock, titles } = this.#options;
    const { begun, gone } = this.#changes();
    const over = gone.filter(({ endsByHand }) => !endsByHand);
    if (clock.monotonic() < this.#notBefore) return;
    const facts = { ...words, titles: titles(), now: clock.now() };
    const isSent = begun.length > 0 || over.length > 0;
    if (isSent) await channel.send(alertMessage(begun, over, facts), this.#stopping.signal);
    if (!isSent && gone.length === 0) return;
    const changed = new Set([...gone, ...begun].map(({ key }) => key));
    const kept = this.#reported.filter(({ key }) => !changed.has(key));
    this.#reported = [...kept, ...begun.map((trouble) => reportedTrouble(trouble, facts))];
    if (isSent) this.#worked();
    this.#save();
  }

  #changes(): { readonly begun: readonly SeenTrouble[]; readonly gone: readonly ReportedTrouble[] } {
    const { troubles, afterMinutes, clock } = this.#options;
    const at = clock.monotonic();
    const present = troubles().filter(({ needs }) => needs !== "nobody");
    this.#seen = new Map(present.map(({ key }) => [key, this.#seen.get(key) ?? at]));
    const isLong = (since: number) => at - since >= afterMinutes * MINUTE_MS;
    // When a person has put some orders away, the count falls, so as many new orders cause a message again.
    const counts = new Map(present.map((trouble) => [trouble.key, weightOf(trouble)]));
    this.#reported = this.#reported.map((it) => ({ ...it, count: Math.min(it.count, counts.get(it.key) ?? it.count) }));
    const told = new Map(this.#reported.map(({ key, count }) => [key, count]));
    const hasDoubled = (trouble: SeenTrouble) => weightOf(trouble) >= 2 * (told.get(trouble.key) ?? 0);
    // Only a person can settle an order that waits for approval, so it is reported without delay.
    const isDue = ({ key, kind }: SeenTrouble) => kind === "held" || isLong(this.#seen.get(key) ?? at);
    const begun = present.filter((trouble) => hasDoubled(trouble) && isDue(trouble));
    // Until every register and site has been asked after a start, an unseen trouble does not count as ended.
    const gone = isLong(this.#startedAt) ? this.#reported.filter(({ key }) => !this.#seen.has(key)) : [];
    return { begun, gone };
  }

  #worked(): void {
    const { clock, log, channel } = this.#options;
    if (this.#fault !== null) log.info("alerts are sent again", { channel: channel.name });
    this.#fault = null;
    this.#failures = 0;
    this.#notBefore = clock.monotonic() + PAUSE_MS;
  }

  /** Logs a series of failures as one line. */
  #failed(fault: Fault): void {
    if (this.#stopping.signal.aborted) return;
    const { clock, random, log, channel } = this.#options;
    if (this.#fault === null)
      log.warn("an alert could not be sent; it is tried again", { channel: channel.name, fault });
    this.#fault = fault;
    this.#failures += 1;
    this.#notBefore = clock.monotonic() + backoffDelayMs(this.#failures, retry, random);
  }

  get #memoryKey(): string {
    return `alerts-reported.${this.#options.channel.name}`;
  }

  #save(): void {
    try {
      this.#options.memory.set(this.#memoryKey, JSON.stringify(this.#reported));
    } catch {
      // A full disk is a trouble of its own. After a restart this message is sent once more.
    }
  }

  /** A damaged record counts as empty: a second message is better than none. */
  #load(): readonly ReportedTrouble[] {
    try {
      return stored.parse(JSON.parse(this.#options.memory.get(this.#memoryKey) ?? "[]"));
    } catch {
      return [];
    }
  }
}
