import type { Identity } from "../fiscal-driver.js";
import type { ModelParameters } from "./protocol/model-parameters.js";

/** What `connect` reads once, for the compiler and for later queries; it does not change while the connection lasts. */
export interface RegisterFacts {
  readonly identity: Identity;
  readonly parameters: ModelParameters;
  readonly fonts: readonly Font[];
  /** Dots across the paper. */
  readonly printWidth: number;
  /** Table 1 field 14: true = the register expects its taxes from us, which we do not do. */
  readonly taxesByHost: boolean;
  /** FF4Dh and FF67h go before the FF46h that they belong to; else behind it. */
  readonly tagsBeforeItem: boolean;
  /** 22 % has the codes of the SHTRIH-NANO-F. */
  readonly nanoTaxCodes: boolean;
}

/** A font of the register; number = index + 1. */
export interface Font {
  readonly columns: number;
  /** Its letters are as wide as high: those of the usual proportions at double width. */
  readonly wide?: boolean;
}
