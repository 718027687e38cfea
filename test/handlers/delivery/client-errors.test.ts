import { connect } from "node:net";
import { silentLogger } from "@fiscald/shared/logger.js";
import { serveSite } from "#handlers/cli/serve-site.js";
import { createSqliteFile } from "../../support/site-databases.js";

test.each([
  [
    "the header journalParams[deliveryStatusId] is answered with the forms that work",
    "journalParams[deliveryStatusId]: 3",
    "journalParams[deliveryStatusId]: HTTP forbids [ and ] in the name of a header",
  ],
  ["a header that is not HTTP is answered with the reason", "no header at all", "The request is not HTTP"],
])("%s", async (_title, header, message) => {
  const database = await createSqliteFile();
  const site = await serveSite({
    port: 0,
    host: "127.0.0.1",
    database: database.address,
    demoShop: false,
    logger: silentLogger,
  });
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(site.url).port), "127.0.0.1");
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    socket.on("end", () => resolve(text));
    socket.on("error", reject);
    socket.write(`GET /v1/orders HTTP/1.1\r\nHost: shop\r\n${header}\r\n\r\n`);
  });
  await site.close();
  await database.drop();
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  expect(head).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.parse(body)).toEqual({ error: true, message: expect.stringContaining(message) });
});
