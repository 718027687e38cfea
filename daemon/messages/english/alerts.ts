/** The word to a person, in English (messages.ts). */

export interface AlertHost {
  readonly host: string;
}

export const alertTexts = {
  begun: ({ host }: AlertHost) => `fiscald on ${host}: a person is needed`,
  over: ({ host }: AlertHost) => `fiscald on ${host}: it is over`,
  isOver: "Over:",
  more: ({ count }: { readonly count: number }) => `and ${count} more: see \`fiscald status\``,
};
