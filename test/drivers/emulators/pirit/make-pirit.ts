import { preparePirit } from "@fiscald/emulators/pirit/emulator.js";
import iconv from "iconv-lite";
import { type CoreOptions, makeMemory } from "../make-memory.js";

interface PiritOptions extends CoreOptions {
  readonly model?: string;
  readonly unconfirmed?: Readonly<Record<string, string>>;
  /** False: "start of work" has not been done. */
  readonly started?: boolean;
}

/** A PIRIT's commands without a link: `ask("42", "Чай", ...)` is code and fields; `00|a|b` is error and fields. */
export function makePirit({ model, unconfirmed = {}, started = true, ...core }: PiritOptions = {}) {
  const prepared = preparePirit({ model: model ?? null, protocol: null, unconfirmed, wire: "loopback" });
  const made = makeMemory(prepared, core);
  const { makerProtocol } = made;
  const ask = (code: string, ...fields: readonly (string | number)[]) =>
    answerText(makerProtocol.perform(command(code, fields)));
  // 15:00 in Moscow, the fake clock's time.
  if (started) ask("10", "201126", "150000");
  /** `42 Чай||1|1.00|1` is a code and its fields. */
  const answerTo = (line: string) => ask(line.slice(0, 2), ...(line.length > 2 ? line.slice(3).split("|") : []));
  return { ...made, ask, answerTo };
}

export type Pirit = ReturnType<typeof makePirit>;

/** Password PIRI, packet id 20, code, fields in CP866 with their separators. */
export function command(code: string, fields: readonly (string | number)[] = []): Uint8Array {
  return iconv.encode(`PIRI ${code}${fields.map((field) => `${field}\u001c`).join("")}`, "cp866");
}

function answerText(answer: Uint8Array): string {
  const text = iconv.decode(Buffer.from(answer), "cp866");
  const [head = "", ...fields] = text.split("\u001c");
  if (fields.length === 0) return head.slice(3);
  return [head.slice(3, 5), head.slice(5), ...fields.slice(0, -1)].join("|");
}

/** Opens shift and receipt, sells one thing for cash and returns the answer of 31. */
export function sell({ core, ask }: Pirit, price: string, name = "Чай"): string {
  if (core.shift === "closed") ask("23", "Иванов");
  ask("30", 2, 1, "Иванов", 0, 0);
  ask("42", name, "", 1, price, 1);
  ask("47", 0, price);
  return ask("31", 0);
}
