/** An emulated register must not print for a site that may be a real shop. */
import { findRefusedEmulators, refusedFault } from "@fiscald/daemon/setup/emulated.js";
import { configIn, type Raw, rawRegister, rawSite } from "../../support/raw-config.js";

const names: Readonly<Record<string, readonly string[]>> = {
  "shop.example": ["203.0.113.5"],
  "office.example": ["192.168.1.5", "fd00::5"],
  "both.example": ["192.168.1.5", "203.0.113.5"],
};

async function lookUp(host: string): Promise<readonly string[]> {
  const found = names[host];
  if (found === undefined) throw new Error("ENOTFOUND");
  return found;
}

async function refused(url: string, over: Raw = {}): Promise<readonly string[]> {
  const config = configIn("/", { sites: [rawSite(url)], ...over });
  return (await findRefusedEmulators(config, lookUp)).map(({ path, ru }) => `${path}: ${ru}`);
}

test.each([
  "http://127.0.0.1:8080/fiscal",
  "http://localhost/fiscal",
  "http://shop.localhost/fiscal",
  "http://[::1]/fiscal",
  "http://10.1.2.3/fiscal",
  "http://172.16.0.1/fiscal",
  "http://172.31.255.255/fiscal",
  "https://192.168.1.5/fiscal",
  "http://[fd00::5]/fiscal",
  "http://[::ffff:10.0.0.1]/fiscal",
  "https://office.example/fiscal",
])("an emulated register may print for a site on this machine or in a private network: %s", async (url) => {
  expect(await refused(url)).toEqual([]);
});

test.each([
  ["https://203.0.113.5/fiscal", "не на этом компьютере"],
  ["http://172.32.0.1/fiscal", "не на этом компьютере"],
  ["http://[2001:db8::1]/fiscal", "не на этом компьютере"],
  ["http://[::ffff:203.0.113.5]/fiscal", "не на этом компьютере"],
  ["https://shop.example/fiscal", "не на этом компьютере"],
  // One foreign address of the name is enough to reach a real shop.
  ["https://both.example/fiscal", "не на этом компьютере"],
  ["https://unknown.example/fiscal", "имя unknown.example сайта shop не находится"],
])("an emulated register is refused for %s", async (url, words) => {
  expect(await refused(url)).toEqual([expect.stringMatching(`^registers\\[0\\]\\.connection\\.kind: .*${words}`)]);
});

test("an emulated register is refused for the foreign address of any call, and only the config can allow it", async () => {
  const urls = { orders: "http://10.0.0.1/f", result: "https://shop.example/f" };
  const sites = [{ id: "shop", urls }];
  expect(await refused("", { sites })).toHaveLength(1);
  expect(await refused("", { sites, emulated: { allow: true } })).toEqual([]);
});

test("a start is tried again when a site's name is not resolved, and not when a site is outside the private networks", async () => {
  const codeFor = async (...urls: readonly string[]) => {
    const sites = urls.map((url, index) => ({ ...rawSite(url), id: `site-${index}` }));
    const registers = [rawRegister({ sites: sites.map(({ id }) => id) })];
    return refusedFault("config.json", await findRefusedEmulators(configIn("/", { sites, registers }), lookUp)).code;
  };
  expect(await codeFor("https://unknown.example/f")).toBe("site.dns");
  expect(await codeFor("https://unknown.example/f", "https://shop.example/g")).toBe("config.invalid");
});

test("a real register, and a site that no emulated register serves, are not refused", async () => {
  const real = rawRegister({ id: "real", connection: { kind: "tcp", host: "10.0.0.5" }, sites: ["shop", "office"] });
  const emulated = rawRegister({ sites: ["office"] });
  const sites = [rawSite("https://shop.example/f"), { ...rawSite("https://office.example/f"), id: "office" }];
  expect(await refused("", { sites, registers: [real, emulated] })).toEqual([]);
});
