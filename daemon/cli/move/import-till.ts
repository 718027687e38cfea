import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, resolve } from "node:path";
import { wrongValue } from "@fiscald/shared/command-line.js";
import { replaceFlushed } from "@fiscald/shared/files/flushed-file.js";
import { parseConfig, readUtf8 } from "../../config/load-config.js";
import { messagesIn } from "../../messages/messages.js";
import { commandReasons } from "../../messages/reasons/command-reasons.js";
import { rewriteConfig } from "../../setup/write-config.js";
import { filesOfPack, fileText, unpackTill } from "../../store/database/move-till.js";
import { configPathOf, type ExitCode, exitCodes, languageOf, type Session } from "../cli-context.js";
import { keepFilesPrivate } from "../private-files.js";
import { CONFIG, foreignPath, placeFiles, secretVariables } from "./till-files.js";

export function importTill({ context, options, args: [file = ""] }: Session): ExitCode {
  const pack = resolve(context.folder, file);
  const files = filesOfPack(pack);
  const text = fileText(files, CONFIG);
  const foreign = foreignPath(text, process.platform);
  if (foreign !== null) throw wrongValue(commandReasons.foreignPath({ path: foreign }), foreign);
  const path = configPathOf(context, options.config);
  const folder = dirname(path);
  const missing = secretVariables(text).filter((name) => (context.env[name] ?? "") === "");
  // A variable that holds a secret may be set later, so its absence does not stop the import.
  const env = { ...context.env, ...Object.fromEntries(missing.map((name) => [name, "?"])) };
  const secrets = placeFiles(files, { folder, images: folder });
  const readFile = (name: string) => {
    const data = secrets.get(name);
    return data === undefined ? readUtf8(name) : Buffer.from(data).toString("utf8");
  };
  const config = parseConfig(text, path, { folder, env, readFile });
  keepFilesPrivate(config);
  const now = new Date();
  const kept = `.before-import-${now.toISOString().replaceAll(/[:.]/g, "-")}`;
  const replaced = unpackTill({
    ...{ pack, path: config.database, now, host: hostname(), isLost: options.lost },
    place() {
      for (const [place, data] of placeFiles(files, { folder, images: config.images.folder })) {
        placeFile(place, data, kept);
      }
      rewriteConfig(path, text, [], `${path}${kept}`);
    },
  });
  const lang = options.lang === undefined ? [] : [`--lang=${options.lang}`];
  // The language may be that of the imported config.
  const language = languageOf(context, [`--config=${path}`, ...lang]);
  const { imported, renamed, variablesStay, startHere } = messagesIn(language).commands;
  context.out(`${imported({ path, database: config.database })}\n`);
  if (replaced !== null) context.out(`${renamed({ path: replaced })}\n`);
  if (missing.length > 0) context.out(`${variablesStay({ names: missing.join(", ") })}\n`);
  context.out(`${startHere}\n`);
  return exitCodes.done;
}

/** An existing file with other content is kept beside the new file. */
function placeFile(path: string, data: Uint8Array, kept: string): void {
  if (existsSync(path)) {
    if (readFileSync(path).equals(data)) return;
    renameSync(path, `${path}${kept}`);
  }
  mkdirSync(dirname(path), { recursive: true });
  replaceFlushed(path, data, 0o600);
}
