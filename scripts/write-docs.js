// npm run docs: the parts of the guides that are made from the code.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createOpenApiDocument } from "#handlers/delivery/openapi/document.js";
import { fieldsPage } from "../test/dist/handlers/delivery/openapi/fields-page.js";
import { comparedTagsPage, measureTags } from "../test/dist/support/compared-tags.js";
import { configTable } from "../test/dist/support/config-table.js";
import { faultPage } from "../test/dist/support/fault-page.js";
import { fiscalTagsPage } from "../test/dist/support/fiscal-tags.js";
import { handlersReference } from "../test/dist/support/handlers-reference.js";

const config = new URL("../daemon/CONFIG.md", import.meta.url);
const between = /(<!-- config table -->)[\s\S]*?(<!-- end of config table -->)/;
writeFileSync(
  config,
  readFileSync(config, "utf8").replace(between, (_, begin, end) => `${begin}\n\n${configTable()}\n\n${end}`),
);
mkdirSync(new URL("../docs/", import.meta.url), { recursive: true });
writeFileSync(new URL("../docs/FISCAL-TAGS.md", import.meta.url), fiscalTagsPage());
writeFileSync(new URL("../docs/COMPARED-TAGS.md", import.meta.url), comparedTagsPage(await measureTags()));
writeFileSync(new URL("../daemon/FAULTS.md", import.meta.url), faultPage());
writeFileSync(new URL("../handlers/REFERENCE.md", import.meta.url), handlersReference());
writeFileSync(new URL("../handlers/delivery/FIELDS.md", import.meta.url), fieldsPage(createOpenApiDocument()));
