import { unconfirmedTags } from "../../capabilities.js";
import type { Capabilities, Identity } from "../../fiscal-driver.js";
import type { AtolOptions } from "../options.js";

/** Facts about the register behind the service, known after the first query. */
export interface RegisterFacts {
  readonly identity: Identity;
  /** Tag 1108 (the register is for internet payments only); null = not reported. */
  readonly registeredForInternet: boolean | null;
  readonly lineLength: number;
  /** Null: not reported. */
  readonly lineDots: number | null;
}

/** A text of a task can only have double height; all other styles are drawn as pictures. */
const allStyles = ["bold", "italic", "doubleHeight", "underline", "overline", "negative", "rotation"] as const;
const MAX_PICTURE_HEIGHT = 1200;

export function capabilitiesOf({ identity, lineLength, lineDots }: RegisterFacts, options: AtolOptions): Capabilities {
  const ffd12 = identity.ffd === "1.2";
  const pictures = options.pictures && lineDots !== null;
  return {
    maker: "atol",
    unconfirmedTags: unconfirmedTags.atol,
    paper: {
      columns: [lineLength],
      styles: pictures ? allStyles : ["doubleHeight"],
      drawsText: pictures,
      barcodes: ["ean13", "code39", "qr"],
      image: pictures ? { maxWidth: lineDots, maxHeight: MAX_PICTURE_HEIGHT } : null,
      // The register cuts the paper by itself; the service has no task for cutting.
      cut: false,
      copies: "any",
      header: false,
      footer: true,
    },
    fiscal: {
      internet: options.internetByParameter,
      orderMark: true,
      goodsCode: !ffd12,
      marking: ffd12,
      // A position has the field `amount` for its sum.
      roundedMarks: ffd12,
      electronicOnly: true,
      maxItems: 500,
    },
    reports: ["z", "x", "sections"],
    exchange: "whole",
    documentBodies: "full",
  };
}
