export const slipTexts = {
  title: "ПРОБНАЯ ПЕЧАТЬ",
  register: (title: string) => `Касса: ${title}`,
  kkm: (kkm: string) => `РН ККТ: ${kkm}`,
  works: "Касса печатает, связь с ней есть.",
  noReceipt: "Это не кассовый чек.",
};
