/** Where the print servers of the shops find their handlers. */
import { Fault } from "@fiscald/shared/fault.js";

export interface FiscalMount {
  /** The fiscal router is at this path of the site. */
  mountedAt(path: () => string): void;
  /** Of one shop. Fault "api.not-found" where the site has no public address: a request's `Host` is not trusted. */
  urlOf(resource: number): string;
}

export interface FiscalMountOptions {
  /** The site's address as print servers see it. */
  readonly publicUrl?: string;
  /** For a proxy that serves the router at another address. */
  readonly fiscalPath?: string;
}

export function createFiscalMount({ publicUrl, fiscalPath }: FiscalMountOptions): FiscalMount {
  let pathOf = () => "/fiscal";
  return {
    mountedAt(path) {
      pathOf = path;
    },
    urlOf(resource) {
      if (publicUrl === undefined) {
        throw new Fault("api.not-found", { message: "The site does not say its public address (publicUrl)." });
      }
      const parts = [publicUrl, fiscalPath ?? pathOf()].map((part) => part.replace(/^\/+|\/+$/g, ""));
      return [...parts.filter((part) => part !== ""), resource].join("/");
    },
  };
}
