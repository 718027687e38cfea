/** Which tests run: `fast` = `npm test`; `added` = what `npm run test:all` adds to it (jest.added.config.js). */
export const isFast = process.env["FISCALD_TESTS"] !== "added";
