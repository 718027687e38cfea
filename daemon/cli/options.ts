/** The options of the commands, as their values come from the command line. */
import { siteFlagsSchema } from "@fiscald/shared/site-check/command-flags.js";
import { z } from "zod";

const text = z.string().optional();
const flag = z.boolean().optional();
const texts = z.array(z.string()).default([]);

/** Options that every command has; `json` those that read. */
export const commonOptions = z.object({ config: text, lang: text, json: flag });
/** `host`: `HOST` or `HOST:PORT`. */
export const discoverOptions = commonOptions.extend({ host: texts, port: texts });
export const initOptions = discoverOptions.extend({ out: text });
/** `schema`: prints the JSON Schema for editors instead; `on`: a day, `2027-01-05`. */
export const checkOptions = commonOptions.extend({ schema: flag, on: text });
export const checkSiteOptions = siteFlagsSchema.extend({ config: text, lang: text });
/** `operator`: a link for the person at the till, also where an administrator makes it. */
export const consoleOptions = commonOptions.extend({ operator: flag });
export const jobsOptions = commonOptions.extend({ state: text, site: text, register: text, limit: z.number() });
/** `days`: the last ones of which there are files. */
export const logsOptions = commonOptions.extend({
  ...{ follow: flag, register: text, order: text, level: text },
  days: z.number(),
});
export const bundleOptions = commonOptions.extend({ out: text });
export const serviceOptions = commonOptions.extend({ dryRun: flag });
export const actionOptions = commonOptions.extend({ reason: z.string() });
/** `since`: `2026-11-20T14:03`, local time. */
export const retryOptions = actionOptions.extend({ state: text, site: text, register: text, since: text });
export const acceptOptions = actionOptions.extend({
  lost: z.boolean().default(false),
  orders: z.union([z.literal(true), z.array(z.string())]).optional(),
});
export const resolveOptions = actionOptions.extend({
  ...{ printed: z.number().optional(), notPrinted: flag, checked: z.array(z.number()).default([]) },
  ...{ fn: text, sign: text, shift: z.number().optional(), time: text, receiptNumber: z.number().optional() },
});

export type CommonOptions = z.output<typeof commonOptions>;
export type DiscoverOptions = z.output<typeof discoverOptions>;
export type InitOptions = z.output<typeof initOptions>;
export type CheckConfigOptions = z.output<typeof checkOptions>;
export type CheckSiteOptions = z.output<typeof checkSiteOptions>;
export type ConsoleLinkOptions = z.output<typeof consoleOptions>;
export type JobsOptions = z.output<typeof jobsOptions>;
export type LogsOptions = z.output<typeof logsOptions>;
export type SupportBundleOptions = z.output<typeof bundleOptions>;
export type ServiceOptions = z.output<typeof serviceOptions>;
export type ActionOptions = z.output<typeof actionOptions>;
export type RetryOptions = z.output<typeof retryOptions>;
export type ResolutionOptions = z.output<typeof resolveOptions>;
