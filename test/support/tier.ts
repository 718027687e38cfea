declare global {
  /** Set by jest.config.js. */
  var tier: "fast" | "added" | undefined;
}

/** Which tests run: `fast` = `npm test`; `added` = what `npm run test:all` adds to it. A tool is neither, and counts as fast. */
export const isFast = globalThis.tier !== "added";
