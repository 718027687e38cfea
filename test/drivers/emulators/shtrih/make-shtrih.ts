import { prepareShtrih } from "@fiscald/emulators/shtrih/emulator.js";
import { hex, toHex } from "../../vectors/hex.js";
import { type CoreOptions, makeMemory } from "../make-memory.js";

interface ShtrihOptions extends CoreOptions {
  readonly model?: string;
  readonly unconfirmed?: Readonly<Record<string, string>>;
}

/** A Shtrih-M register's commands without a link: bytes of a command in, bytes of its answer out, both as hex text. */
export function makeShtrih({ model, unconfirmed = {}, ...core }: ShtrihOptions = {}) {
  const prepared = prepareShtrih({ model: model ?? null, protocol: null, unconfirmed, wire: "loopback" });
  const made = makeMemory(prepared, core);
  const { makerProtocol } = made;
  /** `ask("10 1E000000")`; spaces are ignored. */
  const ask = (command: string) => toHex(makerProtocol.perform(hex(command)));
  const answerTo = (command: string) => ask(commandOf(command));
  return { ...made, ask, answerTo };
}

export type Shtrih = ReturnType<typeof makeShtrih>;

export const OP = "01000000";
export const ADMIN = "1D000000";
export const SYS = "1E000000";
export const NONE = "FFFFFFFFFF";

/** Little-endian hex of a number. */
export function le(value: number, size: number): string {
  let text = "";
  for (let at = 0, rest = value; at < size; at++, rest = Math.floor(rest / 256)) {
    text += (rest % 256).toString(16).padStart(2, "0");
  }
  return text;
}

export interface ItemBytes {
  readonly operation?: number;
  readonly quantity?: number;
  readonly price: number;
  readonly sum?: string | undefined;
  readonly tax?: string | undefined;
  /** CP1251 hex; default "А". */
  readonly name?: string | undefined;
  readonly password?: string;
}

/** FF46h, written out by hand from the maker's manual. */
export function itemCommand(item: ItemBytes): string {
  const { operation = 1, quantity = 1_000_000, price, sum = NONE, tax = "01", name = "C0", password = OP } = item;
  return `FF46 ${password} ${le(operation, 1)} ${le(quantity, 6)} ${le(price, 5)} ${sum} ${NONE} ${tax} 01 04 01 ${name}`;
}

/** FF45h, 8.4: sums of the 16 payment types, no rounding, tax sums of zero, general tax system. */
export function closeCommand(
  payments: Readonly<Record<number, number>>,
  options: { password?: string; rounding?: number; taxSystem?: string | undefined } = {},
): string {
  const sums = Array.from({ length: 16 }, (_, index) => le(payments[index + 1] ?? 0, 5)).join("");
  return `FF45 ${options.password ?? OP} ${sums} ${le(options.rounding ?? 0, 1)} ${le(0, 30)} ${options.taxSystem ?? "01"}`;
}

const passwords: Readonly<Record<string, string>> = { OP, ADMIN, SYS };

/**
 * A command of a dialogue as hex. OP, ADMIN and SYS are passwords, `5:1500` is a number of five bytes, `"A1"` is a text.
 * `ITEM 1500 tax=CB` is FF46h, `PAY 1=1500 round=99` is FF45h.
 */
function commandOf(line: string): string {
  const [name = "", ...words] = line.split(/ +/);
  const given = Object.fromEntries(words.map((word) => word.split("=")));
  const { tax, name: itemName, taxSystem, operation = 1, quantity = 1_000_000, sum, round = 0 } = given;
  const password = bytesOf(given.password ?? "OP");
  if (name === "ITEM") {
    const numbers = { operation: Number(operation), quantity: Number(quantity), price: Number(words[0]) };
    return itemCommand({ ...numbers, tax, name: itemName, sum: sum && le(Number(sum), 5), password });
  }
  if (name !== "PAY") return [name, ...words].map(bytesOf).join("");
  const sums = words.filter((word) => /^\d/.test(word)).map((word) => word.split("=").map(Number));
  return closeCommand(Object.fromEntries(sums), { password, rounding: Number(round), taxSystem });
}

function bytesOf(word: string): string {
  const [, size, value] = /^(\d):(\d+)$/.exec(word) ?? [];
  if (size !== undefined) return le(Number(value), Number(size));
  return word.startsWith('"') ? Buffer.from(word.slice(1, -1), "latin1").toString("hex") : (passwords[word] ?? word);
}

/** Sells one line for cash and returns the answer of the close. */
export function sell({ ask }: Shtrih, price: number, name = "C0"): string {
  ask(`8D ${OP} 00`);
  ask(itemCommand({ price, name }));
  return ask(closeCommand({ 1: price }));
}
