/** The options of the commands, with their values as the command line has them. */
import { siteFlagsSchema } from "@fiscald/shared/site-check/command-flags.js";
import { z } from "zod";

const text = z.string().optional();
const flag = z.boolean().optional();
const texts = z.array(z.string()).default([]);

/** Options that every command has; `json` exists on commands that only read. */
export const commonOptions = z.object({ config: text, lang: text, json: flag });
/** `host` is `HOST` or `HOST:PORT`. */
export const discoverOptions = commonOptions.extend({ host: texts, port: texts });
export const initOptions = discoverOptions.extend({ out: text });
/** `schema` prints the JSON Schema for editors instead; `on` is a day, such as `2027-01-05`. */
export const checkOptions = commonOptions.extend({ schema: flag, on: text });
export const checkSiteOptions = siteFlagsSchema.extend({ config: text, lang: text });
/**
 * `operator` makes a link with the operator's role, for the person at the till, even when an administrator asks for it.
 */
export const consoleOptions = commonOptions.extend({ operator: flag });
export const jobsOptions = commonOptions.extend({ state: text, site: text, register: text, limit: z.number() });
/** `days`: how many of the last days with log files are shown. */
export const logsOptions = commonOptions.extend({
  ...{ follow: flag, register: text, order: text, level: text },
  days: z.number(),
});
export const bundleOptions = commonOptions.extend({ out: text });
export const serviceOptions = commonOptions.extend({ dryRun: flag });
export const actionOptions = commonOptions.extend({ reason: text });
/** `yes`: the person has agreed to what the action costs. */
export const askedOptions = actionOptions.extend({ yes: z.boolean().default(false) });
/** `date` is the day of the settlement, such as `2026-07-14`, where the order does not say when it was paid. */
export const approveOptions = askedOptions.extend({ asCorrection: z.boolean().default(false), date: text });
/** `items`: positions with or without a quantity, `1,3:2`; absent = all that is left. */
export const returnOptions = askedOptions.extend({ items: text, fixes: z.boolean().default(false) });
/** `since` is a local time, such as `2026-11-20T14:03`. */
export const retryOptions = askedOptions.extend({ state: text, site: text, register: text, since: text });
export const acceptOptions = askedOptions.extend({
  lost: z.boolean().default(false),
  orders: z.union([z.literal(true), z.array(z.string())]).optional(),
});
export const resolveOptions = askedOptions.extend({
  ...{ printed: z.number().optional(), notPrinted: flag, checked: z.array(z.number()).default([]) },
  ...{ fn: text, sign: text, shift: z.number().optional(), time: text, receiptNumber: z.number().optional() },
});
/** What is wrong with a receipt, and what is right. */
export const correctOptions = askedOptions.extend({
  ...{ case: text, document: z.number().optional(), date: text, set: texts, pay: z.number().optional() },
});

/** `undo`: the export was not used. */
export const exportOptions = commonOptions.extend({
  undo: z.boolean().default(false),
  yes: z.boolean().default(false),
});
/** `lost`: another copy may have printed since the export. */
export const importOptions = commonOptions.extend({ lost: z.boolean().default(false) });

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
export type ExportOptions = z.output<typeof exportOptions>;
export type ImportOptions = z.output<typeof importOptions>;
export type AskedOptions = z.output<typeof askedOptions>;
export type ActionOptions = z.output<typeof actionOptions>;
export type CorrectOptions = z.output<typeof correctOptions>;
export type ReturnOptions = z.output<typeof returnOptions>;
export type RetryOptions = z.output<typeof retryOptions>;
export type ResolutionOptions = z.output<typeof resolveOptions>;
