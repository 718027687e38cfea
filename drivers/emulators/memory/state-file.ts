/**
 * The fiscal memory on disk: a journal of lines. A line has the small state and, where the change made a document, the
 * document, so both are saved or neither is. There is one `write` per change, before the answer: a killed process loses
 * nothing that it answered. There is no fsync, because no test cuts the power of the PC.
 */
import { closeSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import { describeRights, isForbidden } from "@fiscald/shared/files/folder-rights.js";
import { z } from "zod";
import { type CoreState, coreStateSchema } from "./core-state.js";
import { documentSchema, type StoredDocument } from "./documents.js";

const lineSchema = z.object({ state: coreStateSchema.optional(), document: documentSchema.optional() });

export interface StateStore {
  readonly loaded: { readonly state: CoreState; readonly documents: readonly StoredDocument[] } | null;
  save(state: CoreState, document: StoredDocument | null): void;
  close(): void;
}

export function memoryStore(): StateStore {
  return { loaded: null, save: () => {}, close: () => {} };
}

const MAX_STALE_LINES = 2000;

/** Fault `store.damaged` for a file of another program; an incomplete last line is cut off. */
export function openStateFile(path: string): StateStore {
  try {
    return openJournal(path);
  } catch (error) {
    throw faultOf(error, path);
  }
}

function faultOf(error: unknown, path: string): Fault {
  if (!isForbidden(error)) return toFault(error, "store.failed", { place: path });
  const message = `the emulator cannot write ${path} (${describeRights(dirname(path))})`;
  return toFault(error, "store.forbidden", { message, place: path });
}

function openJournal(path: string): StateStore {
  const { state: loadedState, documents: loadedDocuments } = readJournal(path);
  const documents = [...loadedDocuments];
  let file = -1;
  let stale = 0;

  function rewrite(state: CoreState): void {
    if (file >= 0) closeSync(file);
    const temporary = `${path}.new`;
    const lines = [...documents.map((document) => ({ document })), { state }];
    writeFileSync(temporary, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    renameSync(temporary, path);
    file = openSync(path, "a");
    stale = 0;
  }

  // A file without a state can only have an incomplete first line.
  if (loadedState === null) file = openSync(path, "w");
  else rewrite(loadedState);

  return {
    loaded: loadedState === null ? null : { state: loadedState, documents: loadedDocuments },
    save(state, document) {
      if (document !== null) documents.push(document);
      else stale += 1;
      try {
        if (stale > MAX_STALE_LINES) rewrite(state);
        else writeSync(file, `${JSON.stringify(document === null ? { state } : { document, state })}\n`);
      } catch (error) {
        throw faultOf(error, path);
      }
    },
    close() {
      closeSync(file);
      file = -1;
    },
  };
}

function readJournal(path: string): { state: CoreState | null; documents: StoredDocument[] } {
  const text = readIfThere(path);
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  let state: CoreState | null = null;
  const documents: StoredDocument[] = [];
  for (const [index, line] of whole.split("\n").entries()) {
    if (line === "") continue;
    const entry = parseLine(line, `${path}:${index + 1}`);
    state = entry.state ?? state;
    if (entry.document !== undefined) documents.push(entry.document);
  }
  return { state, documents };
}

function parseLine(line: string, place: string): z.infer<typeof lineSchema> {
  try {
    return lineSchema.parse(JSON.parse(line));
  } catch (cause) {
    throw new Fault("store.damaged", { message: "not a state file of an emulator", place, cause });
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (typeof error === "object" && error !== null && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}
