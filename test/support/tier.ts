declare global {
  /** Set by jest.config.js. */
  var tier: "fast" | "added" | undefined;
}

/** Which tests run: `fast` = `npm test`; `added` = those that `npm run test:all` adds. A tool counts as fast. */
export const isFast = globalThis.tier !== "added";
