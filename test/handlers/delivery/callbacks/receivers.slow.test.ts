/** Runs the example receivers of CALLBACKS.md as they are printed there: signature and sequence. */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { freePort } from "../../../support/free-port.js";
import { needing } from "../../../support/has-program.js";
import { root } from "../../../support/read-imports.js";
import { useTempFolder } from "../../../support/temp-folder.js";
import { waitFor } from "../../../support/wait-for.js";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const page = readFileSync(join(root, "handlers/delivery/CALLBACKS.md"), "utf8");

interface SentCallback {
  readonly sequence: number;
  readonly isRefund?: number;
  readonly key?: string;
  readonly at?: number;
}

function post(url: string, { sequence, isRefund = 0, key = secret, at = Date.now() }: SentCallback): Promise<Response> {
  const body = JSON.stringify({ items: [{ orderId: 1042 }] });
  const id = `msg_${sequence}_${isRefund}`;
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at / 1000)),
    "webhook-signature": new Webhook(key).sign(id, new Date(at), body),
    "x-order-sequence": String(sequence),
    "x-order-is-refund": String(isRefund),
  };
  return fetch(url, { method: "POST", headers, body });
}

describe.each([
  ["js", "receiver.mjs", "node", () => ["receiver.mjs"]],
  ["php", "receiver.php", "php", (port: number) => ["-S", `127.0.0.1:${port}`, "receiver.php"]],
  ["python", "receiver.py", "python3", () => ["receiver.py"]],
])("the receiver in %s", (language, file, program, words) => {
  const folder = useTempFolder();
  const needed = needing(program);

  needed.test(
    `takes signed callbacks in their order, and no foreign, stale or older ones${needed.reason}`,
    async () => {
      const [, code = ""] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\n\`\`\``).exec(page) ?? [];
      writeFileSync(join(folder(), file), code);
      const port = await freePort();
      const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) };
      const child = spawn(program, words(port), { cwd: folder(), env });
      let printed = "";
      for (const stream of [child.stdout, child.stderr]) {
        stream.on("data", (chunk: Buffer) => {
          printed += chunk.toString();
        });
      }
      const url = `http://127.0.0.1:${port}/`;
      const status = async (callback: SentCallback) => (await post(url, callback)).status;
      const isThere = () =>
        status({ sequence: 0 }).then(
          () => true,
          () => false,
        );
      try {
        await waitFor("the receiver listens", isThere);
        expect([
          await status({ sequence: 2 }),
          await status({ sequence: 1 }),
          await status({ sequence: 1, isRefund: 1 }),
          await status({ sequence: 3, key: "whsec_c2VjcmV0c2VjcmV0c2VjcmV0" }),
          await status({ sequence: 4, at: Date.now() - 3_600_000 }),
          await status({ sequence: 5 }),
        ]).toEqual([204, 204, 204, 401, 401, 204]);
        await waitFor("the last one is told", () => printed.includes("order 1042 0: 5"));
        const told = [...printed.matchAll(/order \d+ \d: \d+/g)].map(([line]) => line);
        expect(told).toEqual(["order 1042 0: 2", "order 1042 1: 1", "order 1042 0: 5"]);
      } finally {
        child.kill();
      }
    },
  );
});
