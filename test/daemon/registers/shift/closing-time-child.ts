/** Argument: the registers as JSON, and when it ends (ms since 1970). Says when it is ready and when each closing time fires. */
import { startShiftCloseSchedule } from "@fiscald/daemon/registers/shift/shift-close-schedule.js";
import { toRegisterId } from "@fiscald/shared/ids.js";
import { z } from "zod";

const closing = z.object({ id: z.string().transform(toRegisterId), closeShiftAt: z.string(), timeZone: z.string() });
const [registers, endsAt] = z.tuple([z.array(closing), z.number()]).parse(JSON.parse(process.argv[2] ?? ""));
const say = (text: string) => console.log(`${text} ${new Date().toISOString()}`);

const stop = startShiftCloseSchedule({ registers, onClosingTime: (id) => say(`closing ${id} fired`) });
say("ready");
setTimeout(() => void stop(), endsAt - Date.now());
