import { findLocalRefusal } from "@fiscald/shared/http/local-guard.js";

const socket = { localAddress: "127.0.0.1" };
const json = { "content-type": "application/json", "content-length": "2" };
const statusOf = (headers: Record<string, string>) => findLocalRefusal({ headers, socket }, [])?.status ?? null;

const own = "http://127.0.0.1:5480";
const text = { "content-type": "text/plain", "content-length": "2" };

test.each([
  ["from the page's own origin", { host: "127.0.0.1:5480", origin: own }, null],
  ["from the page's own origin over TLS", { host: "localhost:5480", origin: "https://localhost:5480" }, null],
  [
    "from an origin that only ends like the host",
    { host: "localhost:5480", origin: "http://evil-localhost:5480" },
    403,
  ],
  ["from an origin on another port", { host: "localhost:5480", origin: "http://localhost:8080" }, 403],
  ["to an IPv6 host with a port", { host: "[::1]:5480" }, null],
  ["to a host in capitals", { host: "LOCALHOST:5480" }, null],
  ["to a host that only begins like localhost", { host: "localhost.evil.example" }, 403],
  ["without a host", { host: "" }, 403],
  ["with a JSON body", { host: "localhost", ...json }, null],
  ["with a form's body", { host: "localhost", ...text }, 415],
  ["with a body in chunks that is no JSON", { host: "localhost", "transfer-encoding": "chunked" }, 415],
])(
  "a request %s to a local server, with %j, gets the status %j (null means that the request is accepted)",
  (_, headers, status) => {
    expect(statusOf(headers)).toBe(status);
  },
);
