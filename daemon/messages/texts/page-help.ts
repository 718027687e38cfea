import { rows } from "../rows.js";

export const pageHelpTexts = rows({
  forSupport: [
    "If you call support, send this file first: it shows what happened, without passwords and buyers' contacts.",
    "Если звоните в поддержку, сначала отправьте этот файл: по нему видно, что случилось. Паролей и контактов покупателей в нём нет.",
  ],
  withoutPage: [
    "When this page does not open, the Start menu has it too: fiscald, Support file. Elsewhere: `fiscald support-bundle`.",
    "Если страница не открывается: на Windows меню «Пуск», папка fiscald, «Файл для поддержки»; на Linux `fiscald support-bundle`.",
  ],
  questions: ["What happened?", "Что случилось?"],
  guides: ["Guides to read and print", "Памятки: прочитать и напечатать"],
  whatToDo: ["What to do", "Что делать"],
  print: ["Print", "Напечатать"],
  toHelp: ["Back to help", "К помощи"],
  answers: {
    noReceipt: {
      question: ["An order is paid, and the buyer has no receipt", "Заказ оплачен, а чека у покупателя нет"],
      answer: [
        "Find the order by its number. Its page says why nothing is printed and what to do; of a printed receipt it has the link and the QR code.",
        "Найдите заказ по номеру. Его страница говорит, почему чек не вышел и что делать; у напечатанного там ссылка и QR-код.",
      ],
    },
    twoReceipts: {
      question: ["Two receipts came out for one order", "На один заказ вышли два чека"],
      answer: ["The one too many is undone by another receipt.", "Лишний отменяют другим чеком."],
    },
    wrongReceipt: {
      question: ["A receipt has the wrong VAT, sum or goods", "В чеке неверный НДС, сумма или товар"],
      answer: [
        "Find what changes the receipts first, then correct the receipt.",
        "Сначала найдите, что меняет чеки, потом исправьте чек.",
      ],
    },
    testSale: {
      question: ["A test sale is to be undone", "Нужно отменить пробную продажу"],
      answer: [
        "Open the order and press “Wrong receipt”, then “A test sale”: the register prints a receipt of return.",
        "Откройте заказ, нажмите «Неверный чек» и выберите «Пробная продажа»: касса напечатает чек возврата.",
      ],
    },
    oldOrders: {
      question: ["The till stood still for days, and orders wait", "Касса стояла несколько дней, заказы ждут решения"],
      answer: [
        "Goods that are handed over without a receipt need a correction, those of today an ordinary receipt.",
        "Товар уже отдан без чека — коррекция; отдаёте сегодня — обычный чек.",
      ],
    },
    copy: {
      question: ["The buyer wants a copy of the receipt", "Покупатель просит копию чека"],
      answer: [
        "The order's page has link, QR code and the copy on paper.",
        "На странице заказа есть ссылка, QR-код и копия на бумаге.",
      ],
    },
    drawer: {
      question: ["The Z report is not what the drawer has", "Z-отчёт не сходится с деньгами в ящике"],
      answer: [
        "The page of the day compares the sums with the registers' counters.",
        "Страница «День» сравнивает суммы со счётчиками касс.",
      ],
    },
    driveEnds: {
      question: ["The fiscal drive ends soon", "Накопитель скоро закончится"],
      answer: ["Order a new one and the engineer's visit today.", "Закажите новый и визит мастера сегодня."],
    },
    newRegister: {
      question: ["Register or drive were changed for a new one", "Кассу или накопитель заменили"],
      answer: ["What to do before, and what to press after.", "Что сделать до замены и что нажать после."],
    },
    newComputer: {
      question: ["The till's computer is replaced", "Кассовый компьютер переехал"],
      answer: [
        "Take config and database along as one file, or receipts may be printed twice.",
        "Перенесите настройки и базу одним файлом, иначе чеки могут выйти дважды.",
      ],
    },
    newSite: {
      question: ["The shop's site has a new address", "У магазина новый адрес сайта"],
      answer: [
        'Enter it in the set-up and click "Show the changes": the program tries it. The secret stays, and printed orders are known.',
        "Впишите его на странице «Настройка» и нажмите «Показать изменения»: программа его проверит. Секрет остаётся прежним, напечатанные заказы программа помнит.",
      ],
    },
  },
});
