/** `addressEntity` of a client: each part may be left out, and is then left out of the answer too. */
import { z } from "zod";
import { coordinateIn, optionalPartIn, textIn } from "../http/wire-types.js";
import { customField } from "./record-fields.js";

const addressIn = z.object({
  postindex: optionalPartIn(textIn),
  city: optionalPartIn(textIn),
  street: optionalPartIn(textIn),
  home: optionalPartIn(textIn),
  apartment: optionalPartIn(textIn),
  latitude: optionalPartIn(coordinateIn),
  longitude: optionalPartIn(coordinateIn),
});
const addressOut = z.strictObject({
  postindex: z.string().optional(),
  city: z.string().optional(),
  street: z.string().optional(),
  home: z.string().optional(),
  apartment: z.string().optional(),
  latitude: z.string().optional(),
  longitude: z.string().optional(),
});

export const clientAddress = customField(addressIn, addressOut);
