import { findLocalRefusal } from "@fiscald/shared/http/local-guard.js";

const socket = { localAddress: "127.0.0.1" };
const json = { "content-type": "application/json", "content-length": "2" };
const statusOf = (headers: Record<string, string>) => findLocalRefusal({ headers, socket }, [])?.status ?? null;

test.each([
  ["the page's own origin", { host: "127.0.0.1:5480", origin: "http://127.0.0.1:5480" }, null],
  ["its origin over TLS", { host: "localhost:5480", origin: "https://localhost:5480" }, null],
  ["an origin that only ends like it", { host: "localhost:5480", origin: "http://evil-localhost:5480" }, 403],
  ["an origin on another port", { host: "localhost:5480", origin: "http://localhost:8080" }, 403],
  ["an IPv6 host with a port", { host: "[::1]:5480" }, null],
  ["a host in capitals", { host: "LOCALHOST:5480" }, null],
  ["a host that only begins like this one", { host: "localhost.evil.example" }, 403],
  ["no host", { host: "" }, 403],
  ["a JSON body", { host: "localhost", ...json }, null],
  ["a form's body", { host: "localhost", "content-type": "text/plain", "content-length": "2" }, 415],
  ["a body in chunks that is no JSON", { host: "localhost", "transfer-encoding": "chunked" }, 415],
])("%s", (_, headers, status) => {
  expect(statusOf(headers)).toBe(status);
});
