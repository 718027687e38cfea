import type { Capabilities, Identity } from "../fiscal-driver.js";
import type { AtolOptions } from "./options.js";

/** What is known of the register behind the service once it has been asked. */
export interface RegisterFacts {
  readonly identity: Identity;
  /** Characters in a line of its usual font. */
  readonly lineLength: number;
  /** Dots in a line; null = not told. */
  readonly lineDots: number | null;
}

const MAX_PICTURE_HEIGHT = 1200;

export function capabilitiesOf({ identity, lineLength, lineDots }: RegisterFacts, options: AtolOptions): Capabilities {
  const ffd12 = identity.ffd === "1.2";
  return {
    maker: "atol",
    model: identity.model,
    paper: {
      columns: [lineLength],
      styles: ["doubleHeight"],
      barcodes: ["ean13", "code39", "qr"],
      image: options.pictures && lineDots !== null ? { maxWidth: lineDots, maxHeight: MAX_PICTURE_HEIGHT } : null,
      // The register cuts by itself; no task does it (protocols/atol.md 2).
      cut: false,
      header: false,
      footer: true,
    },
    fiscal: {
      internet: options.internetByParameter,
      settlementPlace: true,
      orderMark: true,
      agents: true,
      goodsCode: !ffd12,
      marking: ffd12,
      countryAndCustoms: true,
      electronicOnly: true,
      zeroTotal: false,
      quantityDecimals: 3,
      taxRequired: true,
      maxItems: 100,
    },
    reports: ["z", "x", "sections"],
    exchange: "whole",
    documentBodies: "full",
    drawerTotals: true,
  };
}
