import { deviceInfoSchema, fnInfoSchema, parseAnswer, registrationSchema } from "../protocol/answers.js";
import { taxSystemBits } from "../protocol/enums.js";
import type { JobClient } from "../protocol/job-client.js";
import type { RegisterFacts } from "../protocol/models.js";

/** The register behind the service. */
export async function readFacts(desk: JobClient, signal: AbortSignal): Promise<RegisterFacts> {
  const [info, fn, registration] = await desk.ask(["getDeviceInfo", "getFnInfo", "getRegistrationInfo"], signal);
  const { deviceInfo } = parseAnswer("getDeviceInfo", deviceInfoSchema, info);
  const { fnInfo } = parseAnswer("getFnInfo", fnInfoSchema, fn);
  const { organization, device } = parseAnswer("getRegistrationInfo", registrationSchema, registration);
  return {
    identity: {
      kkm: device.registrationNumber,
      inn: organization.vatin,
      fn: fnInfo.serial,
      serial: deviceInfo.serial,
      model: deviceInfo.modelName,
      firmware: deviceInfo.firmwareVersion,
      ffd: device.ffdVersion ?? deviceInfo.ffdVersion ?? null,
      taxSystems: taxSystemBits(organization.taxationTypes),
    },
    registeredForInternet: device.internet ?? null,
    lineLength: deviceInfo.receiptLineLength,
    lineDots: deviceInfo.receiptLineLengthPix ?? null,
  };
}
