import { hex } from "../../vectors/hex.js";
import { talkTo } from "../scripted-device.js";

const signal = new AbortController().signal;

test("an unreadable answer of a Shtrih-M closes the connection", async () => {
  const talk = await talkTo(() => hex("10 00 1E"));
  await expect(talk.shortStatus(signal)).rejects.toMatchObject({ code: "link.corrupt" });
  await expect(talk.shortStatus(signal)).rejects.toMatchObject({ code: "link.lost" });
});

test("a refusal of a Shtrih-M leaves the connection open", async () => {
  const talk = await talkTo(() => hex("10 4F"));
  for (const _ of [1, 2]) {
    await expect(talk.shortStatus(signal)).rejects.toMatchObject({ code: expect.stringMatching(/^device\./) });
  }
});
