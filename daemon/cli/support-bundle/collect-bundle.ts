import { existsSync, readFileSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { type Fault, isFault, toFault } from "@fiscald/shared/fault.js";
import { z } from "zod";
import type { Config } from "../../config/config-schema.js";
import { loadConfig, parseConfigJson } from "../../config/load-config.js";
import { jobStory } from "../../console/job-story.js";
import { jobView, recordedRegisterView } from "../../console/views.js";
import { type KnownSecret, maskSecrets, maskText, maskValue, secretsIn } from "../../logging/mask.js";
import { maskFreeText, maskWordsInFrames } from "../../logging/mask-free-text.js";
import { type Language, type Messages, messagesIn } from "../../messages/messages.js";
import { backupFolder, listCopies } from "../../store/database/nightly-maintenance.js";
import { countFaults } from "../../store/fault-counts.js";
import { logFiles } from "../commands/logs.js";
import { createDaemonClient, isUnreachable } from "../daemon-client.js";
import { withStoredState } from "../stored-state.js";
import { readVersions } from "../versions.js";
import { type LogTailFile, readLogTails } from "./log-tails.js";

export interface BundleOptions {
  readonly configPath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: Date;
}

export interface BundleEntry {
  readonly name: string;
  readonly data: Uint8Array | string;
}

export interface Bundle {
  readonly entries: readonly BundleEntry[];
  readonly missing: readonly MissingPart[];
}

export interface MissingPart {
  readonly part: keyof Messages["commands"]["bundleParts"];
  readonly fault: Fault;
}

type Part = readonly [name: string, content: unknown];

/** Each part is masked by its kind. Then the config's secrets, and words in frames, are masked in every part. */
export async function collectBundle({ configPath, env, now }: BundleOptions): Promise<Bundle> {
  const missing: MissingPart[] = [];
  const attempt = async <T>(part: MissingPart["part"], read: () => T | Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      missing.push({ part, fault: toFault(error, "internal") });
      return otherwise;
    }
  };

  const config = await attempt("config", () => loadConfig({ path: configPath, env }), null);
  const parts: Part[] = [["config.json", await attempt("configFile", () => readRawConfig(configPath, env), null)]];
  let tails: readonly LogTailFile[] = [];
  if (config !== null) {
    tails = await attempt("log", () => readLogTails(logFiles(config.log.folder)), []);
    parts.push(...(await attempt("database", () => storedParts(config), [])));
    parts.push(...(await attempt("daemon", () => liveParts(config), [])));
  }
  parts.push(["versions.json", await attempt("versions", readVersions, null)]);

  const secrets =
    config === null ? [] : [...secretsIn(config), ...(await attempt("tokens", () => tokenOf(config), []))];
  const maskAll = (text: string) => maskWordsInFrames(maskSecrets(text, secrets));
  const left = missing.map((each) => describeMissing(each, "en"));
  const head = { madeAt: now.toISOString(), config: configPath, missing: left };
  return {
    missing,
    entries: [
      { name: "bundle.json", data: maskAll(toText(head)) },
      ...parts.map(([name, content]) => ({ name, data: maskAll(toText(content)) })),
      ...tails.map(({ name, text }) => ({ name: `logs/${name}`, data: maskAll(text) })),
    ],
  };
}

export function describeMissing({ part, fault }: MissingPart, language: Language): string {
  const { code, message, ru, text } = fault;
  const why = language === "en" ? message : (ru ?? text.ru);
  return `${messagesIn(language).commands.bundleParts[part]}: ${code}: ${maskText(why)}`;
}

/** The file is read as it stands, because support must also see an invalid config. */
function readRawConfig(path: string, env: BundleOptions["env"]): unknown {
  const raw = parseConfigJson(readFileSync(path, "utf8"), path);
  const variables = Object.keys(env).filter((name) => name.startsWith("FISCALD"));
  return { file: maskValue(raw), variablesThatOverride: variables };
}

/** The config does not contain these tokens, because the daemon generates them. */
function tokenOf({ console: { tokenFile, operatorTokenFile } }: Config): readonly KnownSecret[] {
  const files = operatorTokenFile === null ? [tokenFile] : [tokenFile, operatorTokenFile];
  return files.map((path) => readFileSync(path, "utf8").trim());
}

const listedJobs = 200;
const explainedJobs = 30;

function storedParts(config: Config): readonly Part[] {
  return withStoredState(config, (stored, db) => {
    const { jobs, outbox, registers } = stored;
    const open = (["unsure", "held", "printing", "queued", "failed"] as const).flatMap((state) =>
      jobs.list({ state, limit: explainedJobs }),
    );
    return [
      [
        "queue.json",
        {
          jobs: Object.fromEntries(jobs.countByState()),
          events: config.sites.map(({ id }) => ({ site: id, ...outbox.countUndelivered(id) })),
          registers: registers.all().map((record) => recordedRegisterView(record, jobs)),
          lastJobs: jobs.list({ limit: listedJobs }).map(jobView),
        },
      ],
      ["stories-of-open-jobs.json", open.slice(0, explainedJobs).map((job) => maskFreeText(jobStory(job, stored)))],
      ["fault-counts.json", countFaults(db)],
      ["database.json", databaseFacts(config.database)],
    ];
  });
}

function databaseFacts(path: string): object {
  const { bavail, bsize } = statfsSync(dirname(path));
  const sizes = [path, `${path}-wal`].filter((file) => existsSync(file)).map((file) => [file, statSync(file).size]);
  const copies = listCopies(backupFolder(path));
  return { bytes: Object.fromEntries(sizes), freeBytesOnDisk: bavail * bsize, copies };
}

const livePaths = ["registers", "sites", "troubles", "frames"] as const;

async function liveParts(config: Config): Promise<readonly Part[]> {
  const client = createDaemonClient(config);
  try {
    const parts: Part[] = [];
    for (const name of livePaths) {
      parts.push([`live/${name}.json`, maskValue(await client.get(`/api/${name}`, z.unknown()))]);
    }
    return parts;
  } catch (error) {
    if (isFault(error) && isUnreachable(error)) return [["live/daemon-does-not-run.json", { message: error.message }]];
    throw error;
  }
}

function toText(content: unknown): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}
