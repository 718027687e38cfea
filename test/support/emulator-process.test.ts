import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { controlEmulator } from "./emulator-process.js";

test("each call to an emulator's control port has its own connection, so that none is closed during a call", async () => {
  let connections = 0;
  const server = createServer((_request, response) => response.end("[]"));
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const emulator = controlEmulator("tcp:127.0.0.1:1", `http://127.0.0.1:${port}`, async () => {});
  try {
    await emulator.documents();
    await emulator.addFault({ kind: "silent" });
    await emulator.documents();
    expect(connections).toBe(3);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
