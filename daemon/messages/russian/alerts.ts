/** The word to a person, in Russian (messages.ts). */
import type { Messages } from "../messages.js";

export const alertTexts: Messages["alerts"] = {
  begun: ({ host }) => `fiscald на ${host}: нужен человек`,
  over: ({ host }) => `fiscald на ${host}: неполадка устранена`,
  isOver: "Прошло:",
  more: ({ count }) => `и ещё ${count}: см. \`fiscald status\``,
};
