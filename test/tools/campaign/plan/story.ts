/**
 * The requests of a shop for one order number, one after the other: repeats, further receipts, and mistakes of the site
 * and its people. They follow from the seed alone. Pure.
 */

import type { Seeded } from "../../../support/seeded.js";
import { type CampaignOrder, makeOrder } from "./orders.js";

export interface Request {
  /** Requests of equal content share a label. The order id has no invisible characters. */
  readonly order: CampaignOrder;
  /** The order id as the answer writes it. */
  readonly writtenId: string;
  readonly receiptId: string | null;
  /** True: the site makes a new `receiptId` for each poll. */
  readonly isRestless?: true;
  readonly kit?: { readonly key?: string; readonly beyondSold?: true };
}

export interface Story {
  readonly name: string;
  readonly site: number;
  readonly requests: readonly Request[];
}

interface Wish {
  readonly operation: "sale" | "return";
  readonly prices: readonly number[];
  /** Names another order of the shop. Default: the first one. */
  readonly order?: string;
  /** Invisible characters in the middle of the order number. */
  readonly unseen?: string;
  /** Requests with one number have one `receiptId`. */
  readonly id?: number;
  readonly isRestless?: true;
  readonly kit?: Request["kit"];
}

const sale = (prices: readonly number[], over: Partial<Wish> = {}): Wish => ({ operation: "sale", prices, ...over });
const back = (prices: readonly number[], over: Partial<Wish> = {}): Wish => ({ operation: "return", prices, ...over });

const three = [10, 10, 20.5];
const one = [10];
const rest = [20.5];

interface Template {
  readonly name: string;
  readonly where: "both" | "plain" | "kit";
  readonly wishes: readonly Wish[];
}

const stories: readonly Template[] = [
  {
    name: "two equal refunds",
    where: "both",
    wishes: [sale(three), back(one), sale(three), back(one), back(rest), back([30])],
  },
  {
    name: "two equal refunds with ids",
    where: "both",
    wishes: [
      ...[sale(three, { id: 1 }), back(one, { id: 2 }), back(one, { id: 3 }), back(one, { id: 2 })],
      ...[back([10, 20.5], { id: 4 }), sale([30], { id: 5 }), back(rest, { id: 6 })],
    ],
  },
  { name: "sold again", where: "both", wishes: [sale([10, 20.5]), back([10, 20.5]), sale([10, 20.5])] },
  {
    name: "sold again with ids",
    where: "both",
    wishes: [
      ...[sale([30.5], { id: 1 }), back([30.5], { id: 2 }), sale([30.5], { id: 3 }), sale([30.5], { id: 4 })],
      ...[back([30.5], { id: 5 }), back([30.5], { id: 6 })],
    ],
  },
  {
    name: "one id for all",
    where: "both",
    wishes: [
      ...[sale([30.5], { id: 1 }), sale([30.5], { id: 1, order: "x" }), back([30.5], { id: 1 })],
      ...[sale([20], { id: 1 }), sale([30.5], { id: 1 })],
    ],
  },
  {
    name: "unseen characters",
    where: "both",
    wishes: [
      ...[sale([10, 20.5]), sale([10, 20.5], { unseen: "\u{200b}" }), back(one, { unseen: "\u{feff}" })],
      ...[
        back([30], { unseen: "\u{ad}", id: 1 }),
        back(rest, { id: 2, unseen: "\u{2060}" }),
        back(one, { unseen: "\u{200d}" }),
      ],
    ],
  },
  {
    name: "a new id at each offer",
    where: "plain",
    wishes: [sale(three, { isRestless: true }), back(one, { isRestless: true })],
  },
  {
    name: "refunds with keys",
    where: "kit",
    wishes: [
      ...[sale(three), back(one, { kit: { key: "r1" } }), back(one, { kit: { key: "r2" } })],
      ...[back(one, { kit: { key: "r1" } }), back(three, { id: 1 }), back(three, { id: 1, kit: { beyondSold: true } })],
    ],
  },
];

export function storiesOf(isKit: boolean): readonly string[] {
  return storiesAt(isKit).map(({ name }) => name);
}

function storiesAt(isKit: boolean) {
  return stories.filter(({ where }) => where === "both" || where === (isKit ? "kit" : "plain"));
}

export interface StoryPlace {
  readonly number: number;
  readonly site: number;
  readonly isKit: boolean;
  readonly kkm: string | undefined;
}

export function planStory(random: Seeded, place: StoryPlace): Story {
  const name = random.pickOf(storiesOf(place.isKit));
  return tellOf(name ?? "", random, place);
}

export function tellOf(name: string, random: Seeded, { number, site, isKit, kkm }: StoryPlace): Story {
  const wishes = storiesAt(isKit).find((story) => story.name === name)?.wishes;
  if (wishes === undefined) throw new Error(`no such story: ${name}`);
  const ids = new Map<number, string>();
  const idOf = (id: number | undefined) => {
    if (id === undefined) return null;
    const known = ids.get(id) ?? makeUuid(random);
    ids.set(id, known);
    return known;
  };
  const requests = wishes.map((wish, index) => {
    const { operation, prices, order = "", unseen = "", isRestless, kit } = wish;
    const orderId = `s${number}${order}`;
    const writtenId = `${orderId.slice(0, 1)}${unseen}${orderId.slice(1)}`;
    const receiptId = idOf(wish.id);
    const label = `${orderId}-${operation}-${prices.join("-")}`;
    return {
      order: makeOrder({
        ...{ orderId, key: `${orderId}#${index + 1}`, label, operation, prices, kkm, writtenId },
        receiptId: receiptId ?? undefined,
      }),
      ...{ writtenId, receiptId },
      ...(isRestless === undefined ? {} : { isRestless }),
      ...(kit === undefined ? {} : { kit }),
    };
  });
  return { name, site, requests };
}

/** In the form of version 4. */
export function makeUuid(random: Pick<Seeded, "int">): string {
  const hex = (length: number) => Array.from({ length }, () => random.int(0, 15).toString(16)).join("");
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
}
