import type { SiteConfig } from "../config/site-schema.js";
import type { EventKind } from "../store/outbox-store.js";

/** The site's address for events of this kind; null = the site wants none. */
export function addressOf({ urls }: SiteConfig, kind: EventKind): string | null {
  switch (kind) {
    case "result":
      return urls.result;
    case "connected":
      return urls.connected ?? urls.activity;
    case "disconnected":
      return urls.disconnected ?? urls.activity;
    case "zreport":
      return urls.zreport;
    case "sync":
      return urls.sync;
    case "error":
      return urls.error;
  }
}
