/** The page of the API reference in a real browser: it shows the operations and loads nothing from another host. */
import express from "express";
import { createDocsRouter } from "#handlers/delivery/openapi/docs-page.js";
import { launchBrowser, testInBrowser } from "../support/browser.js";
import { serveSite } from "../support/fake-daemon.js";

testInBrowser("the page of the API reference shows the operations, and loads nothing from another host", async () => {
  const site = await serveSite(express().use("/v1", createDocsRouter()));
  const browser = await launchBrowser();
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
});
