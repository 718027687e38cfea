/** A process that writes each firing of the real schedule until an instant: `REGISTERS END`, registers as JSON, end in ms. */
import { createShiftCloseSchedule } from "@fiscald/daemon/registers/shift/shift-close-schedule.js";

const [registers = "[]", end = "0"] = process.argv.slice(2);
const schedule = createShiftCloseSchedule({
  registers: JSON.parse(registers),
  onClosingTime: (id) => console.log(`closing ${id} fired ${new Date().toISOString()}`),
});
schedule.start();
console.log(`ready ${new Date().toISOString()}`);
setTimeout(() => void schedule.stop(), Number(end) - Date.now());
