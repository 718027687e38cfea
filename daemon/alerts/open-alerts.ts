import type { Fault } from "@fiscald/shared/fault.js";
import type { AlertsConfig } from "../config/alerts-schema.js";
import { AlertWatch, type AlertWatchOptions } from "./alert-watch.js";
import { createHttpChannel } from "./http-channel.js";
import { createMailChannel } from "./mail-channel.js";

export interface Alerts {
  start(): void;
  stop(): void;
  /** Why a person could not be reached; null = there was nothing to send, or it was sent. */
  readonly fault: Fault | null;
}

export interface AlertsOptions extends Omit<AlertWatchOptions, "channel" | "afterMinutes"> {
  readonly config: AlertsConfig;
}

export function openAlerts({ config, ...options }: AlertsOptions): Alerts {
  const { afterMinutes, mail, url } = config;
  const channels = [
    ...(mail === null ? [] : [createMailChannel(mail)]),
    ...(url === null ? [] : [createHttpChannel(url)]),
  ];
  const watches = channels.map((channel) => new AlertWatch({ ...options, channel, afterMinutes }));
  return {
    start() {
      for (const watch of watches) watch.start();
    },
    stop() {
      for (const watch of watches) watch.stop();
    },
    get fault() {
      return watches.map(({ fault }) => fault).find((fault) => fault !== null) ?? null;
    },
  };
}
