import { z } from "zod";
import { languages } from "../messages/messages.js";
import { alertsSchema } from "./alerts-schema.js";
import { consoleSchema } from "./console-schema.js";
import { type ConfigSurroundings, flagWithDefault, limitedNumber, oneOf, pathField } from "./field-types.js";
import { registerSchema } from "./register-schema.js";
import { siteSchema } from "./site-schema.js";

const logLevels = ["error", "warn", "info", "debug", "wire"] as const;

/** The only source of keys, defaults, limits and descriptions, also for the manual's table and the editors' schema. */
export function configSchema(surroundings: ConfigSurroundings) {
  const path = pathField(surroundings);
  return z.strictObject({
    $schema: z.string().optional().describe("For editors only"),
    version: z.literal(1).describe("Version of this format"),
    database: path.prefault("data/fiscald.sqlite").describe("The daemon's database, on a local disk"),
    sites: z.array(siteSchema(surroundings)).min(1).describe("Sites that are asked for orders"),
    registers: z.array(registerSchema(surroundings)).min(1).describe("Fiscal registrators"),
    warnings: z
      .strictObject({
        orderWaitsMinutes: limitedNumber(1, 10_080, 10).describe("Warns of an order that waits longer"),
        unsentToOfdHours: limitedNumber(1, 720, 24).describe(
          "Warns of documents that wait longer for the OFD; after 30 days the drive blocks",
        ),
        driveDaysLeft: limitedNumber(1, 365, 30).describe("Warns of a fiscal drive that lives no longer"),
        driveDocumentsLeft: limitedNumber(1, 250_000, 5000).describe(
          "Warns of a fiscal drive that holds no more documents than this",
        ),
      })
      .prefault({})
      .describe("When the daemon warns"),
    emulated: z
      .strictObject({
        allow: flagWithDefault(false).describe(
          "True: emulated registers, which make no fiscal document, may print for a site that is neither on this machine nor in a private network",
        ),
      })
      .prefault({})
      .describe("Registers of kind `emulator`"),
    alerts: alertsSchema(surroundings).prefault({}).describe("A word to a person when the top light is not green"),
    images: z
      .strictObject({
        folder: path
          .prefault("data/images")
          .describe(
            "Pictures of `Image` lines (PNG or JPEG, at most 4 megapixels) are read from here and nowhere else",
          ),
      })
      .prefault({})
      .describe("Pictures on receipts"),
    console: consoleSchema(surroundings).describe("The operator's console and its API"),
    log: z
      .strictObject({
        folder: path.prefault("data/logs").describe("Folder of the log files"),
        level: oneOf(logLevels, "info").describe("What is written: this level and all above it"),
        namespaces: z
          .record(z.string(), z.enum(logLevels))
          .default({})
          .describe("Other levels for single namespaces, such as `registers` or `sites`"),
        language: oneOf(languages, "en").describe(
          "Language of what commands print, of alerts, and of the hints in error lines",
        ),
        keepDays: limitedNumber(1, 3650, 30).describe("Older files are removed"),
        maxTotalMb: limitedNumber(10, 1_000_000, 500).describe(
          "Megabytes of all log files together: the oldest are removed first",
        ),
      })
      .prefault({})
      .describe("The log"),
  });
}

export type Config = z.output<ReturnType<typeof configSchema>>;

export function configJsonSchema(): object {
  const nowhere = { folder: ".", env: {}, readFile: () => "" };
  const schema = z.toJSONSchema(configSchema(nowhere), { io: "input", target: "draft-7" });
  // Defaults appear as the schema states them, because an absolute path of this machine does not belong in the file.
  return { ...schema, title: "fiscald config" };
}
