import { formatRoubles, type Kopecks } from "@fiscald/shared/amounts.js";
import { qrText } from "@fiscald/shared/paper/layout-receipt.js";
import type { Operation } from "@fiscald/shared/receipt/receipt.js";
import { isReceiptLinkPlaceholder, type ReceiptLinkPlaceholder } from "../config/receipt-link-presets.js";
import type { JobDocument } from "../store/job.js";

export interface LinkFacts {
  readonly names: { readonly kkm: string; readonly inn: string };
  readonly document: JobDocument;
  readonly operation: Operation;
  readonly total: Kopecks;
}

/** The web page of a receipt. Values are URL-encoded, except for `{qr}`, which is a query string already. */
export function receiptLink(template: string, facts: LinkFacts): string {
  const values = placeholderValues(facts);
  return template.replace(/\{([^}]*)\}/g, (whole, name: string) => {
    if (!isReceiptLinkPlaceholder(name)) return whole;
    return name === "qr" ? values.qr : encodeURIComponent(values[name]);
  });
}

/** The protocol's field `OFDLink`, which is the page's address in standard base64; "" without a template. */
export function ofdLink(template: string | null, facts: LinkFacts): string {
  return template === null ? "" : Buffer.from(receiptLink(template, facts), "utf8").toString("base64");
}

function placeholderValues({ names, document, operation, total }: LinkFacts): Record<ReceiptLinkPlaceholder, string> {
  const { fn, fd, fiscalSign: fp, time } = document;
  const qr = qrText({ time, sum: total, fn, fd, fp, operation });
  const [year, month, day] = [time.slice(2, 4), time.slice(5, 7), time.slice(8, 10)];
  const minute = time.slice(0, 16).replace(/[-:]/g, "");
  return {
    inn: names.inn,
    rnm: names.kkm,
    kkm: names.kkm,
    fn,
    fd: String(fd),
    fp,
    sum: formatRoubles(total),
    sumKop: String(total),
    ddmmyy: `${day}${month}${year}`,
    t: minute,
    time: minute,
    n: operation === "sale" ? "1" : "2",
    qr,
  };
}
