"""A site in Python that makes the mistake of its first argument; `right` makes none.

Its secret is in a header of its own, its order in memory. It answers in the online format. Prints `ready PORT`.
"""
import hmac
import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

mistake = sys.argv[1] if len(sys.argv) > 1 else "right"
secret = os.environ.get("FISCAL_SECRET", "")
kkm = "0001234567012345"
order = {"id": "A-1", "state": "paid"}
results = []
DONE = {"resultCode": 0}


def order_answer(asking):
    item = {"name": "Чай", "price": 120, "quantity": 2, "sum": 240, "tax": 11}
    if mistake == "tax-text":
        item["tax"] = "НДС 22%"
    return {
        "kkm": asking,
        "external_id": order["id"],
        "receipt": {"items": [item], "total": 240, "payments": [{"type": 1, "sum": 240}]},
    }


def answer_to(call):
    action = call.get("action")
    if action == "order":
        asking = call.get("kkm") if mistake == "two-tills" else kkm
        return order_answer(asking) if order["state"] == "paid" and call.get("kkm") == asking else DONE
    if action == "orderConfirm":
        if mistake == "second-result" and call["orderId"] in results:
            raise ValueError("UNIQUE constraint failed: results.order_id")
        results.append(call["orderId"])
        if call["orderId"] == order["id"] and order["state"] != "printed":
            order["state"] = call["outcome"]
        return DONE
    if action in ("sync", "KKMConnected", "KKMDisconnected", "ZReport"):
        return DONE
    return {"resultCode": 2, "resultInfo": "this action is not known"}


class Site(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not hmac.compare_digest(self.headers.get("x-fiscal-key", ""), secret):
            return self.send(401, {"resultCode": 4, "resultInfo": "the secret is wrong"})
        try:
            call = json.loads(body)
        except ValueError:
            status = 500 if mistake == "broken-body" else 400
            return self.send(status, {"resultCode": 1, "resultInfo": "the body is no JSON"})
        try:
            self.send(200, answer_to(call))
        except ValueError as error:
            self.send(500, {"resultCode": 4, "resultInfo": str(error)})

    def send(self, status, answer):
        text = str(answer) if mistake == "python-repr" else json.dumps(answer, ensure_ascii=False)
        data = text.encode("cp1251" if mistake in ("charset", "declared-1251") else "utf-8")
        if mistake == "cut-name":
            data = data.replace("Чай".encode(), "Чай".encode()[:5])
        if mistake == "mixed-encodings":
            data = data.replace("Чай".encode(), "Чай".encode("cp1251") + "Чай".encode())
        self.send_response(status)
        declared = "; charset=windows-1251" if mistake == "declared-1251" else ""
        self.send_header("content-type", "application/json" + declared)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
print(f"ready {server.server_port}", flush=True)
server.serve_forever()
