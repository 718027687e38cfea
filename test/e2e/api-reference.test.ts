/** The page of the API reference in a real browser: it shows the operations and loads nothing from another host. */
import { spawnSync } from "node:child_process";
import express from "express";
import { chromium } from "playwright-core";
import { createDocsRouter } from "#handlers/delivery/openapi/docs-page.js";
import { serveSite } from "../support/fake-daemon.js";

const browserName = ["chromium", "chromium-browser", "google-chrome"].find(
  (name) => spawnSync(name, ["--version"]).status === 0,
);

(browserName === undefined ? test.skip : test)(
  `the operations are shown, and nothing comes from another host${browserName === undefined ? " (skipped: needs Chromium)" : ""}`,
  async () => {
    const site = await serveSite(express().use("/v1", createDocsRouter()));
    const path = spawnSync("which", [browserName ?? ""], { encoding: "utf8" }).stdout.trim();
    const browser = await chromium.launch({ executablePath: path, args: ["--no-sandbox"] });
    try {
      const page = await browser.newPage();
      const answered: string[] = [];
      page.on("response", (response) => answered.push(response.url()));
      await page.goto(`${site.url}/v1/docs`);
      await page.getByText("/orders/multipleUpdate").first().waitFor({ timeout: 60_000 });
      expect(answered).toContain(`${site.url}/v1/openapi.json`);
      // The page's logo is on another host: the page's own policy keeps the browser from asking it.
      expect(answered.filter((url) => !url.startsWith(site.url) && !/^(data|blob):/.test(url))).toEqual([]);
    } finally {
      await browser.close();
      await site.close();
    }
  },
);
