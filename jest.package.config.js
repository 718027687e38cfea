/** Installs what `npm run package` made, on this machine: as root, on Debian. */
import { default as fast } from "./jest.config.js";

const { testPathIgnorePatterns: _, testMatch: __, ...shared } = fast;
export default { ...shared, testMatch: ["<rootDir>/test/dist/packages/*.test.js"], testTimeout: 600_000 };
