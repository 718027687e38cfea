#!/usr/bin/env node
// This file stands here before the build, so that npm can link it.
import { existsSync } from "node:fs";

const main = new URL("../dist/main.js", import.meta.url);
if (existsSync(main)) await import(main.href);
else {
  console.error("fiscald is not built yet: npm run build");
  process.exitCode = 1;
}
