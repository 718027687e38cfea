import type { SiteConfig } from "../config/site-schema.js";
import type { EventKind } from "../store/outbox-store.js";

/** Where a site wants to hear of an event; null = it does not. */
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
