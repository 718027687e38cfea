#!/usr/bin/env node
// There before the build, so that npm can link it.
import "../dist/cli/main.js";
