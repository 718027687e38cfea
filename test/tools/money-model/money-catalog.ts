/** The shop's catalog while a sequence of the money model changes it, and every line that it has allowed so far. */
import type { ItemLine } from "@fiscald/shared/receipt/receipt.js";
import type { Api } from "../../handlers/delivery/delivery-world.js";
import type { Good } from "./money-goods.js";
import type { CatalogChange } from "./money-steps.js";

const titles: Readonly<Record<number, string>> = { 501: "Чай", 502: "Хлеб", 503: "Сыр" };
/** Rows of the test's register. */
const OF_22 = 21;
const OF_10 = 22;

interface Allowed {
  readonly names: Set<string>;
  readonly rows: Set<number>;
  readonly subjects: Set<number>;
}

export class MoneyCatalog {
  readonly #shop: Api;
  readonly #allowed = new Map<number, Allowed>();
  #changes = 0;
  /** Before the first sequence the state of the catalog is unknown. */
  #isAsItWas = false;

  constructor(shop: Api) {
    this.#shop = shop;
  }

  /** Restores the catalog as before any sequence. */
  async reset(): Promise<void> {
    this.#changes = 0;
    for (const [goodId, title] of Object.entries(titles)) {
      const rows = new Set([goodId === "501" ? OF_22 : OF_10]);
      this.#allowed.set(Number(goodId), { names: new Set([title]), rows, subjects: new Set([1]) });
    }
    if (this.#isAsItWas) return;
    await this.#put("/taxes", { taxId: 1 }, { title: "НДС 22%" });
    await this.#put("/paymentTypes", { paymentTypeId: 1 }, { closeTypeId: 1 });
    for (const [goodId, title] of Object.entries(titles)) {
      await this.#put("/goods", { goodId }, { title, calcId: 1, taxId: goodId === "501" ? 1 : 2 });
    }
    this.#isAsItWas = true;
  }

  /** Allows positions with a tax of their own: row 2 is never changed. */
  sell(goods: readonly Good[]): void {
    for (const { goodId, taxId } of goods) if (taxId === 2) this.#allow(goodId).rows.add(OF_10);
  }

  async change(what: CatalogChange) {
    this.#changes += 1;
    this.#isAsItWas = false;
    const isOdd = this.#changes % 2 === 1;
    switch (what) {
      case "close type":
        return this.#put("/paymentTypes", { paymentTypeId: 1 }, { closeTypeId: isOdd ? 0 : 1 });
      case "tax":
        this.#allow(501).rows.add(OF_10);
        return this.#put("/taxes", { taxId: 1 }, { title: isOdd ? "НДС 10%" : "НДС 22%" });
      case "name": {
        const goodId = isOdd ? 501 : 502;
        const title = `${titles[goodId]} ${this.#changes}`;
        this.#allow(goodId).names.add(title);
        return this.#put("/goods", { goodId }, { title });
      }
      case "item type":
        this.#allow(501).subjects.add(4);
        return this.#put("/goods", { goodId: 501 }, { calcId: isOdd ? 4 : 1 });
      case "good's tax":
        this.#allow(501).rows.add(OF_10);
        return this.#put("/goods", { goodId: 501 }, { taxId: isOdd ? 2 : 1 });
    }
  }

  /** True: the catalog and the order allowed such a line at some time. */
  has({ name, tax, subject }: ItemLine): boolean {
    return [...this.#allowed.values()].some(
      ({ names, rows, subjects }) => names.has(name) && tax !== null && rows.has(tax) && subjects.has(subject),
    );
  }

  #allow(goodId: number): Allowed {
    const allowed = this.#allowed.get(goodId);
    if (allowed === undefined) throw new Error(`good ${goodId} is not in the catalog`);
    return allowed;
  }

  #put(path: string, query: Readonly<Record<string, string | number>>, change: object) {
    return this.#shop.put(path, change, { query });
  }
}
