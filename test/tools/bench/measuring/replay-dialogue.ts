/** Sends the bytes of one receipt again and again to the same register, without any program behind the socket. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createStxCrcDecoder, encodeStxCrc, encodeStxCrcSync } from "@fiscald/drivers/framing/stx-crc-stuffed.js";

export type LinkProtocol = "v1" | "v2";

/** Bytes that came together; `in` = to the register. */
export interface WirePiece {
  readonly direction: "in" | "out";
  readonly bytes: Uint8Array;
}

export interface ReplayOptions {
  readonly port: number;
  readonly link: LinkProtocol;
  readonly dialogue: readonly WirePiece[];
  readonly times: number;
}

/** Milliseconds of each round. Nothing is sent before the previous answer is complete. */
export async function replayDialogue({ port, link, dialogue, times }: ReplayOptions): Promise<number[]> {
  const socket = connect({ host: "127.0.0.1", port, noDelay: true });
  const took: number[] = [];
  try {
    const playOnce = link === "v1" ? () => playBytes(socket, dialogue) : await renumbered(socket, dialogue);
    for (let number = 0; number < times; number += 1) {
      const startedAt = performance.now();
      await playOnce();
      took.push(performance.now() - startedAt);
    }
  } finally {
    socket.destroy();
  }
  return took;
}

async function playBytes(socket: Socket, dialogue: readonly WirePiece[]): Promise<void> {
  for (const { direction, bytes } of dialogue) {
    if (direction === "in") socket.write(bytes);
    else await readBytes(socket, bytes.length);
  }
}

async function readBytes(socket: Socket, count: number): Promise<void> {
  let left = count;
  while (left > 0) {
    const chunk: Buffer | null = socket.read(Math.min(left, Math.max(1, socket.readableLength)));
    if (chunk === null) await once(socket, "readable");
    else left -= chunk.length;
  }
}

/** A register of link protocol 2 carries out only the next number, so the frames are numbered again. */
async function renumbered(socket: Socket, dialogue: readonly WirePiece[]): Promise<() => Promise<void>> {
  const requests = dialogue.filter(({ direction }) => direction === "in").flatMap(({ bytes }) => payloadsIn(bytes));
  let onNumber: ((number: number) => void) | null = null;
  const decoder = createStxCrcDecoder((event) => {
    if (event.kind === "frame") onNumber?.(event.number);
  });
  socket.on("data", (bytes: Buffer) => decoder.push(bytes));

  function ask(frame: Uint8Array): Promise<number> {
    return new Promise((resolve) => {
      onNumber = resolve;
      socket.write(frame);
    });
  }
  let number = await ask(encodeStxCrcSync());
  return async () => {
    for (const payload of requests) number = await ask(encodeStxCrc((number + 1) % 0x10000, payload));
  };
}

function payloadsIn(bytes: Uint8Array): Uint8Array[] {
  const payloads: Uint8Array[] = [];
  createStxCrcDecoder((event) => {
    if (event.kind === "frame") payloads.push(event.payload);
  }).push(bytes);
  return payloads;
}
