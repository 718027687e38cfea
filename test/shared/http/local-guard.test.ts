import { findLocalRefusal } from "@fiscald/shared/http/local-guard.js";

const socket = { localAddress: "127.0.0.1" };
const json = { "content-type": "application/json", "content-length": "2" };
const statusOf = (headers: Record<string, string>) => findLocalRefusal({ headers, socket }, [])?.status ?? null;

test.each([
  ["admits a request from the page's own origin", { host: "127.0.0.1:5480", origin: "http://127.0.0.1:5480" }, null],
  [
    "admits a request from the page's own origin over TLS",
    { host: "localhost:5480", origin: "https://localhost:5480" },
    null,
  ],
  [
    "refuses a request from an origin that only ends like the host",
    { host: "localhost:5480", origin: "http://evil-localhost:5480" },
    403,
  ],
  [
    "refuses a request from an origin on another port",
    { host: "localhost:5480", origin: "http://localhost:8080" },
    403,
  ],
  ["admits a request to an IPv6 host with a port", { host: "[::1]:5480" }, null],
  ["admits a request to a host in capitals", { host: "LOCALHOST:5480" }, null],
  ["refuses a request to a host that only begins like localhost", { host: "localhost.evil.example" }, 403],
  ["refuses a request without a host", { host: "" }, 403],
  ["admits a request with a JSON body", { host: "localhost", ...json }, null],
  [
    "refuses a request with a form's body",
    { host: "localhost", "content-type": "text/plain", "content-length": "2" },
    415,
  ],
  [
    "refuses a request with a body in chunks that is no JSON",
    { host: "localhost", "transfer-encoding": "chunked" },
    415,
  ],
])("a local server %s", (_, headers, status) => {
  expect(statusOf(headers)).toBe(status);
});
