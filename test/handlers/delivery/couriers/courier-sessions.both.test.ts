import { systemClock } from "@fiscald/shared/clock.js";
import { setLicenseTotal } from "#handlers/delivery/catalog/delivery-settings.js";
import { fillCatalog, logIn } from "../delivery-world.js";
import { describeOnBothStores, useMoney } from "../use-world.js";

const DAY = 24 * 60 * 60 * 1000;

describeOnBothStores("a courier's session", (newDatabase) => {
  let passedMs = 0;
  const { money } = useMoney(newDatabase, {
    clock: { ...systemClock, now: () => systemClock.now() + passedMs },
    sessionDays: 2,
  });
  afterEach(() => {
    passedMs = 0;
  });

  const licences = async () => (await money.shop.get("/licenses")).body;
  const login = (deviceId = "b") =>
    money.world.api(null, "/courier/v1").post("/sessions", {
      resourceId: money.shop.access.resource.id,
      courierId: 7,
      password: "letmein-2026",
      deviceId,
      deviceTitle: "B",
    });

  test("a courier's session ends when the courier is deleted, and its licence becomes free", async () => {
    expect((await money.courier.get("/orders")).status).toBe(200);
    await money.shop.delete("/couriers", { courierId: 7 });
    expect((await money.courier.get("/orders")).status).toBe(401);
    expect((await money.courier.post("/locations", [])).status).toBe(401);
    expect(await licences()).toMatchObject({ licenseUse: 0, licenses: [] });
    await money.shop.post("/couriers/replace", [{ courierId: 7, title: "Сидоров" }]);
    expect((await money.courier.get("/orders")).status).toBe(401);
  });

  test("a courier's session ends after the configured days, and its licence becomes free", async () => {
    passedMs = 2 * DAY - 60_000;
    expect((await money.courier.get("/orders")).status).toBe(200);
    expect(await licences()).toMatchObject({ licenseUse: 1 });
    passedMs = 2 * DAY;
    expect((await money.courier.get("/orders")).status).toBe(401);
    expect(await licences()).toMatchObject({ licenseUse: 0, licenses: [] });
    expect((await login()).status).toBe(201);
    const { store } = money.world.backend;
    const sessions = await store.db.selectFrom("delivery_sessions").select("finished_at").orderBy("id").execute();
    expect(sessions).toMatchObject([{ finished_at: expect.any(Number) }, { finished_at: null }]);
  });

  test("a new login on the same device takes over the licence of the earlier session, and another device needs its own licence", async () => {
    await money.world.backend.store.transaction((tx) => setLicenseTotal(tx, 1));
    expect((await login()).status).toBe(403);
    expect((await money.courier.get("/orders")).status).toBe(200);
    const again = await login("a");
    expect(again.status).toBe(201);
    expect((await money.courier.get("/orders")).status).toBe(401);
    expect(await licences()).toMatchObject({ licenseUse: 1, licenseTotal: 1, licenses: [{ deviceId: "a" }] });
    expect((await money.world.api(again.body.token, "/courier/v1").get("/orders")).status).toBe(200);
  });

  test("a deleted courier cannot log in", async () => {
    expect((await login()).status).toBe(201);
    await money.shop.delete("/couriers", { courierId: 7 });
    expect((await login()).status).toBe(401);
    await money.shop.post("/couriers/replace", [{ courierId: 7, title: "Сидоров" }]);
    expect((await login()).status).toBe(201);
  });

  test("a session stays open when another shop logs its courier in or out on a device with the same id", async () => {
    const other = await money.world.shop();
    await fillCatalog(other);
    const theirs = await logIn(money.world, other, "a");
    expect((await money.courier.get("/orders")).status).toBe(200);
    const ofDevice = { query: { deviceId: "a" } };
    expect((await other.post("/licenses/close", undefined, ofDevice)).status).toBe(204);
    expect([(await theirs.get("/orders")).status, (await money.courier.get("/orders")).status]).toEqual([401, 200]);
    // The shop has no session left. The other shop's session does not count.
    expect((await other.post("/licenses/close", undefined, ofDevice)).status).toBe(404);
    expect((await money.courier.get("/orders")).status).toBe(200);
  });
});
