import type { Fault } from "@fiscald/shared/fault.js";
import type { AlertsConfig } from "../config/alerts-schema.js";
import { messagesIn } from "../messages/messages.js";
import { type AlertChannel, AlertWatch, type AlertWatchOptions } from "./alert-watch.js";
import { createHttpChannel, createMailChannel } from "./channels.js";

export interface AlertsOptions extends Omit<AlertWatchOptions, "channel" | "afterMinutes"> {
  readonly config: AlertsConfig;
  readonly emulated?: readonly string[];
}

export function openAlerts({ config, emulated = [], ...options }: AlertsOptions) {
  const { afterMinutes, mail, url } = config;
  const channels = [
    ...(mail === null ? [] : [createMailChannel(mail)]),
    ...(url === null ? [] : [createHttpChannel(url)]),
  ];
  const { page } = messagesIn(options.words.language);
  const note = emulated.length === 0 ? "" : `\n\n${page.emulated({ names: emulated.join(", ") })}`;
  const watches = channels.map(
    (channel) => new AlertWatch({ ...options, channel: withNote(channel, note), afterMinutes }),
  );
  return {
    start(): void {
      for (const watch of watches) watch.start();
    },
    stop(): void {
      for (const watch of watches) watch.stop();
    },
    /** Why the last message could not be sent; null = nothing had to be sent, or everything was sent. */
    get fault(): Fault | null {
      return watches.map(({ fault }) => fault).find((fault) => fault !== null) ?? null;
    },
  };
}

function withNote(channel: AlertChannel, note: string): AlertChannel {
  return {
    name: channel.name,
    send: ({ title, text }, signal) => channel.send({ title, text: `${text}${note}` }, signal),
  };
}
