import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { wrongValue } from "@fiscald/shared/command-line.js";
import type { z } from "zod";
import { type Language, type Messages, messagesIn } from "../../messages/messages.js";
import { commandReasons } from "../../messages/reasons/command-reasons.js";
import { issueReason } from "../../messages/reasons/issue-reasons.js";

interface TextOptions {
  /** An empty line gives this answer; absent: an answer is required. */
  readonly otherwise?: string;
  readonly problem?: (answer: string) => string | null;
}

interface QuestionsOptions {
  readonly input: QuestionsInput;
  readonly out: (text: string) => void;
  readonly stopSignal: AbortSignal;
  readonly language?: Language;
}

/** A terminal shows what is typed, except in raw mode. */
export type QuestionsInput = Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };

/** Null: the schema accepts the answer. */
export function wrongBy(schema: z.ZodType, language: Language): (answer: unknown) => string | null {
  return (answer) => {
    const [issue] = schema.safeParse(answer).error?.issues ?? [];
    return issue === undefined ? null : issueReason(issue)[language];
  };
}

const INTERRUPT = "\u0003";
const END_OF_INPUT = "\u0004";

/** Every question rejects with `usage.wrong` if the input ends or the process is asked to stop. */
export class Questions {
  readonly language: Language;
  readonly words: Messages;
  readonly #input: QuestionsInput;
  readonly #out: (text: string) => void;
  readonly #stopSignal: AbortSignal;
  readonly #decoder = new StringDecoder("utf8");
  /** Answers may arrive before their questions, because a pipe delivers all of them at once. */
  readonly #lines: string[] = [];
  #unfinishedLine = "";
  #hasEnded = false;
  #wake: (() => void) | null = null;
  /** In raw mode a line ends with CR, and Backspace, Ctrl+C and Ctrl+D arrive as characters. */
  #isRaw = false;

  constructor({ input, out, stopSignal, language = "en" }: QuestionsOptions) {
    this.language = language;
    this.words = messagesIn(language);
    this.#input = input;
    this.#out = out;
    this.#stopSignal = stopSignal;
    input.on("data", this.#onData).once("end", this.#onInputEnd);
    stopSignal.addEventListener("abort", this.#end, { once: true });
  }

  text(question: string, options: TextOptions = {}): Promise<string> {
    return this.#ask(question, options, (prompt) => this.#readLine(prompt));
  }

  secret(question: string, options: TextOptions = {}): Promise<string> {
    return this.#ask(question, options, (prompt) => this.#readHiddenLine(prompt));
  }

  async yesNo(question: string, otherwise: boolean): Promise<boolean> {
    const { problems, yesNo } = this.words.init;
    const problem = (answer: string) => (yesOrNo(answer) === null ? problems.yesNo : null);
    const [yes, no] = yesNo.split("/");
    return (
      yesOrNo(await this.text(`${question} (${yesNo})`, { otherwise: (otherwise ? yes : no) ?? "", problem })) ??
      otherwise
    );
  }

  async choose<T extends string>(question: string, choices: readonly T[], otherwise?: T): Promise<T> {
    const find = (answer: string) => choices.find((choice) => choice.toLowerCase() === answer.toLowerCase());
    const problem = (answer: string) =>
      find(answer) === undefined ? this.words.init.problems.oneOf({ choices: choices.join(", ") }) : null;
    const rule = { ...(otherwise === undefined ? {} : { otherwise }), problem };
    for (;;) {
      const found = find(await this.text(`${question} (${choices.join(", ")})`, rule));
      if (found !== undefined) return found;
    }
  }

  orNone(question: string): string {
    return `${question} (${this.words.init.orNone})`;
  }

  close(): void {
    this.#stopSignal.removeEventListener("abort", this.#end);
    this.#input.off("data", this.#onData).off("end", this.#onInputEnd);
    this.#input.pause();
  }

  async #ask(
    question: string,
    { otherwise, problem = () => null }: TextOptions,
    read: (prompt: string) => Promise<string>,
  ): Promise<string> {
    const prompt = `${question}${otherwise === undefined || otherwise === "" ? "" : ` [${otherwise}]`}: `;
    for (;;) {
      const answer = (await read(prompt)) || otherwise;
      const wrong = answer === undefined ? this.words.init.problems.needed : problem(answer);
      if (wrong === null && answer !== undefined) return answer;
      this.#out(`  ${wrong}\n`);
    }
  }

  #readLine(prompt: string): Promise<string> {
    this.#out(prompt);
    return this.#nextLine();
  }

  /** Raw mode is set before the prompt, so that fast typing is also hidden. */
  async #readHiddenLine(prompt: string): Promise<string> {
    const input = this.#input;
    if (input.isTTY !== true || input.setRawMode === undefined) return this.#readLine(prompt);
    input.setRawMode(true);
    this.#isRaw = true;
    try {
      const line = applyBackspaces(await this.#readLine(prompt));
      this.#out("\n");
      return line;
    } finally {
      this.#isRaw = false;
      input.setRawMode(false);
    }
  }

  async #nextLine(): Promise<string> {
    while (this.#lines.length === 0 && !this.#hasEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const line = this.#stopSignal.aborted ? undefined : this.#lines.shift();
    if (line !== undefined) return line.trim();
    this.#out("\n");
    throw wrongValue(commandReasons.noAnswer);
  }

  readonly #onData = (chunk: Buffer | string): void => {
    this.#addText(typeof chunk === "string" ? chunk : this.#decoder.write(chunk));
  };

  readonly #onInputEnd = (): void => {
    if (this.#unfinishedLine !== "") this.#addText("\n");
    this.#end();
  };

  readonly #end = (): void => {
    this.#hasEnded = true;
    this.#wake?.();
  };

  #addText(text: string): void {
    if (this.#isRaw && (text.includes(INTERRUPT) || text.includes(END_OF_INPUT))) this.#end();
    const found = (this.#unfinishedLine + text).split(this.#isRaw ? /[\r\n]/ : /\r?\n/);
    this.#unfinishedLine = found.pop() ?? "";
    this.#lines.push(...found);
    this.#wake?.();
  }
}

function applyBackspaces(keys: string): string {
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
