/** The demo shop's goods. Prices in roubles. */
export interface DemoGood {
  /** Also the name of its picture. */
  readonly id: string;
  readonly title: string;
  readonly note: string;
  readonly price: string;
}

export const demoGoods: readonly DemoGood[] = [
  { id: "coffee", title: "Кофе «Утро кассира»", note: "250 г, зерно", price: "690.00" },
  { id: "tea", title: "Чай «Закрытие смены»", note: "100 г, чёрный", price: "320.00" },
  { id: "croissant", title: "Круассан", note: "с миндалём", price: "145.50" },
  { id: "cake", title: "Торт «54-ФЗ»", note: "слоёный, 1 кг", price: "1250.00" },
  { id: "book", title: "Блокнот", note: "для номеров чеков", price: "399.90" },
  { id: "roll", title: "Чековая лента", note: "57 мм, 30 м", price: "58.00" },
];
