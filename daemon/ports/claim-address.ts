/** Held by one process of this machine, for as long as it listens there; it tells who asks who it is. */
import { rmSync } from "node:fs";
import { createConnection, createServer, type Socket } from "node:net";
import type { Clock } from "@fiscald/shared/clock.js";
import { z } from "zod";

export interface ClaimHolder {
  readonly pid: number;
  /** ISO 8601 instant. */
  readonly since: string;
  /** Its database: two daemons are told apart by that. */
  readonly database: string;
}

export type ClaimEnd =
  | { readonly kind: "taken"; release(): Promise<void> }
  /** Another process has it; null = it does not say who it is. */
  | { readonly kind: "held"; readonly by: ClaimHolder | null }
  /** This system does not let us listen there at all. */
  | { readonly kind: "impossible"; readonly cause: unknown };

// Any program of this machine may listen there: what it says is shown, so nothing but plain text is taken.
const plain = z
  .string()
  .max(4096)
  .regex(/^\P{Cc}*$/u);
const holderSchema = z.object({ pid: z.int(), since: plain, database: plain });

const answerMs = 3000;
const answerBytes = 16_384;
/** A holder may die between our try and our question. */
const tries = 3;

/** Ends in time whatever the holder does. */
export async function claimAddress(address: string, self: ClaimHolder, clock: Clock): Promise<ClaimEnd> {
  for (let left = tries; left > 0; left -= 1) {
    const end = await listen(address, self);
    if (end.kind === "taken") return end;
    const answer = await askHolder(address, clock);
    if (answer.kind === "answered") return { kind: "held", by: answer.holder };
    if (end.cause.code !== "EADDRINUSE") return { kind: "impossible", cause: end.cause };
    if (address.startsWith("/")) rmSync(address, { force: true });
  }
  return { kind: "held", by: null };
}

type Listening =
  | Extract<ClaimEnd, { kind: "taken" }>
  | { readonly kind: "refused"; readonly cause: NodeJS.ErrnoException };

function listen(address: string, self: ClaimHolder): Promise<Listening> {
  return new Promise((resolve) => {
    const asking = new Set<Socket>();
    const server = createServer((socket) => {
      asking.add(socket);
      socket.on("error", () => socket.destroy());
      socket.once("close", () => asking.delete(socket));
      socket.end(JSON.stringify(self));
    });
    // Who only asks keeps no daemon from ending.
    server.unref();
    // Later ones (no file descriptor left for who asks) are nothing to the claim.
    server.on("error", (cause) => resolve({ kind: "refused", cause }));
    const release = () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        for (const socket of asking) socket.destroy();
      });
    server.listen(address, () => resolve({ kind: "taken", release }));
  });
}

type Answer = { readonly kind: "nobody" } | { readonly kind: "answered"; readonly holder: ClaimHolder | null };

/** One that hangs or says something else is a holder all the same. */
function askHolder(address: string, clock: Clock): Promise<Answer> {
  return new Promise((resolve) => {
    let text = "";
    const end = (answer: Answer) => {
      timer.cancel();
      socket.destroy();
      resolve(answer);
    };
    const socket = createConnection(address);
    const timer = clock.setTimer(answerMs, () => end({ kind: "answered", holder: null }));
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => {
      text += chunk;
      if (text.length > answerBytes) end({ kind: "answered", holder: null });
    });
    socket.once("end", () => end({ kind: "answered", holder: parseHolder(text) }));
    socket.once("error", (error) => {
      // "No access" is what a pipe of another user says; anything else means that nobody is there.
      const isThere = "code" in error && (error.code === "EACCES" || error.code === "EPERM" || error.code === "EAGAIN");
      end(isThere ? { kind: "answered", holder: null } : { kind: "nobody" });
    });
  });
}

function parseHolder(text: string): ClaimHolder | null {
  try {
    return holderSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
