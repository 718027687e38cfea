import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { Fault } from "@fiscald/shared/fault.js";

/** Asks a person, or a file that answers for one: one line an answer. An answer that will not do is asked for again. */
export interface Questions {
  /** `otherwise` is what Enter means; without it an answer is needed. `problem` says what is wrong with one, or null. */
  text(question: string, options?: TextOptions): Promise<string>;
  /** The same, and what is typed is not shown. */
  secret(question: string, options?: TextOptions): Promise<string>;
  yesNo(question: string, otherwise: boolean): Promise<boolean>;
  choose<T extends string>(question: string, choices: readonly T[], otherwise: T): Promise<T>;
  close(): void;
}

export interface TextOptions {
  readonly otherwise?: string;
  readonly problem?: (answer: string) => string | null;
}

export interface QuestionsOptions {
  readonly input: QuestionsInput;
  readonly out: (text: string) => void;
  readonly stopSignal: AbortSignal;
}

/** A terminal shows what is typed, unless it is told not to. */
export type QuestionsInput = Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };

const INTERRUPT = "\u0003";
const END_OF_INPUT = "\u0004";

/** Every question rejects with `usage.wrong` when the input ends or the process is to stop. */
export function createQuestions({ input, out, stopSignal }: QuestionsOptions): Questions {
  // Answers may come faster than the questions: a pipe gives all of them at once.
  const lines: string[] = [];
  let ended = false;
  let wake: (() => void) | null = null;
  let rest = "";
  // A terminal without its own editing ends a line by CR alone, and gives the keys that take back or give up as they are.
  let isRaw = false;
  const decoder = new StringDecoder("utf8");
  const end = () => {
    ended = true;
    wake?.();
  };
  const onText = (text: string) => {
    if (isRaw && (text.includes(INTERRUPT) || text.includes(END_OF_INPUT))) end();
    const found = (rest + text).split(isRaw ? /[\r\n]/ : /\r?\n/);
    rest = found.pop() ?? "";
    lines.push(...found);
    wake?.();
  };
  const onData = (chunk: Buffer | string) => onText(typeof chunk === "string" ? chunk : decoder.write(chunk));
  const onEnd = () => {
    if (rest !== "") onText("\n");
    end();
  };
  input.on("data", onData).once("end", onEnd);
  stopSignal.addEventListener("abort", end, { once: true });

  async function nextLine(): Promise<string> {
    while (lines.length === 0 && !ended) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    const line = stopSignal.aborted ? undefined : lines.shift();
    if (line !== undefined) return line.trim();
    out("\n");
    throw new Fault("usage.wrong", { message: "there was no answer to the question; nothing was written" });
  }

  async function shownLine(prompt: string): Promise<string> {
    out(prompt);
    return nextLine();
  }

  /** What is typed at once when the question shows is not shown either. */
  async function unseenLine(prompt: string): Promise<string> {
    if (input.isTTY !== true || input.setRawMode === undefined) return shownLine(prompt);
    input.setRawMode(true);
    isRaw = true;
    try {
      const line = takeBack(await shownLine(prompt));
      out("\n");
      return line;
    } finally {
      isRaw = false;
      input.setRawMode(false);
    }
  }

  async function ask(
    question: string,
    { otherwise, problem = () => null }: TextOptions,
    read: (prompt: string) => Promise<string>,
  ): Promise<string> {
    const prompt = `${question}${otherwise === undefined || otherwise === "" ? "" : ` [${otherwise}]`}: `;
    for (;;) {
      const answer = (await read(prompt)) || otherwise;
      const wrong = answer === undefined ? "an answer is needed here" : problem(answer);
      if (wrong === null && answer !== undefined) return answer;
      out(`  ${wrong}\n`);
    }
  }

  const text: Questions["text"] = (question, options = {}) => ask(question, options, shownLine);

  return {
    text,
    secret: (question, options = {}) => ask(question, options, unseenLine),
    async yesNo(question, otherwise) {
      const problem = (answer: string) => (yesOrNo(answer) === null ? "answer y or n" : null);
      return yesOrNo(await text(`${question} (y/n)`, { otherwise: otherwise ? "y" : "n", problem })) ?? otherwise;
    },
    async choose(question, choices, otherwise) {
      const find = (answer: string) => choices.find((choice) => choice === answer.toLowerCase());
      const problem = (answer: string) => (find(answer) === undefined ? `answer one of: ${choices.join(", ")}` : null);
      return find(await text(`${question} (${choices.join(", ")})`, { otherwise, problem })) ?? otherwise;
    },
    close() {
      stopSignal.removeEventListener("abort", end);
      input.off("data", onData).off("end", onEnd);
      input.pause();
    },
  };
}

/** What is left of a line when each backspace has taken the letter before it. */
function takeBack(keys: string): string {
  const letters: string[] = [];
  for (const key of keys) {
    if (key === "\b" || key === "\u007f") letters.pop();
    else letters.push(key);
  }
  return letters.join("");
}

function yesOrNo(answer: string): boolean | null {
  if (/^(y|yes|д|да)$/i.test(answer)) return true;
  return /^(n|no|н|нет)$/i.test(answer) ? false : null;
}
