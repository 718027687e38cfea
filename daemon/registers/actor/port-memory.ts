/**
 * The USB device behind a register's serial port, stored across restarts, so that the register is found when it returns
 * under another path. Only a device that proved to be the right register is stored.
 */
import type { UsbKey } from "@fiscald/drivers/transport/find-port.js";
import type { RegisterId } from "@fiscald/shared/ids.js";
import { z } from "zod";
import type { MetaStore } from "../../store/database/meta-store.js";

const remembered = z.object({
  path: z.string(),
  usb: z.object({ vendorId: z.string(), productId: z.string(), serialNumber: z.string() }),
});

/** `path` is the configured port; an entry for another port is ignored. */
export function createPortMemory(meta: MetaStore, register: RegisterId, path: string) {
  const key = `usb-port:${register}`;
  let opened: UsbKey | null = null;

  function recall(): UsbKey | null {
    const text = meta.get(key);
    const known = text === null ? null : (remembered.safeParse(JSON.parse(text)).data ?? null);
    return known !== null && known.path === path ? known.usb : null;
  }

  return {
    recall,
    seen(usb: UsbKey | null): void {
      opened = usb;
    },
    /** Stores the device that was opened last. Call this when it has proved to be the right register. */
    confirm(): void {
      const text = opened === null ? null : JSON.stringify({ path, usb: opened });
      if (text === meta.get(key)) return;
      if (text === null) meta.remove(key);
      else meta.set(key, text);
    },
  };
}
