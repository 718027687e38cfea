import { isPublic, resolvePublic } from "#handlers/delivery/callbacks/public-address.js";

describe("public addresses", () => {
  test.each(["8.8.8.8", "93.184.216.34", "2606:4700:4700::1111", "172.32.0.1", "100.128.0.1"])(
    "the address %s is public",
    (address) => {
      expect(isPublic(address)).toBe(true);
    },
  );

  test.each([
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "fe80::1",
    "fc00::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "2001:db8::1",
  ])("the address %s is not public", (address) => {
    expect(isPublic(address)).toBe(false);
  });

  test("a name with any private address is refused, and a public name is pinned to its first address", async () => {
    const resolve = async (host: string) =>
      host === "mixed.example"
        ? [
            { address: "8.8.8.8", family: 4 as const },
            { address: "127.0.0.1", family: 4 as const },
          ]
        : [{ address: "8.8.8.8", family: 4 as const }];
    await expect(resolvePublic("mixed.example", { resolve, allowPrivate: false })).rejects.toMatchObject({
      code: "site.refused",
    });
    expect(await resolvePublic("good.example", { resolve, allowPrivate: false })).toEqual({
      address: "8.8.8.8",
      family: 4,
    });
  });

  test.each(["[::1]", "127.0.0.1"])("the host %s is refused without a DNS query", async (host) => {
    const resolve = async () => [];
    await expect(resolvePublic(host, { resolve, allowPrivate: false })).rejects.toMatchObject({ code: "site.refused" });
  });
});
