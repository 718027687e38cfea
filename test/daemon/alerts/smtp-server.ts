/** A mail server that keeps every mail that it accepts. */
import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";

export interface ReceivedMail {
  readonly to: readonly string[];
  readonly login: string | null;
  readonly source: string;
}

export interface SmtpServer {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  /** `answer` is given to `MAIL FROM` from now on; null = the mail is accepted. */
  refuse(answer: string | null): void;
  close(): Promise<void>;
}

export async function startSmtpServer(): Promise<SmtpServer> {
  const mails: ReceivedMail[] = [];
  let refusal: string | null = null;

  async function serve(socket: Socket): Promise<void> {
    const say = (line: string) => void socket.write(`${line}\r\n`);
    let to: string[] = [];
    let login: string | null = null;
    let source: string[] | null = null;
    say("220 test");
    for await (const line of createInterface({ input: socket })) {
      if (source !== null) {
        if (line !== ".") source.push(line.replace(/^\./, ""));
        else {
          mails.push({ to, login, source: source.join("\n") });
          [source, to] = [null, []];
          say("250 kept");
        }
      } else if (/^EHLO/i.test(line)) {
        say("250-test");
        say("250 AUTH PLAIN");
      } else if (/^AUTH PLAIN/i.test(line)) {
        login = Buffer.from(line.slice("AUTH PLAIN ".length), "base64").toString("utf8").replaceAll("\0", " ").trim();
        say("235 welcome");
      } else if (/^MAIL/i.test(line)) say(refusal ?? "250 go on");
      else if (/^RCPT/i.test(line)) {
        to.push(/<([^>]*)>/.exec(line)?.[1] ?? "");
        say("250 go on");
      } else if (/^DATA/i.test(line)) {
        source = [];
        say("354 go on");
      } else if (/^QUIT/i.test(line)) {
        say("221 bye");
        socket.end();
      } else say("250 fine");
    }
  }

  const server = createServer((socket) => {
    socket.on("error", () => {});
    void serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    mails,
    refuse(answer) {
      refusal = answer;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
