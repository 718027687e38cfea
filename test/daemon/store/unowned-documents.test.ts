import { unknownDocument } from "@fiscald/drivers/codec/document-tags.js";
import { toFnSerial, toRegisterId } from "@fiscald/shared/ids.js";
import { useStores } from "../../support/use-stores.js";

const { open } = useStores();

test("the store keeps a drive's last thousand documents without a job, and every such document that has an order mark", () => {
  const { documents } = open();
  const [fn, register] = [toFnSerial("9999078900000001"), toRegisterId("till-1")];
  const keep = (fd: number, mark: string | null) =>
    documents.keep({ fn, register, document: { ...unknownDocument(fd), mark }, foundWhen: "running" }, 0);
  keep(1, "A-1 5f0b5f0b.0123abcd");
  keep(2, null);
  keep(1003, null);
  expect(documents.above(fn, 0).map(({ document }) => document.fd)).toEqual([1, 1003]);
});
