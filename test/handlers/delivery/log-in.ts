/** The shop's courier 7 of `fillCatalog`, logged in. */
import { setLicenseTotal } from "#handlers/delivery/catalog/delivery-settings.js";
import type { Api, DeliveryWorld, Shop } from "./delivery-world.js";

export async function logIn(
  world: DeliveryWorld,
  shop: Shop,
  deviceId = "a1",
): Promise<Api & { readonly token: string }> {
  const { store } = world.backend;
  await store.transaction((tx) => setLicenseTotal(tx, 1000));
  const login = {
    resourceId: shop.access.resource.id,
    courierId: 7,
    password: "letmein-2026",
    deviceId,
    deviceTitle: "P",
  };
  const { status, body } = await world.api(null, "/courier/v1").post("/sessions", login);
  if (status !== 201) throw new Error(`the courier could not log in: ${JSON.stringify(body)}`);
  return { token: body.token, ...world.api(body.token, "/courier/v1") };
}
