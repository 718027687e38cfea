import { makeService as service } from "../../support/make-job.js";
import { reference } from "../contract/maker-subjects.js";
import { inWorld } from "../contract/world.js";

test("a Z report is unsure while the drive shows another document under the number of the report", () =>
  inWorld(reference(), async (world) => {
    await world.openShift();
    world.register.device.addBehaviour({
      onCommand: ({ names, act, answer }) => {
        if (!names.includes("DOC")) return "pass";
        const text = Buffer.from(act() ?? []).toString("utf8");
        answer(Buffer.from(text.replace('"type":"shift-close"', '"type":"other"'), "utf8"));
        return "handled";
      },
    });
    const outcome = await world.print(service([{ type: "report", report: "z" }]));
    expect(outcome).toMatchObject({ kind: "unsure", fault: { code: "link.corrupt" } });
  }));
