/** Capabilities of a register, from its own answers and the maker's manual. */
import { unconfirmedTags } from "../../capabilities.js";
import type { Capabilities, Identity } from "../../fiscal-driver.js";
import type { PiritOptions } from "../options.js";

/** Names of the models by the answer of query 02/21 (PIRIT protocol, 7). */
const names: Readonly<Record<number, string>> = {
  1: "Viki Mini",
  2: "Viki Tower",
  3: "Viki Print 57",
  4: "Viki Print 57+",
  5: "Viki Print 80+",
  8: "Pirit 2F",
  9: "Pirit 2SF",
};
/** First firmware that can make a receipt without paper (bit 7 in the type of command 30), by family. */
const electronicSince: Readonly<Record<number, readonly [minor: number, patch: number]>> = {
  565: [1, 13],
  665: [4, 13],
};

/** What `connect` reads; it does not change while the connection lasts. */
export interface RegisterFacts {
  readonly identity: Identity;
  readonly columns: readonly number[];
}

export function modelName(number: number): string {
  return names[number] ?? `PIRIT ${number}`;
}

export function capabilitiesOf(facts: RegisterFacts, options: PiritOptions): Capabilities {
  const { identity, columns } = facts;
  const in12 = identity.ffd === "1.2";
  return {
    maker: "pirit",
    unconfirmedTags: unconfirmedTags.pirit,
    paper: {
      columns,
      styles: ["doubleHeight"],
      barcodes: ["ean13", "code39", "qr"],
      image: null,
      cut: true,
      // The register prints header and footer by itself, around every document.
      header: false,
      footer: false,
    },
    fiscal: {
      internet: options.internetFlag !== null,
      orderMark: true,
      goodsCode: !in12,
      marking: in12,
      // The register computes price x quantity itself (PIRIT protocol, 6: command 42).
      roundedMarks: false,
      electronicOnly: isElectronicCapable(identity.firmware),
      maxItems: 500,
    },
    reports: ["z", "x"],
    documentBodies: "full",
  };
}

function isElectronicCapable(firmware: string): boolean {
  const [family = 0, minor = 0, patch = 0] = firmware.split(".").map(Number);
  const since = electronicSince[family];
  return since !== undefined && (minor > since[0] || (minor === since[0] && patch >= since[1]));
}
