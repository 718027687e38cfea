#!/usr/bin/env node
// npm links this file before the build makes `dist`.
import { existsSync } from "node:fs";

const main = new URL("../dist/cli/main.js", import.meta.url);
if (existsSync(main)) await import(main.href);
else {
  console.error("fiscald-site is not built yet: npm run build");
  process.exitCode = 1;
}
