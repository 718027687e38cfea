/** Receipt pages of the OFDs (54-fz 13). An OFD may change its page; the config can always give another template. */
export const receiptLinkPresets = {
  "platforma-ofd": "https://lk.platformaofd.ru/web/noauth/cheque?fn={fn}&fp={fp}&i={fd}",
  "ofd-ru": "https://ofd.ru/rec/{inn}/{rnm}/{fn}/{fd}/{fp}",
  "1-ofd": "https://consumer.1-ofd.ru/v1?{qr}",
  taxcom: "https://receipt.taxcom.ru/v01/show?fp={fp}&s={sum}&sf=False&sfn=False",
  sbis: "https://ofd.sbis.ru/rec/{rnm}/{ddmmyy}/{fp}",
  kontur: "https://cash.kontur.ru/CashReceipt/View/FN/{fn}/FD/{fd}/FP/{fp}",
  "yandex-ofd": "https://ofd.yandex.ru/vaucher/{rnm}/{fd}/{fp}",
  "e-ofd": "https://e-ofd.ru/check?fn={fn}&fp={fp}&fd={fd}",
} as const;

export type ReceiptLinkPreset = keyof typeof receiptLinkPresets;

export function isReceiptLinkPreset(name: string): name is ReceiptLinkPreset {
  return Object.hasOwn(receiptLinkPresets, name);
}

/**
 * `rnm` and `kkm` are both the registration number, `t` and `time` the time as the QR code writes it, `sumKop` the sum
 * in kopecks, `n` the operation as the QR code writes it, and `qr` the whole QR text.
 */
const receiptLinkPlaceholders = [
  "inn",
  "rnm",
  "kkm",
  "fn",
  "fd",
  "fp",
  "sum",
  "sumKop",
  "ddmmyy",
  "t",
  "time",
  "n",
  "qr",
] as const;

export type ReceiptLinkPlaceholder = (typeof receiptLinkPlaceholders)[number];

export function isReceiptLinkPlaceholder(name: string): name is ReceiptLinkPlaceholder {
  return receiptLinkPlaceholders.some((known) => known === name);
}
