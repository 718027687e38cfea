import { webhookHeaders } from "@fiscald/shared/http/webhook-headers.js";
import { Webhook } from "standardwebhooks";

const secret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

test("a receiver that follows Standard Webhooks accepts the signature with the exact body only", () => {
  const body = '{"сумма": 1}';
  const headers = webhookHeaders({ id: "msg-1", now: Date.now(), body, secret });
  expect(new Webhook(secret).verify(body, headers)).toEqual({ сумма: 1 });
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
});

test("a webhook secret without its prefix gives the same signature", () => {
  const call = { id: "msg-1", now: 1_700_000_000_999, body: "{}" };
  expect(webhookHeaders({ ...call, secret })).toEqual(webhookHeaders({ ...call, secret: secret.slice(6) }));
  expect(webhookHeaders({ ...call, secret: null })).toEqual({
    "webhook-id": "msg-1",
    "webhook-timestamp": "1700000000",
  });
});

test("a webhook secret that is no base64 is refused", () => {
  expect(() => webhookHeaders({ id: "a", now: 0, body: "", secret: "не секрет" })).toThrow("base64");
});
