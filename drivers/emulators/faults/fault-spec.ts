import { z } from "zod";
import { alterationSchema } from "../memory/alter-document.js";

/**
 * `cancel-jobs`: deletes waiting jobs. `purge-jobs`: the service forgets finished jobs. `interrupt-job`: the newest job
 * that is no query is interrupted, unexecuted (if it waits) or with an unknown outcome. `add-job`: puts a slip in the
 * queue.
 */
const otherClientDeeds = ["cancel-jobs", "purge-jobs", "interrupt-job", "add-job"] as const;
export type OtherClientDeed = (typeof otherClientDeeds)[number];

const whenSchema = z.union([
  z.literal("now"),
  z.strictObject({ afterBytes: z.int().min(0), direction: z.enum(["in", "out"]) }),
  z.strictObject({ command: z.string().min(1), nth: z.int().min(1).default(1) }),
]);

const common = { when: whenSchema.default("now"), times: z.int().min(1).optional() };
const ms = z.int().min(0).max(86_400_000);

export const faultSpecSchema = z.discriminatedUnion("effect", [
  /** The device neither reads nor answers; a command that triggers this is not carried out. */
  z.strictObject({ effect: z.literal("silent"), ...common }),
  z.strictObject({ effect: z.literal("late"), ms, ...common }),
  /** Makes one byte wrong: the next one, or with a command as trigger the last byte of its answer. */
  z.strictObject({ effect: z.literal("corrupt"), ...common }),
  /** Sends bytes that no program sent: at this place, or before the answer. */
  z.strictObject({
    effect: z.literal("noise"),
    hex: z
      .string()
      .regex(/^([0-9a-fA-F]{2})+$/)
      .default("00aa55fe7f"),
    ...common,
  }),
  z.strictObject({ effect: z.literal("byte-by-byte"), ...common }),
  z.strictObject({ effect: z.literal("unplug"), ms, ...common }),
  z.strictObject({ effect: z.literal("paper-out"), ...common }),
  z.strictObject({ effect: z.literal("cover-open"), ...common }),
  /** Carries the command out, but the answer is lost on the wire. */
  z.strictObject({ effect: z.literal("drop-answer"), ...common }),
  /** Carries the command out, but sends the whole previous answer frame instead of this one. */
  z.strictObject({ effect: z.literal("stale-answer"), ...common }),
  /** Accepts the command and carries it out `ms` later, whether or not the host is still connected; busy until then. */
  z.strictObject({ effect: z.literal("late-execution"), ms, ...common }),
  z.strictObject({ effect: z.literal("documents-unreadable"), ...common }),
  z.strictObject({ effect: z.literal("power-cut"), ms, ...common }),
  /** Pauses the wire until the fault is cleared; the device goes on with the commands that it has. */
  z.strictObject({ effect: z.literal("pause"), ...common }),
  /** Another client of the maker's print service acts just before the command; only for makers with such a service. */
  z.strictObject({ effect: z.literal("other-client"), does: z.enum(otherClientDeeds), ...common }),
  z.strictObject({ effect: z.literal("alter"), ...alterationSchema.shape, ...common }),
  /** Answers with the maker's own error number. `acts`: only after the command was carried out. */
  z.strictObject({
    effect: z.literal("error"),
    code: z.int().min(0).max(255),
    acts: z.boolean().default(false),
    ...common,
  }),
]);

export type FaultSpec = z.infer<typeof faultSpecSchema>;
export type FaultInput = z.input<typeof faultSpecSchema>;
export type FaultEffect = FaultSpec["effect"];

/** Effects that last until they are cleared unless `times` says otherwise; every other effect acts once. */
const lasting: ReadonlySet<FaultEffect> = new Set(["byte-by-byte", "documents-unreadable", "alter"]);

export function timesOf(spec: FaultSpec): number {
  if (spec.times !== undefined) return spec.times;
  return lasting.has(spec.effect) && !isCommandTrigger(spec.when) ? Number.POSITIVE_INFINITY : 1;
}

export function isCommandTrigger(when: FaultSpec["when"]): when is { command: string; nth: number } {
  return typeof when === "object" && "command" in when;
}
