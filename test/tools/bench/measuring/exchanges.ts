/** Names the exchanges on a register's wire, and separates those that no program could do without. */
import { createStxCrcDecoder } from "@fiscald/drivers/framing/stx-crc-stuffed.js";
import { createStxLrcDecoder } from "@fiscald/drivers/framing/stx-lrc.js";
import type { WirePiece } from "./replay-dialogue.js";

export interface Exchange {
  readonly name: string;
  bytes: number;
  trips: number;
}

/** The name of a request. Null: the request belongs to the one after it (ENQ). "": it continues the one before. */
export type NameRequest = (request: Uint8Array) => string | null;

export function exchangesIn(pieces: readonly WirePiece[], nameOf: NameRequest): readonly Exchange[] {
  const exchanges: Exchange[] = [];
  let ahead = { bytes: 0, trips: 0 };
  for (let at = 0; at < pieces.length; ) {
    const request = takeAll("in");
    const answer = takeAll("out");
    const bytes = ahead.bytes + request.length + answer.length;
    const trips = ahead.trips + (answer.length > 0 ? 1 : 0);
    ahead = { bytes: 0, trips: 0 };
    const name = nameOf(request);
    const before = exchanges.at(-1);
    if (name === null && at < pieces.length) ahead = { bytes, trips };
    else if (name || before === undefined) exchanges.push({ name: name ?? "", bytes, trips });
    else {
      before.bytes += bytes;
      before.trips += trips;
    }

    function takeAll(direction: WirePiece["direction"]): Buffer {
      const from = at;
      while (pieces[at]?.direction === direction) at += 1;
      return Buffer.concat(pieces.slice(from, at).map((piece) => piece.bytes));
    }
  }
  return exchanges;
}

/**
 * Separates the necessary exchanges, whose names stand in the list, from the others. `NAME*` in the list means any
 * number of this name. Throws where a necessary exchange is missing.
 */
export function splitByNeed(exchanges: readonly Exchange[], list: string) {
  const missing = list.split(" ");
  const [needed, beyond]: [Exchange[], Exchange[]] = [[], []];
  for (const exchange of exchanges) {
    const at = missing.indexOf(exchange.name);
    if (at >= 0) missing.splice(at, 1);
    (at >= 0 || list.split(" ").includes(`${exchange.name}*`) ? needed : beyond).push(exchange);
  }
  const left = missing.filter((name) => !name.endsWith("*"));
  if (left.length > 0) throw new Error(`not on the wire: ${left} (${exchanges.map(({ name }) => name)})`);
  return { needed, beyond };
}

type Frames = (emit: (event: { readonly kind: string; readonly payload?: Uint8Array }) => void) => {
  push(bytes: Uint8Array): void;
};

/** As `11`, `FF46`. */
function nameShtrih(createDecoder: Frames): NameRequest {
  return (request) => {
    let name: string | null = null;
    createDecoder(({ payload }) => {
      if (payload !== undefined) name = Buffer.from(payload.subarray(0, payload[0] === 0xff ? 2 : 1)).toString("hex");
    }).push(request);
    return name;
  };
}

export const requestNames: Readonly<Record<string, NameRequest>> = {
  "shtrih-v1": nameShtrih(createStxLrcDecoder),
  "shtrih-v2": nameShtrih(createStxCrcDecoder),
  /** As `31`, `78/1`. */
  pirit(request) {
    const [, code = "", field = ""] = /PIRI.(\d\d)(\d*)/s.exec(text(request)) ?? [];
    return code === "" ? null : ["01", "02", "03", "78"].includes(code) ? `${code}/${field}` : code;
  },
  /** The first type of a task or of its result; `queue` for the state of the queue. */
  "atol-v2": (request) =>
    /"type":"(\w+)"/.exec(text(request))?.[1] ?? (text(request).includes("QueueStatus") ? "queue" : ""),
  reference: (request) => / ([A-Z-]+) /.exec(text(request))?.[1] ?? null,
};

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}
